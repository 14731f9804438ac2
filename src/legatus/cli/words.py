"""The command line's own sentences.  What a game says is in the game's folder."""

from __future__ import annotations

import os
from typing import Any

from ..kernel import Message
from ..kernel.words import KERNEL, values_in

WORDS: dict[str, tuple[str, str]] = {
    "serve_at": ("Legatus is at {address}", "Legatus est à l'adresse {address}"),
    "serve_everywhere": (
        "On your network: {address}",
        "Sur votre réseau : {address}",
    ),
    "serve_kept": ("Battles are kept in {database}", "Les batailles sont conservées dans {database}"),
    "serve_stop": ("Ctrl-C stops it; nothing is lost.", "Ctrl-C l'arrête ; rien n'est perdu."),
    "serve_port": (
        "cannot listen at {where}: {problem}; choose another --port",
        "impossible d'écouter sur {where} : {problem} ; choisissez un autre --port",
    ),
    "serve_database": (
        "--database {database}: {problem}",
        "--database {database} : {problem}",
    ),
    "serve_served": (
        "{database} is being served by another process: stop that one first",
        "{database} est déjà employée par un autre serveur : arrêtez-le d'abord",
    ),
    "serve_page": (
        "the page is not built: run `make play`, or `python web/build.py`",
        "la page n'est pas construite : lancez `make play`, ou `python web/build.py`",
    ),
    "serve_log": (
        "--log {level!r}: debug, info, warning or error expected",
        "--log {level!r} : debug, info, warning ou error attendu",
    ),
    "colon": (": ", " : "),
    # databases
    "database_bad": ("{database}: {problem}", "{database} : {problem}"),
    "upgrade_same": ("goes on as it is", "continue telle quelle"),
    "upgrade_same_over": ("is over, and is shown as it was", "est finie, et montrée telle qu'elle fut"),
    "upgrade_unverified": (
        (
            "goes on; it comes from version 0.1, which kept no fingerprints: nothing in it "
            "is against the rules, but it cannot be verified"
        ),
        (
            "continue ; elle vient de la version 0.1, sans empreintes : rien n'y est "
            "contraire aux règles, mais elle n'est pas vérifiable"
        ),
    ),
    "upgrade_unverified_over": (
        (
            "is over and can be shown; it comes from version 0.1, which kept no "
            "fingerprints, and cannot be verified"
        ),
        (
            "est finie et peut être montrée ; elle vient de la version 0.1, sans empreintes, "
            "et n'est pas vérifiable"
        ),
    ),
    "upgrade_resumed": (
        (
            "edition {before} → {edition}: goes on from its stored position; entries that "
            "can no longer be shown: {lost}"
        ),
        (
            "édition {before} → {edition} : reprend à sa position enregistrée ; entrées qui "
            "ne peuvent plus être montrées : {lost}"
        ),
    ),
    "upgrade_closed": (
        "edition {before} → {edition}: closed, cannot be gone on with; shown up to entry {last} of {entries}",
        (
            "édition {before} → {edition} : close, ne peut être poursuivie ; montrée jusqu'à "
            "l'entrée {last} sur {entries}"
        ),
    ),
    "upgrade_shown": (
        "edition {before} → {edition}: is over, and is shown up to entry {last} of {entries}",
        "édition {before} → {edition} : est finie, et montrée jusqu'à l'entrée {last} sur {entries}",
    ),
    "upgrade_lost": (
        "edition {before} → {edition}: nothing of it can be shown",
        "édition {before} → {edition} : rien ne peut en être montré",
    ),
    "upgrade_newer": (
        "is of edition {before}, made by a newer version; this one knows edition {edition}",
        (
            "est de l'édition {before}, faite par une version plus récente ; celle-ci "
            "connaît l'édition {edition}"
        ),
    ),
    "upgrade_sum": (
        "{n} matches; {bad} of them could not be gone on with. Nothing was touched.",
        "{n} parties ; {bad} d'entre elles ne pourraient être poursuivies. Rien n'a été modifié.",
    ),
    "upgrade_done": (
        "{n} matches; {bad} of them cannot be gone on with.",
        "{n} parties ; {bad} d'entre elles ne peuvent être poursuivies.",
    ),
    "backed_up": (
        "{database} was copied to {file}: {n} matches, checked.",
        "{database} a été copié dans {file} : {n} parties, vérifiées.",
    ),
    "restored": (
        "{database} is what {file} was: {n} matches, checked.",
        "{database} est ce qu'était {file} : {n} parties, vérifiées.",
    ),
    "set_aside": (
        "The database that was there is now {file}.",
        "La base qui était là est maintenant {file}.",
    ),
    "restore_exists": (
        "{database} is there already: with --replace it is set aside as {aside}",
        "{database} existe déjà : avec --replace, la base est mise de côté sous le nom {aside}",
    ),
    "restore_used": (
        "{database} is in use: stop its server first ({problem})",
        "{database} est employée : arrêtez d'abord son serveur ({problem})",
    ),
    "backup_postgres": (
        (
            "{database}: PostgreSQL has its own tools: pg_dump --format=custom copies a "
            "running database, pg_restore brings it back (docs/guides/serve.md)"
        ),
        (
            "{database} : PostgreSQL a ses propres outils : pg_dump --format=custom copie "
            "une base en service, pg_restore la rétablit (docs/guides/serve.md)"
        ),
    ),
    # editions
    "edition": ("{game}, edition {edition} of the rules", "{game}, édition {edition} des règles"),
    "edition_of_rules": ("edition {edition}", "édition {edition}"),
    "version_line": ("editions of the rules: {editions}", "éditions des règles : {editions}"),
    "version_compiled": ("the rules run compiled", "les règles sont compilées"),
    "version_interpreted": ("the rules run interpreted", "les règles sont interprétées"),
    "resumed": ("the rules have changed", "les règles ont changé"),
    "resume_differs": (
        "{file}: it cannot be gone on with under the rules of this version. {problem}",
        "{file} : impossible de continuer selon les règles de cette version. {problem}",
    ),
    # names and settings
    "no_lang": ("--lang: no language {name!r}: {known}", "--lang : aucune langue {name!r} : {known}"),
    "no_game": ("no game {name!r}: {known}", "aucun jeu {name!r} : {known}"),
    "no_seat": ("no seat {name!r}: {known}", "aucun camp {name!r} : {known}"),
    "no_player": ("{problem}, or human", "{problem}, ou human"),
    "bad_seat": (
        "--seat {text!r}: SEAT=PLAYER expected, e.g. {seat}=greedy",
        "--seat {text!r} : CAMP=JOUEUR attendu, par exemple {seat}=greedy",
    ),
    "no_option": (
        "--option {setting!r}: KEY=VALUE expected, with a key of {known}",
        "--option {setting!r} : CLÉ=VALEUR attendu, avec une clé parmi {known}",
    ),
    "bad_option": (
        "--option {key}: no value {value!r}: {known}",
        "--option {key} : pas de valeur {value!r} : {known}",
    ),
    "bots_count": (
        "--bots: {expected} names expected, in seat order ({seats}), {found} given",
        "--bots : {expected} noms attendus, dans l'ordre des camps ({seats}), {found} donné(s)",
    ),
    "no_clause": ("no clause {name!r}; near it: {known}", "aucune clause {name!r} ; proches : {known}"),
    "no_hit": ("no clause contains {text!r}", "aucune clause ne contient {text!r}"),
    "no_entry": (
        "{file}: no entry {n}: 0 to {last}",
        "{file} : pas d'entrée {n} : de 0 à {last}",
    ),
    "bad_at": (
        "--at {text!r}: RECORD:N expected, N being the number of an entry",
        "--at {text!r} : FICHIER:N attendu, N étant le numéro d'une entrée",
    ),
    "other_game": (
        "{file}: a record of {found}, not of {game}",
        "{file} : une partie de {found}, pas de {game}",
    ),
    "name_game": (
        "name a game: {known}",
        "nommez un jeu : {known}",
    ),
    "count": (
        "{name}: a whole number of at least {low} expected",
        "{name} : un entier d'au moins {low} attendu",
    ),
    # luck
    "bad_dice": (
        "--dice {spec!r}: seeded, typed, or the results: script:5,4,2",
        "--dice {spec!r} : seeded, typed, ou les résultats : script:5,4,2",
    ),
    "dice_wanted": ("more dice wanted: {luck}", "il manque des dés : {luck}"),
    "dice_wrong": ("wrong dice: {problem}", "mauvais dés : {problem}"),
    "dice_left": (
        "{n} dice too many: nobody asked for them",
        "{n} dé(s) de trop : personne ne les a demandés",
    ),
    "draw": ("one of {lots}", "un parmi {lots}"),
    "type_dice": ("roll {luck}: ", "lancez {luck} : "),
    "type_draw": ("draw {luck}: ", "tirez {luck} : "),
    "not_a_lot": ("{text!r} is not one of them.", "{text!r} n'en fait pas partie."),
    "not_numbers": (
        "{text!r}: whole numbers expected, e.g. 5 4 2",
        "{text!r} : des entiers attendus, par exemple 5 4 2",
    ),
    # playing
    "you": ("you", "vous"),
    "human": ("human", "humain"),
    "won": ("Victory for {seat}.", "Victoire : {seat}."),
    "drawn": ("A draw.", "Partie nulle."),
    "record_at": ("Record: {file}", "Enregistrement : {file}"),
    "commitment_is": ("The seed's SHA-256: {commitment}", "SHA-256 de la graine : {commitment}"),
    "contribution_is": ("Contributed by {seat}: {text}", "Contribution de {seat} : {text}"),
    "record_is": ("Record: {file}", "Enregistrement : {file}"),
    "seed_shown": (
        "Seed: {seed}. `legatus verify {file}` recomputes every die.",
        "Graine : {seed}. `legatus verify {file}` recalcule chaque dé.",
    ),
    "bad_contribution": (
        "--contribution {text!r}: up to 64 letters, digits, - and _ expected",
        "--contribution {text!r} : jusqu'à 64 lettres, chiffres, - et _ attendus",
    ),
    "bad_contributed": (
        "--contribution {text!r}: [SEAT=]TEXT[@ROW] expected; TEXT is up to 64 letters, digits, - and _",
        "--contribution {text!r} : [CAMP=]TEXTE[@LIGNE] attendu, avec au plus 64 lettres, chiffres, - et _",
    ),
    "bad_commitment": (
        "--commitment {text!r}: 64 hexadecimal digits expected",
        "--commitment {text!r} : 64 chiffres hexadécimaux attendus",
    ),
    "no_contributions": (
        "--contribution: this game was begun with an earlier version, whose dice depend on the seed only",
        "--contribution : les dés de cette partie, d'une version antérieure, ne dépendent que de la graine",
    ),
    "seed_is": ("Seed {seed}. Record: {file}", "Graine {seed}. Enregistrement : {file}"),
    "go_on": (
        "Saved. Go on with: legatus play --resume {file}",
        "Enregistré. Pour continuer : legatus play --lang fr --resume {file}",
    ),
    "exists": (
        "{file} exists: go on with --resume {file}, or choose another --save",
        "{file} existe : continuez avec --resume {file}, ou choisissez un autre --save",
    ),
    "is_over": ("{file}: this game is over", "{file} : cette partie est terminée"),
    "cannot_write": ("{file}: cannot be written: {problem}", "{file} : impossible d'écrire : {problem}"),
    "saved": ("Saved: {file}", "Enregistré : {file}"),
    "curtain": ("Hand over to {seat}, press Enter. ", "Passez la main : {seat}, puis Entrée. "),
    "cannot_undo": (
        "Nothing can be taken back: luck has spoken, a secret was shown, or it was not your action.",
        "Rien à reprendre : le sort a parlé, un secret a été montré, ou ce n'était pas votre action.",
    ),
    "undone": ("Taken back: {action}", "Repris : {action}"),
    "is_legal": ("{action}: legal", "{action} : permis"),
    "no_number": ("{n}: a number from 1 to {last} expected", "{n} : un numéro de 1 à {last} attendu"),
    "say_help": ("`help` explains.", "`aide` explique."),
    "more": (
        "… {n} more ({verbs}): `more`, or `list WORD`",
        "… encore {n} ({verbs}) : `suite`, ou `liste MOT`",
    ),
    "nothing_with": ("no legal action with {text!r}", "aucune action permise avec {text!r}"),
    "help": (
        """A number or an action line plays it; several on a line are parted by `;`.  Besides:
  why ACTION    every reason against an action, with its clause
  odds ACTION   what can come of it, and how probably
  look UNIT     all about a unit or a place; the beginning of its name is enough
  rules ID      a clause of the rulebook, or the clauses with a word
  list WORD     the legal actions with a word; `more` shows the next page
  undo          take your last action back, unless luck has spoken
  log           what has happened; `log all` from the beginning
  field         the field again (or simply Enter)
  save [FILE]   save; every action is saved anyway
  quit          leave; go on later with --resume""",
        """Un numéro ou une ligne d'action la joue ; plusieurs sur une ligne, séparées par `;`.  De plus :
  pourquoi ACTION  toutes les raisons contre une action, avec leur clause
  chances ACTION   ce qui peut en résulter, avec les probabilités
  regarder UNITÉ   tout sur une unité ou un lieu ; le début de son nom suffit
  règles ID        une clause du livre de règles, ou celles qui contiennent un mot
  liste MOT        les actions permises avec un mot ; `suite` montre la page suivante
  annuler          reprendre votre dernière action, si le sort n'a pas parlé
  journal          ce qui s'est passé ; `journal tout` depuis le début
  champ            de nouveau le champ (ou simplement Entrée)
  enregistrer [F]  enregistrer ; chaque action l'est de toute façon
  quitter          partir ; continuez plus tard avec --resume""",
    ),
    "help_open": (
        (
            "\nOn this table numbers are free, not only those in the list. Lengths and places are whole "
            "hundredths of a DU (150 is 1.5 DU), directions and angles whole tenths of a degree, "
            "clockwise (450 is 45°, -450 is 45° to the left). Places count from the north-west corner, "
            "x eastwards, y southwards; direction 0 is north, 900 is east. `why ACTION` tries one out. "
            "What can be said now:"
        ),
        (
            "\nSur cette table, les nombres sont libres, pas seulement ceux de la liste. Longueurs et "
            "positions sont en centièmes d'UD entiers (150 vaut 1,5 UD), directions et angles en "
            "dixièmes de degré entiers, dans le sens horaire (450 vaut 45°, -450 vaut 45° vers la "
            "gauche). On compte depuis le coin nord-ouest, x vers l'est, y vers le sud ; la direction 0 "
            "est le nord, 900 l'est. `pourquoi ACTION` en essaie une. Ce qu'on peut dire maintenant :"
        ),
    ),
    "enter_plays": ("(Enter plays it)", "(Entrée la joue)"),
    "choose_game": ("Which game?", "Quel jeu ?"),
    "choose_scenario": ("Which scenario?", "Quel scénario ?"),
    "choose_seat": ("Which side is yours?", "Quel est votre camp ?"),
    "choose_opponent": ("Who plays the other side?", "Qui joue l'autre camp ?"),
    "choose_number": ("Number [{default}]: ", "Numéro [{default}] : "),
    "hotseat": ("human, at this screen", "humain, devant cet écran"),
    # a closer look
    "look_what": ("look at what? Name a unit or a place", "regarder quoi ? Nommez une unité ou un lieu"),
    "look_which": ("{name!r} may be {known}", "{name!r} peut être {known}"),
    "look_unknown": ("no unit and no place {name!r} to be seen", "ni unité ni lieu {name!r} en vue"),
    "look_near": (
        "no unit and no place {name!r} to be seen; near it: {known}",
        "ni unité ni lieu {name!r} en vue ; proches : {known}",
    ),
    "look_costs": ("can go to (price)", "peut aller en (prix)"),
    "look_more": ("and {n} more", "et {n} de plus"),
    "look_here": ("here", "ici"),
    "look_level": ("height {n}", "hauteur {n}"),
    "look_losses": ("damage {n} of {of}", "dégâts {n} sur {of}"),
    "look_now": ("Legal now:", "Permis maintenant :"),
    "look_move": ("moves", "mouvement"),
    "look_short": ("shoots, short range", "tir à courte portée"),
    "look_long": ("shoots, long range", "tir à longue portée"),
    # odds
    "odds_measure": ("what", "quoi"),
    "odds_value": ("value", "valeur"),
    "odds_chance": ("chance", "chance"),
    "odds_odds": ("exactly", "exactement"),
    "odds_interval": ("95% interval", "intervalle à 95 %"),
    "odds_impossible": (
        "not possible any more: {action}  {p}  {sure}",
        "n'est plus possible : {action}  {p}  {sure}",
    ),
    "odds_certain": (
        "{action}: nothing that is measured changes by it",
        "{action} : rien de ce qui se mesure n'en change",
    ),
    "odds_sum": ("on the die in all", "sur le dé en tout"),
    "odds_exact": ("exact, {runs} branches of luck", "exact, {runs} branches du sort"),
    "odds_sampled": (
        "from {runs} samples: luck branches too often",
        "sur {runs} essais : trop de branches du sort",
    ),
    # analysis and branches
    "analyse_nothing": ("{file}: nothing was done yet", "{file} : rien n'a encore été fait"),
    "analyse_head": (
        "{n} actions; {playouts} games played on by {bot}, seed {seed}",
        "{n} actions ; {playouts} parties poursuivies par {bot}, graine {seed}",
    ),
    "analyse_chart": (
        "{seat}: chance to win, action by action",
        "{seat} : chance de gagner, action par action",
    ),
    "analyse_seat": ("seat", "camp"),
    "analyse_start": ("at the start", "au début"),
    "analyse_outlook": ("outlook", "perspective"),
    "analyse_end": ("at the end", "à la fin"),
    "analyse_luck": ("luck", "hasard"),
    "analyse_decisions": ("own decisions", "ses décisions"),
    "analyse_turning": ("The {n} turning points", "Les {n} tournants"),
    "analyse_point": (
        "{n}  {seat}: {before} → {after}; luck {luck}, decision {decision}, outlook {outlook}",
        "{n}  {seat} : {before} → {after} ; hasard {luck}, décision {decision}, perspective {outlook}",
    ),
    "analyse_best": ("done: {done}; best found: {best}", "fait : {done} ; le meilleur trouvé : {best}"),
    "analyse_error": (
        "In hundredths, with 95% intervals. Squared error of the estimate: {error}; a guess has 0.250.",
        "En centièmes, intervalles à 95 %. Erreur quadratique de l'estimation : {error} ; au jugé 0,250.",
    ),
    "file_exists": ("{file} exists: name another one", "{file} existe : nommez-en un autre"),
    "branch_known": (
        "{file}: {of}, left after entry {n}; you play {seat}, the secrets are those of the match",
        "{file} : {of}, quittée après l'entrée {n} ; à vous : {seat}, les secrets sont ceux de la partie",
    ),
    "branch_dealt": (
        "{file}: {of}, left after entry {n}; you play {seat}, what they cannot know was dealt anew",
        "{file} : {of}, quittée après l'entrée {n} ; à vous : {seat}, ce qu'il ignore a été redistribué",
    ),
    "branch_go_on": (
        "Go on with: legatus play --resume {file}",
        "Pour continuer : legatus play --lang fr --resume {file}",
    ),
    # audit
    "audit_head": (
        "{file}: each decision of a bot, made again from what its seat could see",
        "{file} : chaque décision d'un robot, reprise avec ce que son camp pouvait voir",
    ),
    "audit_seat": ("seat", "camp"),
    "audit_bot": ("bot", "robot"),
    "audit_decisions": ("decisions", "décisions"),
    "audit_reproduced": ("reproduced", "retrouvées"),
    "audit_honest": ("All were reproduced.", "Toutes sont retrouvées."),
    "audit_broken": (
        "Entry {n} was not reproduced: {seat}, {bot}.",
        "L'entrée {n} n'est pas retrouvée : {seat}, {bot}.",
    ),
    "audit_other": ("recorded: {done}; now: {again}", "enregistré : {done} ; maintenant : {again}"),
    "audit_why": (
        "It rests on something else than its view; or the record was changed, or another version played.",
        "Elle repose sur autre chose que sa vue ; ou l'enregistrement a changé, ou une autre version jouait.",
    ),
    # rules and games
    "house": ("house", "maison"),
    "informative": ("informative", "informatif"),
    "seats": ("seats", "camps"),
    "scenarios": ("scenarios", "scénarios"),
    "options": ("options", "options"),
    "default": ("default", "par défaut"),
    "clauses": (
        "clauses: {sheet} of the sheet, {house} house, {informative} informative",
        "clauses : {sheet} de la fiche, {house} maison, {informative} informatives",
    ),
    # simulations
    "sim_title": (
        "{game}, {scenario}: {games} games, seed {seed}",
        "{game}, {scenario} : {games} parties, graine {seed}",
    ),
    "sim_seat": ("seat", "camp"),
    "sim_bot": ("bot", "robot"),
    "sim_wins": ("wins", "victoires"),
    "sim_share": ("share", "part"),
    "sim_interval": ("95% interval", "intervalle à 95 %"),
    "sim_draws": ("draws", "nulles"),
    "sim_unfinished": ("unfinished", "inachevées"),
    "sim_endings": ("endings", "fins"),
    "sim_length": (
        "length: {mean:.0f} decisions a game ({low} to {high})",
        "longueur : {mean:.0f} décisions par partie ({low} à {high})",
    ),
    "sim_speed": (
        "{decisions} decisions in {seconds} s: {rate:.0f} a second",
        "{decisions} décisions en {seconds} s : {rate:.0f} par seconde",
    ),
    "interrupted": ("interrupted", "interrompu"),
    "interrupted_kept": (
        "interrupted; --resume {file} in place of --out goes on",
        "interrompu ; --resume {file} à la place de --out continue",
    ),
    "no_armies": (
        "--army: the scenarios of {game} bring their own armies",
        "--army : les scénarios de {game} apportent leurs armées",
    ),
    "no_effect": ("--effect: no option {name!r}: {known}", "--effect : aucune option {name!r} : {known}"),
    "no_engine": ("--engine: no engine {name!r}: {known}", "--engine : aucun moteur {name!r} : {known}"),
    "address_alone": (
        "--address: only with --engine ray",
        "--address : seulement avec --engine ray",
    ),
    "out_or_resume": (
        "--out begins a file and --resume goes on with one: give one of them",
        "--out commence un fichier et --resume en continue un : donnez l'un des deux",
    ),
    "out_exists": (
        "--out {file}: the file exists; --resume {file} goes on with it",
        "--out {file} : le fichier existe ; --resume {file} le continue",
    ),
    "resume_missing": (
        "--resume {file}: there is no such file; --out {file} begins it",
        "--resume {file} : ce fichier n'existe pas ; --out {file} le commence",
    ),
    "fuzz_clean": (
        "{games} games, {decisions} decisions, {replays} replayed: nothing broke",
        "{games} parties, {decisions} décisions, {replays} rejouées : rien n'a cassé",
    ),
    "fuzz_broke": ("{n} of {games} games broke:", "{n} partie(s) sur {games} ont cassé :"),
    "dataset_written": (
        "{file}: {games} games, {decisions} decisions, seed {seed}",
        "{file} : {games} parties, {decisions} décisions, graine {seed}",
    ),
    "dataset_go_on": (
        "interrupted after {games} games; the same command goes on",
        "interrompu après {games} parties ; la même commande continue",
    ),
    "playing": ("playing", "en cours"),
    # replay
    "identical": ("{n} entries, identical", "{n} entrées, identiques"),
    "entry": ("entry {n} of {last}", "entrée {n} sur {last}"),
    "setup": ("set-up", "mise en place"),
    "replay_help": (
        "Enter: next, b: back, a number: jump there, look UNIT, q: quit > ",
        "Entrée : suivant, b : retour, un numéro : y aller, regarder UNITÉ, q : quitter > ",
    ),
    "replay_end": ("The record ends here.", "L'enregistrement s'arrête ici."),
    # armies
    "army_total": ("total {cost} of {budget} points", "total {cost} sur {budget} points"),
    "army_good": ("no error", "aucune erreur"),
    "army_bad": ("{n} error(s)", "{n} erreur(s)"),
    "army_army": ("army", "armée"),
    "army_name": ("name", "nom"),
    "army_units": ("units", "unités"),
    "army_generals": ("generals", "généraux"),
    "army_cost": ("points", "points"),
    "no_army": ("no file and no army {name!r}: {known}", "ni fichier ni armée {name!r} : {known}"),
    # fortresses
    "fortress_total": (
        "total {cost} points (all of wood {wood}, all of stone {stone})",
        "total {cost} points (tout en bois {wood}, tout en pierre {stone})",
    ),
    "fortress_fortress": ("fortress", "forteresse"),
    "fortress_name": ("name", "nom"),
    "fortress_size": ("size in DU", "taille en UD"),
    "fortress_pieces": ("pieces", "éléments"),
    "fortress_wood": ("wood", "bois"),
    "fortress_stone": ("stone", "pierre"),
    "fortress_legend": ("{signs}; {size} DU", "{signs} ; {size} UD"),
    "fortress_piece": ("piece", "élément"),
    "fortress_at": ("place", "place"),
    "fortress_turn": ("faces", "face"),
    "fortress_beside": ("beside it", "à côté"),
    "fortress_gap": ("gap between {one} and {other}", "vide entre {one} et {other}"),
    "no_fortress": (
        "no file and no fortress {name!r}: {known}",
        "ni fichier ni forteresse {name!r} : {known}",
    ),
    "error": ("error", "erreur"),
    "warning": ("warning", "avertissement"),
    # faults
    "broken": (
        "a fault in legatus: {problem}; LEGATUS_DEBUG=1 shows where",
        "une faute dans legatus : {problem} ; LEGATUS_DEBUG=1 montre où",
    ),
}

# What typer says of a command line, word for word: the first sentence that fits is told in our language.
THEIRS: dict[str, tuple[str, str]] = {
    "command_near": (
        "No such command {name}. Did you mean {known}?",
        "commande inconnue : {name}. Vouliez-vous dire {known} ?",
    ),
    "command": ("No such command {name}.", "commande inconnue : {name}."),
    "option_near": (
        "No such option: {name} (Possible options: {known})",
        "option inconnue : {name} (options possibles : {known})",
    ),
    "option_mean": (
        "No such option: {name} Did you mean {known}?",
        "option inconnue : {name}. Vouliez-vous dire {known} ?",
    ),
    "option": ("No such option: {name}", "option inconnue : {name}"),
    "argument_missing": ("Missing argument {name}.", "il manque l'argument {name}."),
    "option_missing": ("Missing option {name}.", "il manque l'option {name}."),
    "command_missing": ("Missing command.", "il manque une commande."),
    "value": (
        "Invalid value for {name}: {value} is not a valid {kind}.",
        "{name} : la valeur {value} n'est pas de la sorte attendue ({kind}).",
    ),
    "number": (
        "Invalid value for {name}: Input should be a valid integer, unable to parse string as an integer",
        "{name} : un entier est attendu",
    ),
    "value_other": ("Invalid value for {name}: {problem}", "valeur non valable pour {name} : {problem}"),
    "argument_needed": ("Option {name} requires an argument.", "l'option {name} demande une valeur."),
    "no_value": ("Option {name} does not take a value.", "l'option {name} ne prend pas de valeur."),
    "extra": ("Got unexpected extra argument(s) ({text})", "argument(s) de trop ({text})"),
    "extra_one": ("Got unexpected extra argument ({text})", "argument de trop ({text})"),
    "extra_many": ("Got unexpected extra arguments ({text})", "arguments de trop ({text})"),
}

COLUMN = {"en": 0, "fr": 1}


class Words:
    """The sentences of one language."""

    def __init__(self, lang: str) -> None:
        self.lang = lang

    def __call__(self, key: str, /, **values: Any) -> str:
        return WORDS[key][COLUMN[self.lang]].format(**values)

    def tell(self, said: Message) -> str:
        """A sentence of the kernel."""
        return KERNEL[self.lang].fill(said)

    def theirs(self, text: str) -> str:
        """What typer says; in English if we do not know the sentence."""
        for sentences in THEIRS.values():
            values = values_in(text, sentences[COLUMN["en"]])
            if values is not None:
                return sentences[COLUMN[self.lang]].format(**values)
        return text

    def figure(self, text: str) -> str:
        """A number or a percentage as it is written in this language."""
        return text.replace(".", ",").replace("%", "\u202f%") if self.lang == "fr" else text

    def player(self, name: str) -> str:
        """Who plays a seat: a person, or a bot by its name."""
        return self("human") if name == "human" else name


def words_around() -> Words:
    """The words of the environment's language: before a command line is read, nothing else is known."""
    variables = (os.environ.get(name) for name in ("LEGATUS_LANG", "LC_ALL", "LANG"))
    first = next(filter(None, variables), "")
    return Words("fr" if first.lower().startswith("fr") else "en")
