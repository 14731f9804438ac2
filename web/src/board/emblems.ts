// What is drawn on a marker of a hand, by its id. Another game adds lines.
import Agentes from '~icons/game-icons/hooded-figure';
import Credo from '~icons/game-icons/prayer';
import Dux from '~icons/game-icons/centurion-helmet';
import Federate from '~icons/game-icons/shaking-hands';
import Imperium from '~icons/game-icons/laurel-crown';
import Military from '~icons/game-icons/crossed-swords';
import Plain from '~icons/game-icons/scroll-unfurled';
import type { Icon } from './icons';

const EMBLEMS: Record<string, Icon> = {
  agentes: Agentes, credo: Credo, dux: Dux, federate: Federate, imperium: Imperium, military: Military,
};

export function emblem(id: string): Icon {
  return EMBLEMS[id] ?? Plain;
}
