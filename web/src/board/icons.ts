// The silhouettes of counters, by `piece.icon` (ICONS in src/legatus/scene/model.py). Another game adds lines.
import type { Component } from 'svelte';
import type { SVGAttributes } from 'svelte/elements';
import Archers from '~icons/game-icons/bowman';
import Artillery from '~icons/game-icons/ballista';
import Bow from '~icons/game-icons/high-shot';
import Camels from '~icons/game-icons/camel';
import Cavalry from '~icons/game-icons/cavalry';
import Chariot from '~icons/game-icons/chariot';
import Chit from '~icons/game-icons/vertical-banner';
import Decoy from '~icons/game-icons/tree-branch';
import Dragon from '~icons/game-icons/dragon-head';
import Elephant from '~icons/game-icons/elephant';
import Fanatics from '~icons/game-icons/enrage';
import General from '~icons/game-icons/caesar';
import Goblin from '~icons/game-icons/goblin-head';
import Heavy from '~icons/game-icons/roman-shield';
import Helmet from '~icons/game-icons/crested-helmet';
import Horse from '~icons/game-icons/horse-head';
import Infantry from '~icons/game-icons/spartan';
import Javelin from '~icons/game-icons/barbed-spear';
import Lancer from '~icons/game-icons/mounted-knight';
import Marker from '~icons/game-icons/hidden';
import Orc from '~icons/game-icons/orc-head';
import Pikes from '~icons/game-icons/spears';
import RoundShield from '~icons/game-icons/round-shield';
import Sling from '~icons/game-icons/sling';
import Troll from '~icons/game-icons/troll';
import Warriors from '~icons/game-icons/swordman';
import Wolf from '~icons/game-icons/wolf-head';

export type Icon = Component<SVGAttributes<SVGSVGElement>>;
/** A silhouette, and a small one beside it where the first does not say enough. */
export interface Look { main: Icon; aside?: Icon }

const LOOKS: Record<string, Look> = {
  'heavy-infantry': { main: Heavy },
  infantry: { main: Infantry },
  'light-infantry': { main: RoundShield },
  warriors: { main: Warriors },
  fanatics: { main: Fanatics },
  pikemen: { main: Pikes },
  archers: { main: Archers },
  slingers: { main: Sling },
  javelins: { main: Javelin },
  cavalry: { main: Cavalry },
  'heavy-cavalry': { main: Lancer },
  'light-cavalry': { main: Horse },
  'horse-archers': { main: Horse, aside: Bow },
  cataphracts: { main: Lancer, aside: RoundShield },
  camels: { main: Camels },
  chariot: { main: Chariot },
  elephant: { main: Elephant },
  artillery: { main: Artillery },
  orc: { main: Orc },
  goblin: { main: Goblin },
  wolf: { main: Wolf },
  troll: { main: Troll },
  dragon: { main: Dragon },
  general: { main: General },
  chit: { main: Chit },
  marker: { main: Marker },
  decoy: { main: Decoy },
};
const NONE: Look = { main: Helmet };

/** What is drawn in the middle of a counter; a helmet if the table has no line for it. */
export function look(icon: string, kind = ''): Look {
  return LOOKS[icon] ?? LOOKS[kind] ?? NONE;
}
