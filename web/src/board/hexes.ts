// Hexes with a corner in the north: where they lie, their corners and sides. Units are those of the board.
import type { Area, Piece } from '../types';
import type { Point } from './layout';

export const WIDE = 80; // from side to side
export const RADIUS = WIDE / Math.sqrt(3); // from the middle to a corner
export const COUNTER = 58; // the side of a counter
export const LONG = WIDE + COUNTER - 10; // of a formation, which lies across two hexes
export const DEEP = 48;
const STACKED = 0.84; // the size of a counter among others

/** The six corners by their names in actions, and where they are. */
export const HEADINGS: Record<string, number> = { n: 0, ne: 60, se: 120, s: 180, sw: 240, nw: 300 };
/** The six sides, clockwise; each lies between the corner of its number and the next. */
export const SIDES = ['ne', 'e', 'se', 'sw', 'w', 'nw'] as const;

/** The map without what lies beside it: its upper left corner is the origin. */
export interface HexMap { width: number; height: number; hexes: Map<string, Point> }

/** A point at `far` from the middle, `degrees` clockwise from north. */
export function towards(from: Point, degrees: number, far: number): Point {
  const turn = (degrees * Math.PI) / 180;
  return { x: from.x + far * Math.sin(turn), y: from.y - far * Math.cos(turn) };
}
export function corner(of: Point, i: number, radius = RADIUS): Point {
  return towards(of, 60 * i, radius);
}
const at = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** The outline of a counter, `out` outside its own. */
export function body(piece: Piece, out = 0): string {
  const [turn, w, h] = isWide(piece) ? [piece.heading ?? 0, LONG, DEEP] : [0, COUNTER, COUNTER];
  const [x, y] = [w / 2 + out, h / 2 + out];
  const corners = [[-x, -y], [x, -y], [x, y], [-x, y]] as const;
  return `M${corners.map(([a, b]) => at(towards(towards({ x: 0, y: 0 }, turn, -b), turn + 90, a))).join('L')}Z`;
}

/** The outline of a hex, `inset` inside its own. */
export function outline(of: Point, inset = 0): string {
  const corners = [0, 1, 2, 3, 4, 5].map((i) => at(corner(of, i, RADIUS - inset)));
  return `M${corners.join('L')}Z`;
}

export const isHex = (area: Area): boolean => area.width === 1;

export function layHexes(areas: Area[]): HexMap {
  const cells = areas.filter(isHex);
  const [left, top] = [Math.min(...cells.map((a) => a.column)), Math.min(...cells.map((a) => a.row))];
  const [right, low] = [Math.max(...cells.map((a) => a.column)), Math.max(...cells.map((a) => a.row))];
  const hexes = new Map(cells.map(({ id, row, column }) => [id, {
    x: (column - left + (row % 2 ? 1 : 0.5)) * WIDE,
    y: RADIUS + (row - top) * 1.5 * RADIUS,
  }]));
  return { width: (right - left + 1.5) * WIDE, height: (1.5 * (low - top) + 2) * RADIUS, hexes };
}

/** Where a counter lies on the map, how large it is drawn, and whether others lie with it. */
export interface Spot extends Point { size: number; stacked: boolean }
export const LONE: Omit<Spot, 'x' | 'y'> = { size: 1, stacked: false };

export const isLeader = (piece: Piece): boolean => piece.icon === 'general';
export const isWide = (piece: Piece): boolean => piece.beside !== '' && piece.heading !== null;
/** The places that a piece covers. */
export const covers = ({ place, beside }: Pick<Piece, 'place' | 'beside'>): string[] => (beside ? [place, beside] : [place]);

/** Whether it faces nowhere: then it may be moved aside to show what lies under it. */
export const isLoose = ({ heading, beside }: Piece): boolean => heading === null && beside === '';

/**
 * Counters on hexes. One lies in the middle, a formation between its two; of several the foremost lies on top and the
 * others peep out behind it; leaders are small and stand at the corners, where they hide neither figures nor facings.
 */
export function layPieces(pieces: Piece[], { hexes }: HexMap): Map<string, Spot> {
  const spots = new Map<string, Spot>();
  for (const [id, at] of hexes) {
    const here = pieces.filter((piece) => covers(piece).includes(id));
    const led = here.some((piece) => !isLeader(piece));
    const loose = here.every(isLoose);
    const leaders = here.filter((piece) => isLeader(piece) && (led || !loose));
    const units = here.filter((piece) => !leaders.includes(piece));
    const stacked = units.length > 1;
    const wide = units.findIndex(({ beside }) => hexes.has(beside));
    const step = Math.min(loose ? 7 : 12, 26 / Math.max(1, units.length - 1));
    units.forEach((piece, i) => {
      const [one, two] = [hexes.get(piece.place) ?? at, hexes.get(piece.beside)];
      const depth = i - (units.length - 1) / 2;
      if (two) {
        const among = stacked || spots.get(piece.id)?.stacked === true; // in the other hex
        spots.set(piece.id, { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2, size: 1, stacked: among });
      } else if (wide < 0) {
        const size = (stacked ? STACKED : 1) * (loose && isLeader(piece) ? 0.8 : loose ? 0.94 : 1);
        const left = loose && stacked ? 5 : 0; // on the right is room for their number
        spots.set(piece.id, { x: at.x + depth * step - left, y: at.y - depth * step, size, stacked });
      } else {
        spots.set(piece.id, { ...towards(at, units[wide]?.heading ?? 0, (wide - i) * 24), size: STACKED * 0.9, stacked });
      }
    });
    const poles = wide < 0 ? [180, 0].filter((pole) => units.every(({ heading }) => heading !== pole)) : [];
    const corners = loose ? [300, 265, 330] : [...poles, 120, 240, 60, 300];
    leaders.forEach((piece, i) => {
      const alone = here.length === 1;
      const where = towards(at, corners[i % corners.length] ?? 0, alone ? 0 : 35);
      spots.set(piece.id, { ...where, size: alone ? 0.8 : loose ? 0.52 : 0.45, stacked: !alone });
    });
  }
  return spots;
}

export interface Side { a: string; b: string | null; from: Point; to: Point }

/** Every side once, with the hexes on both sides of it; `b` is null at the edge of the map. */
export function allSides(hexes: Map<string, Point>): Side[] {
  const by = new Map([...hexes].map(([id, p]) => [at(p), id]));
  const sides: Side[] = [];
  for (const [a, middle] of hexes) {
    for (let i = 0; i < 6; i += 1) {
      const b = by.get(at(towards(middle, 30 + 60 * i, WIDE))) ?? null;
      if (b === null || i < 3) sides.push({ a, b, from: corner(middle, i), to: corner(middle, i + 1) });
    }
  }
  return sides;
}

/** The side that two neighbours share. */
export function sideBetween(a: Point, b: Point): [Point, Point] {
  const [x, y] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
  const [dx, dy] = [((b.y - a.y) / WIDE) * (RADIUS / 2), ((a.x - b.x) / WIDE) * (RADIUS / 2)];
  return [{ x: x - dx, y: y - dy }, { x: x + dx, y: y + dy }];
}

/** On which side of hex `a` its neighbour `b` lies. */
export function sideOf(a: Area, b: Area): (typeof SIDES)[number] | undefined {
  const x = (area: Area): number => area.column + (area.row % 2 ? 0.5 : 0);
  const [east, south] = [x(b) - x(a), b.row - a.row];
  if (south === 0) return east === 1 ? 'e' : east === -1 ? 'w' : undefined;
  if (Math.abs(south) !== 1 || Math.abs(east) !== 0.5) return undefined;
  return south < 0 ? (east > 0 ? 'ne' : 'nw') : east > 0 ? 'se' : 'sw';
}

/** Join lines that meet end to end: a river is as long as possible, and ends where three meet. */
export function chains(lines: [Point, Point][]): Point[][] {
  const ends = new Map<string, number[]>();
  lines.forEach((line, i) => line.forEach((p) => ends.set(at(p), [...(ends.get(at(p)) ?? []), i])));
  const used = new Set<number>();
  const found: Point[][] = [];
  const follow = (i: number, start: Point): void => {
    const chain = [start];
    for (let next: number | undefined = i; next !== undefined;) {
      used.add(next);
      const [p, q] = lines[next] as [Point, Point];
      const end = at(p) === at(chain.at(-1) as Point) ? q : p;
      chain.push(end);
      const on: number[] = ends.get(at(end)) ?? [];
      next = on.length === 2 ? on.find((j) => !used.has(j)) : undefined;
    }
    found.push(chain);
  };
  const isEnd = (p: Point): boolean => ends.get(at(p))?.length !== 2;
  lines.forEach((line, i) => line.filter(isEnd).slice(0, 1).forEach((p) => { if (!used.has(i)) follow(i, p); }));
  lines.forEach(([p], i) => { if (!used.has(i)) follow(i, p); }); // rings
  return found;
}

/** A soft line along a chain: its bends are rounded. */
export function soft(chain: Point[]): string {
  const [first, last] = [chain[0], chain.at(-1)];
  if (!first || !last) return '';
  const ring = at(first) === at(last) && chain.length > 3;
  const points = ring ? [...chain, chain[1] as Point] : chain;
  const middle = (i: number): string => {
    const [p, q] = [points[i] as Point, points[i + 1] as Point];
    return at({ x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 });
  };
  let path = ring ? `M${middle(0)}` : `M${at(first)}L${middle(0)}`;
  for (let i = 1; i < points.length - 1; i += 1) path += `Q${at(points[i] as Point)} ${middle(i)}`;
  return ring ? `${path}Z` : `${path}L${at(last)}`;
}
