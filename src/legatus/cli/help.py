"""What ``--help`` says, in both languages.

Commands and options carry keys; ``tell_help`` puts the words there when a command line is about to be read.
``--lang`` has not been read then, so help speaks the language of the environment.
"""

from __future__ import annotations

from typing import Any

import typer
from typer import rich_utils

from .words import COLUMN

# By command: what it does in one sentence, then more about it.
PAGES: dict[str, tuple[str, str]] = {
    "legatus upgrade": (
        """Tell what the rules of this version make of each match of a database, and carry it out.

After a change of rules a match that still leads where it led goes on. Another one goes on from its stored
position, with a line in its log, or is closed and stays readable up to there. With `--check` nothing is
touched, and the exit code is 1 if somebody could not go on with a battle. The server does the same by itself
when a match is opened.""",
        """Dire ce que les règles de cette version font de chaque partie d'une base de données, et le faire.

Après un changement de règles, une partie qui mène toujours où elle menait continue. Une autre reprend à sa
position enregistrée, avec une ligne dans son journal, ou elle est close et reste lisible jusque-là. Avec
`--check`, rien n'est modifié, et le code de sortie est 1 si quelqu'un ne pouvait poursuivre sa bataille. Le
serveur fait de même quand on ouvre une partie.""",
    ),
    "legatus backup": (
        """Copy a database into a file, also while it is being served.

The copy is one moment of the database, whole and checked. For PostgreSQL use its own pg_dump.""",
        """Copier une base de données dans un fichier, même pendant qu'elle sert.

La copie est un instant de la base, entière et vérifiée. Pour PostgreSQL, employez son propre pg_dump.""",
    ),
    "legatus restore": (
        """Bring a backup back; it is checked first, and nothing is overwritten.

Stop the server before. A database that is there already is set aside under another name, and only with
`--replace`. For PostgreSQL use its own pg_restore.""",
        """Rétablir une copie de sauvegarde ; elle est d'abord vérifiée, et rien n'est écrasé.

Arrêtez d'abord le serveur. Une base déjà présente est mise de côté sous un autre nom, et seulement avec
`--replace`. Pour PostgreSQL, employez son propre pg_restore.""",
    ),
    "legatus": (
        "Referee, opponent and battle lab for ancient-warfare tabletop games.",
        "Arbitre, adversaire et laboratoire de batailles pour jeux de guerre antique sur table.",
    ),
    "legatus games": (
        "List what can be played: seats, scenarios, options with their defaults, and how many clauses.",
        "Montrer les jeux : camps, scénarios, options avec leurs valeurs par défaut, nombre de clauses.",
    ),
    "legatus play": (
        """Play against the computer, or with a friend at the same screen.

You see the field, what is asked and the legal actions; answer with a number or an action line.
`help` at the prompt lists the rest: why, odds, rules, undo, log, save, quit.
Every action is saved, so that `--resume` goes on where you stopped.""",
        """Jouer contre l'ordinateur, ou avec un ami devant le même écran.

Vous voyez le champ, la question posée et les actions permises ; répondez par un numéro ou une ligne d'action.
À l'invite, `aide` donne le reste : pourquoi, chances, règles, annuler, journal, enregistrer, quitter.
Chaque action est enregistrée, et `--resume` reprend là où vous vous êtes arrêté.""",
    ),
    "legatus serve": (
        """Serve the page and the API: play in a browser, against the computer, a friend or at one screen.

Battles are kept in a SQLite file, or in the PostgreSQL that `--database` names; processes may share one.
`--host 0.0.0.0` lets others on your network in.""",
        """Servir la page et l'API : jouer dans un navigateur, contre l'ordinateur, un ami ou à un seul écran.

Les batailles sont conservées dans un fichier SQLite, ou dans la base PostgreSQL que nomme `--database` ;
plusieurs processus peuvent partager la même. `--host 0.0.0.0` ouvre la porte à votre réseau.""",
    ),
    "legatus replay": (
        """Step through a record in the terminal; piped, print all of it.

Every state is compared with the fingerprint in the record; `--verify` says only whether they agree.""",
        """Parcourir un enregistrement dans le terminal ; redirigé, l'afficher en entier.

Chaque état est comparé à l'empreinte de l'enregistrement ; `--verify` dit seulement s'ils concordent.""",
    ),
    "legatus rules": (
        """Read a game's rulebook: every clause has an id, which refusals and log lines cite.

Without an id: all clauses, chapter by chapter, with their first sentence.
House clauses are ours and not the sheet's; informative ones need no enforcing.""",
        """Lire les règles d'un jeu : chaque clause a un identifiant, que citent les refus et le journal.

Sans identifiant : toutes les clauses, chapitre par chapitre, avec leur première phrase.
Les clauses maison sont de nous et non de la fiche ; les informatives n'ont rien à faire respecter.""",
    ),
    "legatus army": (
        "Price and check army lists, and list the ready ones (Virtus).",
        "Chiffrer et vérifier des listes d'armée, et afficher les armées prêtes (Virtus).",
    ),
    "legatus army list": (
        "List the ready armies with their cost; their names go to `play --army`.",
        "Afficher les armées prêtes avec leur coût ; leurs noms servent à `play --army`.",
    ),
    "legatus army check": (
        """Price an army list and say what is wrong with it, by line and clause.

Errors must be mended (exit code 1), warnings are only unusual.""",
        """Chiffrer une liste d'armée et dire ce qui n'y va pas, avec la ligne et la clause.

Les erreurs sont à corriger (code de sortie 1), les avertissements signalent seulement l'inhabituel.""",
    ),
    "legatus fortress": (
        "List, check, price and draw designs of fortresses (Onus).",
        "Lister, vérifier, chiffrer et dessiner des plans de forteresses (Onus).",
    ),
    "legatus fortress list": (
        "List the ready designs with their size and their price in wood and in stone.",
        "Afficher les plans prêts avec leurs dimensions et leur prix en bois et en pierre.",
    ),
    "legatus fortress check": (
        """Price a design of a fortress and say what is wrong with it, by line and clause.

A design is a TOML file: its name, its material, and a walk around the perimeter, clockwise, piece by piece:
`walk = ["corner gate", "corner wall", "corner wall", "corner wall"]`.
It must close, have a gate and be of one material; what is wrong gives the exit code 1.""",
        """Chiffrer un plan de forteresse et dire ce qui n'y va pas, avec la ligne et la clause.

Un plan est un fichier TOML : son nom, son matériau et le tour de l'enceinte, élément par élément, dans le
sens des aiguilles d'une montre : `walk = ["corner gate", "corner wall", "corner wall", "corner wall"]`.
Il doit se fermer, avoir une porte et un seul matériau ; ce qui ne va pas donne le code de sortie 1.""",
    ),
    "legatus fortress show": (
        """Draw a design of a fortress and list its pieces, their places and what stands beside them.

The front is above. Places are in DU from the middle, to the right and backwards; the direction of a piece is
that of its outer face, clockwise from the front.""",
        """Dessiner un plan de forteresse et donner ses éléments, leurs places et ce qui les touche.

Le devant est en haut. Les places sont en UD depuis le milieu, vers la droite et vers l'arrière ; la direction
d'un élément est celle de sa face extérieure, dans le sens des aiguilles d'une montre depuis le devant.""",
    ),
    "legatus position": (
        """Print a position as JSON: a game just set up, or any moment of a record.

What it prints is what `legal`, `why`, `apply` and `odds` take.  It holds everything, secrets too.""",
        """Afficher une position en JSON : une partie qui commence, ou tout moment d'un enregistrement.

C'est ce que lisent `legal`, `why`, `apply` et `odds`.  Tout y est, les secrets aussi.""",
    ),
    "legatus legal": (
        "Print every legal action of a position: its number, its line and its JSON form.",
        "Afficher toutes les actions permises d'une position : numéro, ligne et forme JSON.",
    ),
    "legatus why": (
        """Say whether an action is legal and, if not, every reason with the clause it rests on.

The exit code is 0 if it is legal and 1 if it is not.""",
        """Dire si une action est permise et, sinon, toutes les raisons avec la clause qui les fonde.

Le code de sortie est 0 si elle est permise et 1 sinon.""",
    ),
    "legatus apply": (
        """Carry an action out and print the position that follows; what happened goes to the error output.

Without `--dice` and `--seed` no luck is there: if the action needs some, you are told which dice to roll.""",
        """Exécuter une action et afficher la position qui suit ; le récit va sur la sortie d'erreur.

Sans `--dice` ni `--seed`, pas de hasard : si l'action en demande, on vous dit quels dés lancer.""",
    ),
    "legatus odds": (
        """Give the exact odds of an action: tokens, losses, retreats, eliminations, as the game measures.

They come from the same code that plays the action, by following every way that luck can fall; where there
are too many, throws are made and the table has intervals. `then` puts one action after another: who is asked
something in between answers as greedy would, and you see how often the next is not possible any more.""",
        """Donner les chances exactes d'une action : jetons, pertes, retraites, éliminations, selon le jeu.

Elles viennent du code même qui joue l'action, en suivant tout ce que le sort peut donner ; s'il y en a trop,
on lance les dés et le tableau a des intervalles. `puis` met une action après une autre : qui doit répondre
entre-temps répond comme greedy, et l'on apprend combien de fois la suivante n'est plus possible.""",
    ),
    "legatus analyse": (
        """Tell how probably each side was to win after every action, and what luck and decisions did.

Games played on from moments of the record show what the game's evaluation is worth; every action is then held
against the best one found, and its dice against what was to be expected. Same seed, same analysis.""",
        """Dire les chances de gagner après chaque action, et ce qu'y ont fait le hasard et les décisions.

Des parties poursuivies depuis des moments de l'enregistrement montrent ce que vaut l'évaluation du jeu ;
chaque action est ensuite comparée à la meilleure trouvée, et ses dés à ce qu'on pouvait attendre.
Même graine, même analyse.""",
    ),
    "legatus branch": (
        """What if? Leave a match at some moment and go on against the computer, in a record of its own.

Of a match that is over all is known. Of one that is not, what the seat cannot know is dealt anew.""",
        """Et si ? Quitter une partie à un moment donné et continuer contre l'ordinateur, à part.

D'une partie terminée, tout est connu. Sinon, ce que le camp ne peut pas savoir est redistribué.""",
    ),
    "legatus audit": (
        """Are the bots honest? Make each of their decisions again from what their seat could see.

The record must say who played what, and the seed: those of `play` do, and those of a server when the battle
is over. Where a decision comes out otherwise, the exit code is 1.""",
        """Les robots sont-ils honnêtes ? Reprendre leurs décisions avec ce que leur camp pouvait voir.

L'enregistrement doit dire qui jouait quoi, et la graine : ceux de `play` le disent, et ceux d'un serveur
quand la bataille est finie. Si une décision diffère, le code de sortie est 1.""",
    ),
    "legatus verify": (
        """Did the dice fall as they had to? Recompute every die and card of a record, and compare.

A match begins with the hash of its seed; each player contributes something that nobody can foresee; the dice
follow from both. When the match is over its record shows the seed. The record is replayed as well, as
`replay --verify` does. The exit code is 0 if everything was recomputed and is the same, from the set-up to
the end of the match.""",
        """Les dés sont-ils tombés comme il fallait ? Recalculer chaque dé et chaque carte, et comparer.

Une partie commence par l'empreinte de sa graine ; chaque joueur apporte une contribution imprévisible ; les
dés découlent des deux. La partie finie, l'enregistrement montre la graine. Il est aussi rejoué, comme par
`replay --verify`. Le code de sortie est 0 si tout a été recalculé à l'identique, de la mise en place à la fin
de la partie.""",
    ),
    "legatus simulate": (
        """Let bots play many games: who wins, with a 95% interval, how long it takes and how fast it goes.

The same seed gives the same games, however many processes play them, here or on a Ray cluster.
`--out` keeps every finished game; after an interruption the same command with `--resume`
in its place goes on.""",
        """Faire jouer des robots : qui gagne, avec un intervalle à 95 %, durée des parties et vitesse.

La même graine donne les mêmes parties, quel que soit le nombre de processus, ici ou sur une grappe Ray.
`--out` garde chaque partie finie ; après une interruption, la même commande continue avec `--resume`
à sa place.""",
    ),
    "legatus balance": (
        """Is it fair? Every army against every army on every field, with 95% intervals.

Also how long games are and how they end, what an option changes (`--effect`), and what would make an unequal
battle even (`--handicap`). `--html` writes a report with plots into one file.
Games with ready armies play their usual scenario with all armies that fit it, the others all scenarios.""",
        """Est-ce équitable ? Chaque armée contre chaque armée sur chaque terrain, avec intervalles à 95 %.

Aussi : durée et fins des parties, effet d'une option (`--effect`), et ce qui rendrait égale une bataille
inégale (`--handicap`). `--html` écrit un rapport avec graphiques dans un seul fichier.
Les jeux à armées prêtes jouent leur scénario habituel avec toutes les armées qui y conviennent, les autres
tous leurs scénarios.""",
    ),
    "legatus fuzz": (
        """Play random games over all scenarios and options and check every invariant after every action.

A game that breaks leaves its record behind, and the exit code is 1.""",
        """Jouer au hasard tous les scénarios et options, et vérifier chaque invariant après chaque action.

Une partie qui casse laisse son enregistrement, et le code de sortie est 1.""",
    ),
    "legatus dataset": (
        """Let bots play, and write every decision into a Parquet file: what was seen, legal and chosen.

The games are those of `simulate` with the same seed. The file appears when it is whole; after an
interruption the same command goes on. Needs the extra: pip install 'legatus[dataset]'.""",
        """Faire jouer des robots et écrire chaque décision en Parquet : ce qui est vu, permis et choisi.

Les parties sont celles de `simulate` avec la même graine. Le fichier paraît quand il est entier ; après une
interruption, la même commande continue. Demande un supplément : pip install 'legatus[dataset]'.""",
    ),
}

EXAMPLES: dict[str, tuple[str, ...]] = {
    "legatus upgrade": ("legatus.sqlite3 --check", "legatus.sqlite3"),
    "legatus backup": ("legatus.sqlite3 monday.sqlite3",),
    "legatus restore": ("monday.sqlite3 legatus.sqlite3 --replace",),
    "legatus games": ("", "--lang fr", "--json"),
    "legatus play": (
        "",
        "virtus --scenario bridge --seat rome=greedy --seat barbarians=human",
        "virtus --army early-imperial-romans-200 --army dacians-200 --seed 7",
        "virtus --seat barbarians=human --dice typed --lang fr",
        "metaurus --scenario vanguard --seat carthage=hard --jobs 2",
        "--resume virtus-20260101-120000.legatus.jsonl",
    ),
    "legatus serve": (
        "",
        "--host 0.0.0.0 --port 8080",
        "--database postgresql://legatus@localhost/legatus --no-browser --log info",
    ),
    "legatus replay": (
        "battle.legatus.jsonl",
        "battle.legatus.jsonl --at 42 --seat rome",
        "battle.legatus.jsonl --verify",
    ),
    "legatus rules": ("virtus", "virtus V5.2b --lang fr", "virtus --search outflank", "virtus --json"),
    "legatus army list": ("", "--json"),
    "legatus army check": ("my-army.toml", "dacians-200 --budget 180 --json"),
    "legatus fortress list": ("", "--json"),
    "legatus fortress check": ("my-fort.toml", "standard --json"),
    "legatus fortress show": ("standard", "my-fort.toml --svg > my-fort.svg", "small --json --lang fr"),
    "legatus position": (
        "virtus --seed 1 > start.json",
        "virtus --at battle.legatus.jsonl:42 > moment.json",
        "virtus --seed 1 | legatus legal -",
    ),
    "legatus legal": ("start.json", "start.json --json"),
    "legatus why": (
        "moment.json charge vet-legion-2 horde-1",
        """moment.json '{"do":"charge","unit":"vet-legion-2"}' --json""",
    ),
    "legatus apply": (
        "moment.json fight vet-legion-2 --dice 5,4,2 > next.json",
        "moment.json fight vet-legion-2 --seed 7 --json",
        "moment.json fight vet-legion-2 --dice typed > next.json",
    ),
    "legatus odds": (
        "moment.json fight vet-legion-2",
        "moment.json fight vet-legion-2 --json",
        "moment.json fight vet-legion-2 then fight legion-1",
    ),
    "legatus analyse": (
        "battle.legatus.jsonl",
        "battle.legatus.jsonl --jobs 4 --playouts 200 --lang fr",
        "battle.legatus.jsonl --json --out battle.analysis.json",
    ),
    "legatus branch": ("battle.legatus.jsonl --at 42 --seat rome --out what-if.legatus.jsonl",),
    "legatus audit": ("battle.legatus.jsonl", "battle.legatus.jsonl --seat rome --jobs 2 --json"),
    "legatus verify": ("battle.legatus.jsonl", "battle.legatus.jsonl --json"),
    "legatus simulate": (
        "virtus --bots greedy,random --games 500",
        "virtus --scenario open --bots g,g -n 1000 -j 4 --seed 7 --json",
        "virtus -n 10000 --engine ray --address auto --out run.jsonl",
    ),
    "legatus balance": (
        "virtus --scenario plain-small --army gauls --army dacians --jobs 2",
        "virtus --effect pips --handicap --html balance.html -n 50",
        "metaurus --effect all --bots greedy,greedy",
    ),
    "legatus fuzz": ("virtus --games 5000 --jobs 2", "virtus --games 100 --seed 7 --json"),
    "legatus dataset": (
        "virtus --games 1000 --out virtus.parquet --jobs 2",
        "metaurus --scenario vanguard --bots greedy,greedy -n 200 --seed 7 --out vanguard.parquet",
    ),
}

# Options, arguments and headings.
HELP: dict[str, tuple[str, str]] = {
    "examples": ("Examples:", "Exemples :"),
    "epilog": (
        "Begin with `legatus serve` in a browser, or `legatus play` here.",
        "Pour commencer : `legatus serve` dans un navigateur, ou `legatus play` ici.",
    ),
    "panel_play": ("Play", "Jouer"),
    "panel_study": ("Study", "Étudier"),
    "panel_lab": ("Lab", "Laboratoire"),
    "panel_keep": ("For who runs a server", "Pour qui tient un serveur"),
    "help": ("Show this message and exit.", "Montrer cette aide."),
    "version": ("Print the version.", "Afficher la version."),
    "lang": (
        "Language; else LEGATUS_LANG, else the system's. Help follows only these two.",
        "Langue ; sinon LEGATUS_LANG, sinon celle du système. L'aide ne suit que ces deux-là.",
    ),
    "json": ("Print JSON, for programs.", "Afficher du JSON, pour les programmes."),
    "seed": ("Same seed, same dice; else one is drawn.", "Même graine, mêmes dés ; sinon tirée au sort."),
    "scenario": (
        "A scenario's name or a TOML file; see `legatus games`.",
        "Le nom d'un scénario ou un fichier TOML ; voir `legatus games`.",
    ),
    "army": (
        "An army's name or a TOML file; once a side, in seat order.",
        "Le nom d'une armée ou un fichier TOML ; une par camp, dans l'ordre des camps.",
    ),
    "option": (
        "An option of the game; see `legatus games`.",
        "Une option du jeu ; voir `legatus games`.",
    ),
    "game": ("The game's key, e.g. virtus.", "La clé du jeu, par exemple virtus."),
    "game_or_choice": ("Else you are offered a choice.", "Sinon vous choisissez."),
    "position": (
        "A position file, or - for the standard input.",
        "Un fichier de position, ou - pour l'entrée standard.",
    ),
    "sequence": (
        "A line as `legal` prints it, or its JSON form; `then` and another one may follow.",
        "Une ligne comme `legal` les affiche, ou sa forme JSON ; `puis` et une autre peuvent suivre.",
    ),
    "action": (
        "A line as `legal` prints it, or its JSON form.",
        "Une ligne comme `legal` les affiche, ou sa forme JSON.",
    ),
    "players": (
        "Who plays a seat: human, or a bot: random, easy, greedy, normal, hard.",
        "Qui joue un camp : human, ou un robot : random, easy, greedy, normal, hard.",
    ),
    "dice_at_table": (
        "typed: you roll, and type what fell.",
        "typed : vous lancez les dés et tapez le résultat.",
    ),
    "contribution": (
        "What a player adds to the dice; else at random, or nothing with --seed.",
        "Ce qu'un joueur ajoute aux dés ; sinon au hasard, ou rien avec --seed.",
    ),
    "commitment": (
        "The commitment that you noted when the match began; several if its seed was replaced.",
        "L'engagement que vous avez noté au début de la partie ; plusieurs si la graine fut remplacée.",
    ),
    "contributed": (
        "What you contributed, for SEAT: all dice after it, from ROW on, must follow from it.",
        "Votre contribution, pour CAMP : tous les dés qui suivent, dès LIGNE, doivent en découler.",
    ),
    "save": (
        "Where the record goes; else a new file in this folder.",
        "Où va l'enregistrement ; sinon un nouveau fichier dans ce dossier.",
    ),
    "resume": ("Go on with the game of this record.", "Continuer la partie de cet enregistrement."),
    "record": ("A record (*.legatus.jsonl).", "Un enregistrement (*.legatus.jsonl)."),
    "entry": ("Show entry N; 0 is the set-up.", "Montrer l'entrée N ; 0 est la mise en place."),
    "playouts": (
        "Games played on from moments of the record.",
        "Parties poursuivies depuis des moments de l'enregistrement.",
    ),
    "samples": (
        "Worlds and throws in which an action is tried.",
        "Mondes et lancers dans lesquels une action est essayée.",
    ),
    "playout_bot": ("Who plays those games on.", "Qui poursuit ces parties."),
    "analysis_out": (
        "Also write the analysis here, as JSON.",
        "Écrire aussi l'analyse ici, en JSON.",
    ),
    "branch_at": ("After entry N; 0 is the set-up.", "Après l'entrée N ; 0 est la mise en place."),
    "branch_seat": ("The seat that you play.", "Le camp que vous jouez."),
    "branch_out": ("The record to write.", "L'enregistrement à écrire."),
    "branch_bot": ("Who plays the other seats.", "Qui joue les autres camps."),
    "redeal": (
        "Deal secrets anew, even if the match is over.",
        "Redistribuer les secrets, même si la partie est terminée.",
    ),
    "audit_seat": ("Only the bot of this seat.", "Seulement le robot de ce camp."),
    "verify": (
        "Only check that it replays to identical states.",
        "Vérifier seulement que l'on retrouve les mêmes états.",
    ),
    "eyes": (
        "Look through the eyes of this seat; else everything is open.",
        "Voir par les yeux de ce camp ; sinon tout est ouvert.",
    ),
    "dice": (
        "Where luck comes from; results in order.",
        "D'où vient le sort ; les résultats dans l'ordre.",
    ),
    "moment": (
        "The position after entry N of a record.",
        "La position après l'entrée N d'une partie.",
    ),
    "clause": ("A clause, e.g. V5.2b.", "Une clause, par exemple V5.2b."),
    "search": ("Clauses that contain a word.", "Les clauses qui contiennent un mot."),
    "games": ("How many games.", "Combien de parties."),
    "jobs": (
        "How many games at a time; the results are the same.",
        "Combien de parties à la fois ; les résultats sont les mêmes.",
    ),
    "thinkers": (
        "How many processes a searching bot thinks on; it chooses the same.",
        "Sur combien de processus réfléchit un robot qui cherche ; il choisit de même.",
    ),
    "fields": (
        "A scenario's name or a TOML file, as often as you like.",
        "Le nom d'un scénario ou un fichier TOML, autant de fois que voulu.",
    ),
    "hosts": (
        "An army's name or a TOML file, as often as you like.",
        "Le nom d'une armée ou un fichier TOML, autant de fois que voulu.",
    ),
    "games_each": ("Games for each battle.", "Parties pour chaque bataille."),
    "effect": (
        "An option whose effect is wanted, as often as you like; all: every one.",
        "Une option dont on veut l'effet, autant de fois que voulu ; all : toutes.",
    ),
    "handicap": (
        "Look for what would make unequal battles even.",
        "Chercher ce qui rendrait égales les batailles inégales.",
    ),
    "html": (
        "Write the report with plots into this file.",
        "Écrire le rapport avec graphiques dans ce fichier.",
    ),
    "engine": (
        "Where games are played: on processes here, or on a Ray cluster.",
        "Où jouer les parties : sur des processus ici, ou sur une grappe Ray.",
    ),
    "address": (
        "The cluster; else RAY_ADDRESS, else one is started here.",
        "La grappe ; sinon RAY_ADDRESS, sinon une grappe est lancée ici.",
    ),
    "keep": (
        "Keep every finished game in this new file.",
        "Garder chaque partie finie dans ce nouveau fichier.",
    ),
    "go_on": (
        "Go on with the games of such a file.",
        "Continuer les parties d'un tel fichier.",
    ),
    "bots": (
        "Bots in seat order, with commas: greedy,random.",
        "Les robots dans l'ordre des camps, avec des virgules : greedy,random.",
    ),
    "swap": (
        "Let the bots change seats from game to game.",
        "Faire changer les robots de camp d'une partie à l'autre.",
    ),
    "scenarios": ("Only these scenarios; else all of them.", "Seulement ces scénarios ; sinon tous."),
    "out": (
        "The Parquet file to write; it must not exist yet.",
        "Le fichier Parquet à écrire ; il ne doit pas exister.",
    ),
    "folder": ("Where records of broken games go.", "Où vont les enregistrements des parties qui cassent."),
    "host": ("The address to listen at.", "L'adresse sur laquelle écouter."),
    "port": (
        "The port; else the first free one from 8000 on, and 0 is any.",
        "Le port ; sinon le premier libre à partir de 8000, et 0 en prend un au choix.",
    ),
    "database": (
        "A SQLite file, or a URL: postgresql://user:password@host/name.",
        "Un fichier SQLite, ou une URL : postgresql://utilisateur:motdepasse@hote/nom.",
    ),
    "workers": (
        "Processes in which bots think.",
        "Processus dans lesquels réfléchissent les robots.",
    ),
    "patience": (
        "Longer or shorter limits of work for clients: times this.",
        "Limites du travail pour les clients, plus longues ou plus courtes : fois ce nombre.",
    ),
    "memory": (
        "Megabytes that a worker process may use; 0: no limit.",
        "Mégaoctets dont un processus de travail peut disposer ; 0 : sans limite.",
    ),
    "requests": (
        "Requests a minute from one address; 0: no limit.",
        "Requêtes par minute d'une même adresse ; 0 : sans limite.",
    ),
    "openings": (
        "Matches an hour from one address; 0: no limit.",
        "Parties par heure d'une même adresse ; 0 : sans limite.",
    ),
    "sockets": (
        "Battles watched at a time from one address; 0: no limit.",
        "Batailles suivies en même temps d'une même adresse ; 0 : sans limite.",
    ),
    "connections": (
        "Connections at a time from one address, unless it is a proxy's; 0: no limit.",
        "Connexions simultanées d'une même adresse, sauf celle d'un mandataire ; 0 : sans limite.",
    ),
    "browser": (
        "Open a browser, where there is one.",
        "Ouvrir un navigateur, s'il y en a un.",
    ),
    "log": (
        "How much goes to the log: debug, info, warning, error.",
        "Ce qui va au journal : debug, info, warning, error.",
    ),
    "database_here": (
        "A SQLite file, or a URL such as postgresql://user@host/legatus.",
        "Un fichier SQLite, ou une URL comme postgresql://user@host/legatus.",
    ),
    "upgrade_check": (
        "Only tell; nothing is touched.",
        "Le dire seulement ; rien n'est modifié.",
    ),
    "backup_file": ("The backup.", "La copie de sauvegarde."),
    "replace": (
        "Set the present database aside and put the backup in its place.",
        "Mettre de côté la base actuelle et la remplacer par la copie.",
    ),
    "army_file": (
        "An army list (TOML), or a ready army's name.",
        "Une liste d'armée (TOML), ou le nom d'une armée prête.",
    ),
    "fortress_file": (
        "A design (TOML), or a ready design's name.",
        "Un plan (TOML), ou le nom d'un plan prêt.",
    ),
    "svg": ("Print the drawing as SVG.", "Afficher le dessin en SVG."),
    "budget": (
        "The points to spend; else what the list names.",
        "Les points à dépenser ; sinon ce que dit la liste.",
    ),
}

METAVARS: dict[str, tuple[str, str]] = {
    "GAME": ("GAME", "JEU"),
    "FILE": ("FILE", "FICHIER"),
    "RECORD": ("RECORD", "PARTIE"),
    "WORD": ("WORD", "MOT"),
    "ADDRESS": ("ADDRESS", "ADRESSE"),
    "FILE|URL": ("FILE|URL", "FICHIER|URL"),
    "LEVEL": ("LEVEL", "NIVEAU"),
    "DATABASE": ("DATABASE", "BASE"),
    "KEY": ("KEY", "CLÉ"),
    "KEY=VALUE": ("KEY=VALUE", "CLÉ=VALEUR"),
    "SEAT=PLAYER": ("SEAT=PLAYER", "CAMP=JOUEUR"),
    "RECORD:N": ("RECORD:N", "FICHIER:N"),
    "COMMAND [ARGS]...": ("COMMAND [ARGS]...", "COMMANDE [ARGUMENTS]..."),
}

# Typer's own words, by the names of its constants.
HEADINGS: dict[str, tuple[str, str]] = {
    "ARGUMENTS_PANEL_TITLE": ("Arguments", "Arguments"),
    "OPTIONS_PANEL_TITLE": ("Options", "Options"),
    "COMMANDS_PANEL_TITLE": ("Commands", "Commandes"),
    "DEFAULT_STRING": ("[default: {}]", "[par défaut : {}]"),
    "REQUIRED_LONG_STRING": ("[required]", "[obligatoire]"),
}


def tell_help(command: Any, lang: str) -> None:
    """Put the words of a language where the keys are, in a command and in all below it."""
    for name, texts in HEADINGS.items():
        setattr(rich_utils, name, texts[COLUMN[lang]])
    _tell(command, "legatus", COLUMN[lang])


def _tell(command: Any, path: str, column: int) -> None:
    command.help = _page(path, column)
    if command.epilog:
        command.epilog = HELP[command.epilog][column]
    if getattr(command, "rich_help_panel", None):
        command.rich_help_panel = HELP[command.rich_help_panel][column]
    for param in command.params:
        param.help = HELP[param.help][column]
        if param.metavar in METAVARS:
            param.metavar = METAVARS[param.metavar][column]
    asking = command.get_help_option(typer.Context(command))
    if asking is not None:
        asking.help = HELP["help"][column]
    if hasattr(command, "commands"):
        command.subcommand_metavar = METAVARS["COMMAND [ARGS]..."][column]
        for name, below in command.commands.items():
            _tell(below, f"{path} {name}", column)


def _page(path: str, column: int) -> str:
    """What a command does, with examples."""
    page = PAGES[path][column]
    if path in EXAMPLES:
        lines = [f"- `{f'{path} {example}'.strip()}`" for example in EXAMPLES[path]]
        page += "\n\n" + "\n".join([HELP["examples"][column], "", *lines])
    return page
