// An open table: shapes and distances, in hundredths of a unit; directions in degrees clockwise from north.
import type { Area, Piece, Pose, Reach, Spot } from '../types';
import type { Box, Point } from './layout';

export const UNIT = 100;
export const RIM = 46; // the edge of the table
const CELL = { w: 200, h: 122 }; // of a card that waits
const GAP = 34; // between the table and those that wait

const point = ([x, y]: Spot): Point => ({ x, y });
const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const n = (value: number): string => value.toFixed(1);

/** A length as one says it: 3.42. */
export function inUnits(hundredths: number): string {
  return String(Math.round(hundredths) / UNIT);
}

/** A point as seen from a card: so much to its right, and so much ahead of its middle. */
export function at([x, y, turn]: Pose, along: number, ahead: number): Point {
  const [sin, cos] = [Math.sin(radians(turn / 10)), Math.cos(radians(turn / 10))];
  return { x: x + along * cos + ahead * sin, y: y + along * sin - ahead * cos };
}

/** Front left, front right, rear right, rear left. */
export function corners(pose: Pose, [front, depth]: Spot): Point[] {
  const [w, h] = [front / 2, depth / 2];
  return [at(pose, -w, h), at(pose, w, h), at(pose, w, -h), at(pose, -w, -h)];
}

export function closed(points: Point[]): string {
  return points.length ? `M${points.map(({ x, y }) => `${n(x)} ${n(y)}`).join('L')}Z` : '';
}
export const outlineOf = (area: Area): Point[] => area.outline.map(point);

export function boxOf(points: Point[]): Box {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y };
}

export function middleOf(points: Point[]): Point {
  let [x, y, area] = [0, 0, 0];
  points.forEach((a, i) => {
    const b = points[(i + 1) % points.length] ?? a;
    const cross = a.x * b.y - b.x * a.y;
    [x, y, area] = [x + (a.x + b.x) * cross, y + (a.y + b.y) * cross, area + 3 * cross];
  });
  const box = boxOf(points);
  return area ? { x: x / area, y: y / area } : { x: box.x + box.w / 2, y: box.y + box.h / 2 };
}

export function isIn(points: Point[], { x, y }: Point): boolean {
  let inside = false;
  points.forEach((a, i) => {
    const b = points[(i + 1) % points.length] ?? a;
    if ((a.y > y) !== (b.y > y) && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  });
  return inside;
}

function onEdge(a: Point, b: Point, p: Point): Point {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const long = dx * dx + dy * dy;
  const part = long ? Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / long)) : 0;
  return { x: a.x + part * dx, y: a.y + part * dy };
}
export const apart = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** The point of a shape's border that is nearest, how far it is, and which way the border runs there. */
export function border(points: Point[], p: Point): { at: Point; far: number; along: number } {
  let best = { at: p, far: Infinity, along: 0 };
  points.forEach((a, i) => {
    const b = points[(i + 1) % points.length] ?? a;
    const near = onEdge(a, b, p);
    const far = apart(near, p);
    if (far < best.far) best = { at: near, far, along: (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI };
  });
  return best;
}

/** The shortest tape between two shapes; a shape of one point is a point. */
export function tape(one: Point[], two: Point[]): [Point, Point] {
  let best: [Point, Point] = [one[0] ?? { x: 0, y: 0 }, two[0] ?? { x: 0, y: 0 }];
  const inside = (shape: Point[], p: Point) => shape.length > 2 && isIn(shape, p);
  const shared = one.find((p) => inside(two, p)) ?? two.find((p) => inside(one, p));
  if (shared) return [shared, shared];
  let least = Infinity;
  const measure = (from: Point[], to: Point[], back: boolean) => from.forEach((p) => {
    const { at: near, far } = border(to, p);
    if (far < least) [least, best] = [far, back ? [near, p] : [p, near]];
  });
  measure(one, two, false);
  measure(two, one, true);
  return best;
}

/** The same shape drawn in towards its middle. */
export function shrunk(points: Point[], part: number, middle = middleOf(points)): Point[] {
  return points.map(({ x, y }) => ({ x: middle.x + (x - middle.x) * part, y: middle.y + (y - middle.y) * part }));
}

/** More points on a border, none farther than `step` from the next. */
export function divided(points: Point[], step: number): Point[] {
  return points.flatMap((a, i) => {
    const b = points[(i + 1) % points.length] ?? a;
    const parts = Math.max(1, Math.ceil(apart(a, b) / step));
    return Array.from({ length: parts }, (_, k) => ({ x: a.x + ((b.x - a.x) * k) / parts, y: a.y + ((b.y - a.y) * k) / parts }));
  });
}

/** A soft closed line through the middles of a border's edges. */
export function softly(points: Point[]): string {
  const middle = (i: number): Point => {
    const [a, b] = [points[i % points.length], points[(i + 1) % points.length]];
    return { x: ((a?.x ?? 0) + (b?.x ?? 0)) / 2, y: ((a?.y ?? 0) + (b?.y ?? 0)) / 2 };
  };
  const start = middle(0);
  let path = `M${n(start.x)} ${n(start.y)}`;
  for (let i = 1; i <= points.length; i += 1) {
    const [by, to] = [points[i % points.length] ?? start, middle(i)];
    path += `Q${n(by.x)} ${n(by.y)} ${n(to.x)} ${n(to.y)}`;
  }
  return `${path}Z`;
}

/** Where a reach ends, seen from a card that faces north with its middle at 0, 0. */
export function reachPath({ far, spread }: Reach, [front, depth]: Spot): string {
  const [w, h] = [front / 2, depth / 2];
  if (spread >= 1800) {
    return `M${-w} ${-h - far}H${w}A${far} ${far} 0 0 1 ${w + far} ${-h}V${h}A${far} ${far} 0 0 1 ${w} ${h + far}H${-w}A${far} ${far} 0 0 1 ${-w - far} ${h}V${-h}A${far} ${far} 0 0 1 ${-w} ${-h - far}Z`;
  }
  const [dx, dy] = [far * Math.sin(radians(spread / 10)), far * Math.cos(radians(spread / 10))];
  return `M${-w} ${-h}L${n(-w - dx)} ${n(-h - dy)}A${far} ${far} 0 0 1 ${-w} ${-h - far}H${w}A${far} ${far} 0 0 1 ${n(w + dx)} ${n(-h - dy)}L${w} ${-h}`;
}

// --- where things lie

export interface Lying { piece: Piece; pose: Pose; scale: number; shape: Point[]; aside: boolean; shown: Point } // shown: where its middle is drawn
export interface OpenPlan { board: Box; field: Box; tray: Box | null; lying: Lying[] }

/** A card in a structure lies on it, and is no larger. */
function scaleIn(piece: Piece, areas: Map<string, Area>): number {
  const area = areas.get(piece.place);
  if (!area) return 1;
  const edges = outlineOf(area).map((a, i, all) => apart(a, all[(i + 1) % all.length] ?? a));
  return Math.min(0.86, (0.94 * Math.min(...edges.filter((edge) => edge > 60), Math.max(...edges))) / piece.size[0]);
}

const PEEP = 40; // of a card under another one so much is seen behind it

/** Of cards that lie on one another, fronts in line, the earlier one is below: it is drawn a little farther back. */
function piled(lying: Lying[]): Lying[] {
  const covers = (upper: Lying, lower: Lying): boolean => upper.scale === 1 && lower.scale === 1 && upper.pose[2] === lower.pose[2]
    && isIn(corners(lower.pose, [2 * upper.piece.size[0] - 8, 8]), at(upper.pose, 0, 0));
  return lying.map((one, i) => (lying.slice(i + 1).some((other) => covers(other, one)) ? { ...one, shown: at(one.pose, 0, -PEEP) } : one));
}

/** The table with its edge, and those who wait beside it: on the right or below, where all is larger. */
export function layOpen(areas: Area[], pieces: Piece[], [width, height]: Spot, view: { w: number; h: number }): OpenPlan {
  const field = { x: 0, y: 0, w: width, h: height };
  const waits = pieces.filter(({ pose }) => pose === null).sort((a, b) => b.grips.length - a.grips.length || a.side - b.side);
  const [w, h] = [width + 2 * RIM, height + 2 * RIM];
  const board = { x: -RIM, y: -RIM, w, h };
  const places = new Map(areas.map((area) => [area.id, area]));
  const lie = (piece: Piece, pose: Pose, aside: boolean): Lying => {
    const scale = aside ? 1 : scaleIn(piece, places);
    return { piece, pose, scale, aside, shape: corners(pose, [piece.size[0] * scale, piece.size[1] * scale]), shown: at(pose, 0, 0) };
  };
  const lying = piled(pieces.flatMap((piece) => (piece.pose ? [lie(piece, piece.pose, false)] : [])));
  if (!waits.length) return { board, field, tray: null, lying };
  const [tall, wide] = [Math.max(1, Math.floor((h - 90) / CELL.h)), Math.max(1, Math.floor((w - 20) / CELL.w))];
  const [column, row] = [Math.ceil(waits.length / tall) * CELL.w + 20, Math.ceil(waits.length / wide) * CELL.h + 60];
  const beside = Math.min(view.w / (w + column), view.h / h) >= Math.min(view.w / w, view.h / (h + row));
  const each = beside ? tall : wide;
  const tray = beside
    ? { x: width + RIM + GAP - 12, y: -RIM, w: column, h }
    : { x: -RIM, y: height + RIM + GAP - 12, w, h: row };
  waits.forEach((piece, i) => {
    const [line, k] = [Math.floor(i / each), i % each];
    const [across, down] = beside ? [line, k] : [k, line];
    lying.push(lie(piece, [Math.round(tray.x + 10 + (across + 0.5) * CELL.w), Math.round(tray.y + 52 + (down + 0.5) * CELL.h), 0], true));
  });
  const all = beside ? { ...board, w: tray.x + tray.w - board.x } : { ...board, h: tray.y + tray.h - board.y };
  return { board: all, field, tray, lying };
}
