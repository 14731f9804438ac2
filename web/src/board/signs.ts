// Marks, tokens and lines come as words in the player's language. This table gives some of them a drawing, always in the
// same place; a word that is not here is still read out and shown in full by the card about the piece.
import Arrow from '~icons/game-icons/broken-arrow';
import Boot from '~icons/game-icons/boot-prints';
import Charge from '~icons/game-icons/shield-bash';
import Clash from '~icons/game-icons/shield-impact';
import Cycle from '~icons/game-icons/cycle';
import Dagger from '~icons/game-icons/sacrificial-dagger';
import Eagle from '~icons/game-icons/eagle-emblem';
import Skull from '~icons/game-icons/death-skull';
import Drop from '~icons/game-icons/water-drop';
import Flag from '~icons/game-icons/flying-flag';
import Flame from '~icons/game-icons/flame';
import Fork from '~icons/game-icons/pitchfork';
import Hedgehog from '~icons/game-icons/hedgehog';
import Hidden from '~icons/game-icons/sight-disabled';
import Hood from '~icons/game-icons/hood';
import Ladder from '~icons/game-icons/ladder';
import Laurels from '~icons/game-icons/laurels';
import Lion from '~icons/game-icons/lion';
import Pikes from '~icons/game-icons/spears';
import Quiver from '~icons/game-icons/quiver';
import Ram from '~icons/game-icons/ram-profile';
import Rank from '~icons/game-icons/rank-3';
import Ring from '~icons/game-icons/surrounded-shield';
import Scroll from '~icons/game-icons/scroll-unfurled';
import Star from '~icons/game-icons/round-star';
import Stone from '~icons/game-icons/stone-block';
import Fear from '~icons/game-icons/terror';
import Sun from '~icons/game-icons/sun';
import Swords from '~icons/game-icons/crossed-swords';
import Turtle from '~icons/game-icons/turtle';
import Wall from '~icons/game-icons/checked-shield';
import Wing from '~icons/game-icons/feathered-wing';
import Withdrawn from '~icons/game-icons/return-arrow';
import type { Icon } from './icons';

/** Where a mark is drawn on a counter. */
export type Slot = 'formation' | 'state' | 'leader' | 'trait';
export interface Sign { slot: Slot; icon: Icon; words: string[] }

export const SIGNS: Record<string, Sign> = {
  testudo: { slot: 'formation', icon: Turtle, words: ['testudo', 'tortue'] },
  shieldwall: { slot: 'formation', icon: Wall, words: ['shieldwall'] },
  orbis: { slot: 'formation', icon: Ring, words: ['orbis'] },
  charging: { slot: 'state', icon: Charge, words: ['will charge', 'va charger'] },
  fought: { slot: 'state', icon: Swords, words: ['has fought', 'a combattu'] },
  moved: { slot: 'state', icon: Boot, words: ['has moved', 'a bougé'] },
  retreated: { slot: 'state', icon: Withdrawn, words: ['has retreated', 'a fait retraite'] },
  facedown: { slot: 'state', icon: Hidden, words: ['face down', 'face cachée'] },
  general: { slot: 'leader', icon: Laurels, words: ['led by a general', 'menée par un général'] },
  impetuous: { slot: 'trait', icon: Flame, words: ['impetuous', 'impétueuse'] },
  fanatic: { slot: 'trait', icon: Skull, words: ['fanatic', 'fanatique'] },
  stoic: { slot: 'trait', icon: Stone, words: ['stoic', 'stoïque'] },
  elite: { slot: 'trait', icon: Star, words: ['elite', 'élite'] },
  rabble: { slot: 'trait', icon: Fork, words: ['rabble', 'piétaille'] },
  pikes: { slot: 'trait', icon: Pikes, words: ['pikes', 'piques'] },
  chief: { slot: 'trait', icon: Eagle, words: ['commander-in-chief', 'général en chef'] },
  superior: { slot: 'trait', icon: Rank, words: ['superior', 'supérieur'] },
  charismatic: { slot: 'trait', icon: Sun, words: ['charismatic', 'charismatique'] },
  hero: { slot: 'trait', icon: Lion, words: ['hero', 'héros'] },
  devotio: { slot: 'trait', icon: Dagger, words: ['devotio'] },
};

/** The states of a piece on a map, by their keys: on which edge of a counter, in which colour, and how often. */
export interface StateSign { edge: 'left' | 'right' | 'mode'; icon: Icon; tone?: 'red' | 'blue' | 'yellow'; twice?: boolean }
export const STATES: Record<string, StateSign> = {
  winded: { edge: 'left', icon: Drop, tone: 'blue' },
  exhausted: { edge: 'left', icon: Drop, tone: 'blue', twice: true },
  diminished: { edge: 'left', icon: Quiver },
  spent: { edge: 'left', icon: Arrow, tone: 'red' },
  rout: { edge: 'right', icon: Flag },
  shaken: { edge: 'right', icon: Fear, tone: 'yellow' },
  engaged: { edge: 'right', icon: Swords, tone: 'red' },
  contact: { edge: 'right', icon: Clash },
  charge: { edge: 'right', icon: Charge },
  order: { edge: 'right', icon: Scroll },
  flying: { edge: 'left', icon: Wing },
  infiltrating: { edge: 'left', icon: Hood },
  march: { edge: 'mode', icon: Boot },
  tortoise: { edge: 'mode', icon: Turtle },
  'rank-rotation': { edge: 'mode', icon: Cycle },
  hedgehog: { edge: 'mode', icon: Hedgehog },
  'shield-wall': { edge: 'mode', icon: Wall },
};
export function stateSigns(states: string[], edge: StateSign['edge']): StateSign[] {
  return Object.entries(STATES).filter(([key, sign]) => sign.edge === edge && states.includes(key)).map(([, sign]) => sign);
}

/** The states of a card on an open table, the gravest first; a formation lies on it as a badge. */
export const CARD_STATES: Record<string, { icon: Icon; tone?: 'red' | 'blue' | 'yellow' | 'green' }> = {
  fleeing: { icon: Flag },
  broken: { icon: Fear, tone: 'yellow' },
  engaged: { icon: Swords, tone: 'red' },
  climbing: { icon: Ladder, tone: 'red' },
  climbed: { icon: Ladder, tone: 'green' },
  ram: { icon: Ram, tone: 'blue' },
  charge: { icon: Charge },
  shot: { icon: Quiver },
  moved: { icon: Boot },
  activated: { icon: Scroll, tone: 'green' },
};
/** An order that was carried out says no more than what was done. */
export function cardStates(states: string[]): [string, (typeof CARD_STATES)[string]][] {
  const had = Object.entries(CARD_STATES).filter(([key]) => states.includes(key));
  return had.some(([key]) => ['moved', 'shot', 'charge'].includes(key)) ? had.filter(([key]) => key !== 'activated' && (key !== 'moved' || !states.includes('charge'))) : had;
}

/** Parts of an army by colour; one that is called otherwise takes the next of FREE, and keeps it. */
const GROUPS: Record<string, string> = {
  white: '--token-white', yellow: '--token-yellow', green: '--group-green', orange: '--group-orange',
  purple: '--group-purple', red: '--group-red', black: '--group-black',
};
const FREE = [
  '--token-white', '--token-yellow', '--group-green', '--group-orange', '--group-purple', '--group-cyan', '--group-rose', '--group-black',
];
const taken: string[] = [];
export function groupColour(group: string): string {
  if (!(group in GROUPS) && !taken.includes(group)) taken.push(group);
  return `var(${GROUPS[group] ?? FREE[taken.indexOf(group) % FREE.length]})`;
}

/** A figure that lies on a piece, such as ×3, +1 or Σ12: no order. */
export const isFigure = (badge: string): boolean => /^[×+Σ−]/.test(badge);
/** What a stack counts in all: its foremost piece tells it. */
export const isSum = (badge: string): boolean => badge.startsWith('Σ');

/** A token is a colour and a shape, so that colour alone never tells. */
export interface Chip { colour: string; shape: string; words: string[] }
const DISC = 'M0-6A6 6 0 1 1 0 6A6 6 0 1 1 0-6Z';
const DIAMOND = 'M0-7.4L7.4 0L0 7.4L-7.4 0Z';
const SQUARE = 'M-5.6-5.6H5.6V5.6H-5.6Z';
const TRIANGLE = 'M0-7.4L7 5.4H-7Z';
const HEXAGON = 'M-3.6-6.2H3.6L7 0L3.6 6.2H-3.6L-7 0Z';
const DROP = 'M0 7L-7-5.4H7Z';
export const CHIPS: Record<string, Chip> = {
  white: { colour: 'white', shape: DISC, words: ['white', 'blanc'] },
  red: { colour: 'red', shape: DIAMOND, words: ['red', 'rouge'] },
  blue: { colour: 'blue', shape: SQUARE, words: ['blue', 'bleu'] },
  green: { colour: 'green', shape: TRIANGLE, words: ['green', 'vert'] },
  sling: { colour: 'green', shape: DROP, words: ['sling', 'fronde'] },
  'bolt-near': { colour: 'green', shape: HEXAGON, words: ['near bolt', 'carreau proche'] },
  bolt: { colour: 'green', shape: DIAMOND, words: ['far bolt', 'carreau lointain'] },
  ballista: { colour: 'green', shape: SQUARE, words: ['ballista', 'baliste'] },
  violet: { colour: 'violet', shape: HEXAGON, words: ['violet'] },
  yellow: { colour: 'yellow', shape: DROP, words: ['yellow', 'jaune'] },
  black: { colour: 'black', shape: DISC, words: ['black', 'noir'] },
  danger: { colour: 'red', shape: TRIANGLE, words: ['danger token', 'jeton de danger'] },
};
const PLAIN: Chip = { colour: 'white', shape: DISC, words: [] };

/** What lies between two areas. */
export type Crossing = 'deep' | 'river' | 'bridge' | 'ford' | 'broad' | 'ice' | 'road';
const CROSSINGS: Record<Crossing, string[]> = {
  deep: ['deep river', 'rivière profonde'],
  river: ['river', 'rivière'],
  bridge: ['bridge', 'pont'],
  ford: ['ford', 'gué'],
  broad: ['rhine', 'rhin'],
  ice: ['rhine (frozen)', 'rhin (gelé)'],
  road: ['road', 'voie'],
};
const CAMP = ['camp', 'fortified camp', 'camp retranché'];
const HELD = /^(held by|held-by-|tenu par) ?/i;

function table<T extends { words: string[] }>(from: Record<string, T>): Map<string, T> {
  const found = new Map<string, T>();
  for (const [key, line] of Object.entries(from)) for (const word of [key, ...line.words]) found.set(word, line);
  return found;
}
const BY_WORD = table(SIGNS);
const CHIP_BY_WORD = table(CHIPS);

export function sign(word: string): Sign | undefined {
  return BY_WORD.get(word.toLowerCase());
}
export function chip(word: string): Chip {
  return CHIP_BY_WORD.get(word.toLowerCase()) ?? PLAIN;
}
export function crossing(word: string): Crossing {
  const said = word.toLowerCase();
  return (Object.keys(CROSSINGS) as Crossing[]).find((c) => c === said || CROSSINGS[c].includes(said)) ?? 'river';
}
export function isCamp(marks: string[]): boolean {
  return marks.some((mark) => CAMP.includes(mark.toLowerCase()));
}
export function isHeld(marks: string[]): boolean {
  return marks.some((mark) => HELD.test(mark));
}
/** The same words together, in order of first appearance, with their number. */
export function counted(words: string[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const word of words) sums.set(word, (sums.get(word) ?? 0) + 1);
  return [...sums];
}
