// Pieces of a fortress on the table: where one joins another. Whether that is a fortress, the server says.
import { apart, at, boxOf, isIn } from '../../board/open';
import type { Point } from '../../board/layout';
import type { Area, Part, Pose, Way } from '../../types';

export interface Laid { id: number; part: Part; way: number; pose: Pose }
/** A place for a piece beside one that stands. */
export interface Slot { pose: Pose; of: Laid; side: 'start' | 'end'; way: number }

export const FULL = 3600;
export const QUARTER = 900;
export const STEP = 22; // half a section: where all pieces fit that stand at right angles
const CLOSE = 2; // hundredths: what counts as the same place
const CELL = 44; // a section
const REACH = 160; // from how far a piece is drawn to a free end

const turned = (turn: number): number => ((Math.round(turn) % FULL) + FULL) % FULL;
const spot = ({ x, y }: Point, turn: number): Pose => [Math.round(x), Math.round(y), turned(turn)];

/** A joint of a piece, on the table. */
const jointOf = (pose: Pose, [x, y, turn]: Pose): Pose => spot(at(pose, x, -y), pose[2] + turn);
/** Where a piece must stand so that a joint of it is there. */
function poseFor([x, y, turn]: Pose, joint: Pose): Pose {
  const facing = turned(turn - joint[2]);
  return spot(at([x, y, facing], -joint[0], joint[1]), facing);
}
const meets = (a: Pose, b: Pose): boolean =>
  Math.abs(a[0] - b[0]) <= CLOSE && Math.abs(a[1] - b[1]) <= CLOSE && a[2] === b[2];

export const wayOf = (one: Laid): Way => one.part.ways[one.way]!;
const startOf = (one: Laid): Pose => jointOf(one.pose, wayOf(one).start);
const endOf = (one: Laid): Pose => jointOf(one.pose, wayOf(one).end);
export const before = (all: Laid[], one: Laid): Laid | undefined => all.find((other) => other !== one && meets(endOf(other), startOf(one)));
export const after = (all: Laid[], one: Laid): Laid | undefined => all.find((other) => other !== one && meets(startOf(other), endOf(one)));

export const outline = (part: Part, pose: Pose): Point[] => part.outline.map(([x, y]) => at(pose, x, -y));

/** The middles of the sections of a piece. */
function cells(part: Part, pose: Pose): Point[] {
  const points = part.outline.map(([x, y]) => ({ x, y }));
  const { x, y, w, h } = boxOf(points);
  const found: Point[] = [];
  for (let j = 0; j < Math.round(h / CELL); j += 1) {
    for (let i = 0; i < Math.round(w / CELL); i += 1) {
      const middle = { x: x + (i + 0.5) * CELL, y: y + (j + 0.5) * CELL };
      if (isIn(points, middle)) found.push(at(pose, middle.x, -middle.y));
    }
  }
  return found;
}
const covers = (part: Part, pose: Pose, one: Laid): boolean => {
  const [here, there] = [outline(part, pose), outline(one.part, one.pose)];
  return cells(part, pose).some((p) => isIn(there, p)) || cells(one.part, one.pose).some((p) => isIn(here, p));
};
export const isBlocked = (part: Part, pose: Pose, all: Laid[]): boolean => all.some((one) => covers(part, pose, one));

/** Where a piece of a sort can be joined to what stands: a tower goes on in whichever direction is free. */
export function slots(part: Part, all: Laid[]): Slot[] {
  const first = part.ways[0]!;
  const found: Slot[] = [];
  const offer = (slot: Slot): void => {
    if (!isBlocked(part, slot.pose, all)) found.push(slot);
  };
  for (const of of all) {
    const [prior, next] = [before(all, of), after(all, of)];
    const ways = [of.way, ...of.part.ways.keys()];
    for (const way of next ? [] : ways) {
      offer({ pose: poseFor(jointOf(of.pose, of.part.ways[way]!.end), first.start), of, side: 'end', way });
    }
    for (const way of prior ? [] : next ? ways : [of.way]) {
      const there = poseFor(endOf(of), of.part.ways[way]!.end);
      offer({ pose: poseFor(jointOf(there, of.part.ways[way]!.start), first.end), of, side: 'start', way });
    }
  }
  return found;
}

/** Each place once, whoever stands beside it. */
export function distinct(all: Slot[]): Slot[] {
  const key = ({ pose: [x, y] }: Slot): string => `${x} ${y}`;
  return [...new Map(all.map((slot) => [key(slot), slot])).values()];
}

/** The place for a piece that is held over a point: at the nearest free end, or where it is, on the half sections. */
export function snap(part: Part, at: Point, turn: number, all: Laid[]): Pose {
  let [best, least]: [Pose | null, number] = [null, REACH];
  for (const { pose } of slots(part, all)) {
    const far = apart(at, { x: pose[0], y: pose[1] });
    if (far < least) [best, least] = [pose, far];
  }
  return best ?? [Math.round(at.x / STEP) * STEP, Math.round(at.y / STEP) * STEP, turn];
}

/** Towers open to the sides on which something joins them. */
export function settle(all: Laid[]): Laid[] {
  let now = all;
  for (const { id, part } of [...all, ...all]) {
    if (part.ways.length < 2) continue;
    const one = now.find((other) => other.id === id)!;
    const [x, y, turn] = one.pose;
    const variants = [one, ...[0, 1, 2, 3].flatMap((k) => part.ways.map((_, way): Laid => ({ ...one, way, pose: [x, y, turned(turn + k * QUARTER)] })))];
    const others = now.filter((other) => other.id !== id);
    const joined = (variant: Laid): number => Number(!!before(others, variant)) + Number(!!after(others, variant));
    const best = variants.reduce((a, b) => (joined(b) > joined(a) ? b : a));
    if (best !== one) now = now.map((other) => (other.id === id ? best : other));
  }
  return now;
}

/** Turned to its next side: a tower lets the wall go on elsewhere, all else turns about its middle. */
export function turnedOn(all: Laid[], one: Laid, by = 1): Laid {
  const many = one.part.ways.length;
  if (many < 2) return { ...one, pose: [one.pose[0], one.pose[1], turned(one.pose[2] + by * QUARTER)] };
  const way = (one.way + by + many) % many;
  const free = !before(all, one) && after(all, one);
  return { ...one, way, pose: free ? poseFor(endOf(one), one.part.ways[way]!.end) : one.pose };
}

/** A quarter of a turn about a point. */
export function wheeled(one: Laid, about: Point): Laid {
  const [x, y, turn] = one.pose;
  return { ...one, pose: spot({ x: about.x - (y - about.y), y: about.y + (x - about.x) }, turn + QUARTER) };
}

/** A piece as the board draws what was built. */
export function asArea(id: string, part: Part, pose: Pose): Area {
  return {
    id, label: '', row: 0, column: 0, width: 1, ground: part.key, side: null, marks: [], note: '', clauses: [], level: 0,
    outline: outline(part, pose).map(({ x, y }) => [x, y]), losses: 0, strength: 0, states: [], heading: pose[2] / 10,
  };
}
