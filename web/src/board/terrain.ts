// How the ground of an open table is drawn: from outlines to paths, the same for the same name.
import type { Area } from '../types';
import { ground, noise } from './grounds';
import type { Box, Point } from './layout';
import { apart, border, boxOf, closed, divided, isIn, middleOf, outlineOf } from './open';

export interface Strewn extends Point { size: number; turn: number; kind: number }
export interface Face { path: string; light: number } // from -1, in the shade, to 1

const n = (value: number): string => value.toFixed(1);

/** Things over a shape: one in each cell of a jittered lattice, all of them at least `clear` from the border. */
export function strewn(name: string, points: Point[], step: number, clear: number): Strewn[] {
  const random = noise(name);
  const box = boxOf(points);
  const [across, down] = [Math.max(1, Math.round(box.w / step)), Math.max(1, Math.round(box.h / step))];
  const found: Strewn[] = [];
  for (let j = 0; j < down; j += 1) {
    for (let i = 0; i < across; i += 1) {
      const shift = j % 2 ? 0.22 : -0.22;
      const x = box.x + ((i + 0.5 + shift + 0.5 * (random() - 0.5)) * box.w) / across;
      const y = box.y + ((j + 0.5 + 0.5 * (random() - 0.5)) * box.h) / down;
      const [size, turn, kind] = [0.78 + 0.5 * random(), 360 * random(), random()];
      if (isIn(points, { x, y }) && border(points, { x, y }).far >= clear * size) found.push({ x, y, size, turn, kind });
    }
  }
  return found;
}

/** The slopes of a height: faces between its border and a smaller ring, each lit from the north-west. */
export function slopes(name: string, points: Point[], part: number, rough: number, step = 70): { faces: Face[]; top: Point[] } {
  const random = noise(name);
  const ring = divided(points, step);
  const middle = middleOf(points);
  const top = ring.map((p) => {
    const inward = part * (1 + rough * (random() - 0.5));
    return { x: middle.x + (p.x - middle.x) * inward, y: middle.y + (p.y - middle.y) * inward };
  });
  const faces = ring.map((a, i) => {
    const k = (i + 1) % ring.length;
    const [b, c, d] = [ring[k] ?? a, top[k] ?? a, top[i] ?? a];
    return { path: closed([a, b, c, d]), light: lit(a, b, middle) };
  });
  return { faces, top };
}

/** A ridge above them: faces up to its summit. */
export function summit(top: Point[], middle = middleOf(top)): Face[] {
  return top.map((a, i) => {
    const b = top[(i + 1) % top.length] ?? a;
    return { path: closed([a, b, middle]), light: lit(a, b, middle) };
  });
}

function lit(a: Point, b: Point, middle: Point): number {
  const [dx, dy] = [(a.x + b.x) / 2 - middle.x, (a.y + b.y) / 2 - middle.y];
  return -(dx + dy) / (Math.SQRT2 * (Math.hypot(dx, dy) || 1));
}

/** Strokes downhill, from the border inwards. */
export function strokes(name: string, points: Point[], length: number, step = 17): string {
  const random = noise(`${name} strokes`);
  const middle = middleOf(points);
  return divided(points, step).map((p) => {
    const far = apart(p, middle) || 1;
    const [ux, uy] = [(middle.x - p.x) / far, (middle.y - p.y) / far];
    const [from, long] = [3 + 3 * random(), length * (0.6 + 0.6 * random())];
    return `M${n(p.x + ux * from)} ${n(p.y + uy * from)}l${n(ux * long)} ${n(uy * long)}`;
  }).join('');
}

/** The banks of a water: its border, but for what lies on the edge of the table. */
export function banks(points: Point[], field: Box): string {
  const onRim = (p: Point, q: Point): boolean =>
    (p.x <= field.x && q.x <= field.x) || (p.x >= field.x + field.w && q.x >= field.x + field.w)
    || (p.y <= field.y && q.y <= field.y) || (p.y >= field.y + field.h && q.y >= field.y + field.h);
  return points.map((a, i) => {
    const b = points[(i + 1) % points.length] ?? a;
    return onRim(a, b) ? '' : `M${n(a.x)} ${n(a.y)}L${n(b.x)} ${n(b.y)}`;
  }).join('');
}

/** Where the water runs: strokes along the nearest bank. */
export function currents(name: string, points: Point[]): Strewn[] {
  return strewn(`${name} flow`, points, 58, 14).map((spot) => {
    const along = border(points, spot).along;
    return { ...spot, turn: along > 90 || along <= -90 ? along + 180 : along };
  });
}

// --- structures: drawn facing north around their middle

export interface Built { middle: Point; turn: number; w: number; h: number } // front and depth

export function built(area: Area): Built {
  const points = outlineOf(area);
  const box = boxOf(points);
  const [a, b, c] = points;
  const middle = { x: box.x + box.w / 2, y: box.y + box.h / 2 };
  if (!a || !b || !c || points.length !== 4) return { middle, turn: area.heading ?? 0, w: box.w, h: box.h };
  return {
    middle: middleOf(points), turn: (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI, w: apart(a, b), h: apart(b, c),
  };
}

export interface House { x: number; y: number; w: number; h: number; turn: number }

/** Houses around a place in the middle. */
export function houses(name: string, w: number, h: number): House[] {
  const random = noise(name);
  const spots = [[-0.3, -0.3], [0.04, -0.34], [0.33, -0.22], [-0.34, 0.05], [0.33, 0.14], [-0.22, 0.33], [0.12, 0.35]] as const;
  return spots.map(([x, y]) => ({
    x: (x + 0.04 * (random() - 0.5)) * w, y: (y + 0.04 * (random() - 0.5)) * h,
    w: (0.2 + 0.07 * random()) * Math.min(w, h), h: (0.15 + 0.04 * random()) * Math.min(w, h),
    turn: (random() < 0.5 ? 0 : 90) + 24 * (random() - 0.5),
  }));
}

/** Battlements along the front of a piece, or all round. */
export function merlons(w: number, h: number, all: boolean): string {
  const size = 10;
  const row = (long: number): number[] => {
    const many = Math.max(2, Math.round(long / (2 * size)));
    return Array.from({ length: many }, (_, i) => -long / 2 + ((i + 0.5) * long) / many);
  };
  const front = row(w).map((x) => `M${n(x - size / 2)} ${n(-h / 2)}h${size}v${size * 0.9}h${-size}Z`);
  if (!all) return front.join('');
  const rear = row(w).map((x) => `M${n(x - size / 2)} ${n(h / 2 - size * 0.9)}h${size}v${size * 0.9}h${-size}Z`);
  const ends = row(h).flatMap((y) => [-w / 2, w / 2 - size * 0.9].map((x) => `M${n(x)} ${n(y - size / 2)}h${n(size * 0.9)}v${size}h${n(-size * 0.9)}Z`));
  return [...front, ...rear, ...ends].join('');
}

// --- which drawing

export type Drawing =
  | 'forest' | 'hill' | 'mountain' | 'lake' | 'river' | 'ford' | 'bridge' | 'village' | 'watchtower' | 'trench' | 'barricade'
  | 'caltrops' | 'wall' | 'tower' | 'gate' | 'corner' | 'plain';
const DRAWINGS: Record<string, Drawing> = { woods: 'forest', water: 'lake', sea: 'lake', peaks: 'mountain', rock: 'mountain', steep_height: 'hill' };
const ENDINGS: Drawing[] = [
  'forest', 'hill', 'mountain', 'lake', 'river', 'ford', 'bridge', 'village', 'watchtower', 'trench', 'barricade', 'caltrops', 'wall', 'tower',
  'gate', 'corner',
];
/** `stone-bridge` is drawn as a bridge, and of stone. */
export function drawing(kind: string): Drawing {
  return DRAWINGS[kind] ?? ENDINGS.find((name) => kind === name || kind.endsWith(`-${name}`)) ?? 'plain';
}
export const isStone = (kind: string): boolean => !/wood|timber|siege/.test(kind);
export const isGround = (area: Area): boolean => ['forest', 'hill', 'mountain', 'lake', 'river', 'ford', 'plain'].includes(drawing(area.ground));
export const plainFill = (kind: string): string => `var(${ground(kind).fill})`;

const LOW: Drawing[] = ['plain', 'hill', 'mountain', 'lake', 'river', 'ford', 'forest'];
/** What lies lower is drawn first. */
export function fromBelow(areas: Area[]): Area[] {
  const height = (area: Area): number => LOW.indexOf(drawing(area.ground));
  return [...areas].sort((a, b) => height(a) - height(b));
}
