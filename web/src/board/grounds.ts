// How grounds look: a fill, and marks strewn over it. Another game adds lines to GROUNDS.
import type { Box } from './layout';

export type Strewn = 'tree' | 'pine' | 'reed' | 'pool' | 'stone' | 'crag' | 'crack' | 'tuft' | 'bush' | 'wheat' | 'wave' | 'peak';
export interface Ground {
  fill: string; // a variable of the theme
  rise?: 'hill' | 'steep'; // contours
  marks?: [Strewn, number][]; // how many per column of normal size
}

export const GROUNDS: Record<string, Ground> = {
  clear: { fill: '--clear', marks: [['tuft', 9]] },
  hill: { fill: '--clear', rise: 'hill', marks: [['tuft', 5]] },
  woods: { fill: '--woods', marks: [['tree', 22], ['tuft', 4]] },
  forest: { fill: '--woods', marks: [['tree', 30]] },
  wooded_hill: { fill: '--woods', rise: 'hill', marks: [['tree', 16]] },
  thick_forest: { fill: '--board-forest', marks: [['pine', 44], ['tree', 14]] },
  steep_height: { fill: '--rock', rise: 'steep', marks: [['stone', 8]] },
  marsh: { fill: '--marsh', marks: [['pool', 8], ['reed', 20]] },
  rocks: { fill: '--rock', marks: [['crag', 10], ['stone', 12]] },
  rock: { fill: '--rock', marks: [['crag', 10], ['stone', 12]] },
  crevasse: { fill: '--rock', marks: [['crack', 4], ['stone', 12]] },
  water: { fill: '--water' },
  rough: { fill: '--board-rough', marks: [['stone', 14], ['bush', 14]] },
  field: { fill: '--board-field', marks: [['wheat', 34]] },
  difficult: { fill: '--board-forest', marks: [['tree', 24], ['pine', 14]] },
  indoor: { fill: '--board-floor' },
  mountain: { fill: '--board-mountain', marks: [['peak', 15], ['tuft', 4]] },
  sea: { fill: '--board-sea', marks: [['wave', 17]] },
  peaks: { fill: '--rock', marks: [['peak', 27]] },
  reserve: { fill: '--board-reserve' },
  segment: { fill: '--board-segment' },
};
const UNKNOWN: Ground = { fill: '--clear' };
const THIN = new Set(['segment']);
const BARRED = new Set(['sea', 'peaks']);

export function ground(key: string): Ground {
  return GROUNDS[key] ?? UNKNOWN;
}
/** Whether nothing stands on it: it is drawn as a band. */
export function isThin(key: string): boolean {
  return THIN.has(key);
}

/** Whether nobody can ever go there: it is drawn, and no more. */
export function isBarred(key: string): boolean {
  return BARRED.has(key);
}

/** Numbers that look random and are the same for the same name. */
export function noise(name: string): () => number {
  let a = 2166136261;
  for (const letter of name) a = Math.imul(a ^ letter.charCodeAt(0), 16777619);
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let n = Math.imul(a ^ (a >>> 15), 1 | a);
    n = (n + Math.imul(n ^ (n >>> 7), 61 | n)) ^ n;
    return ((n ^ (n >>> 14)) >>> 0) / 4294967296;
  };
}

export interface Spot { mark: Strewn; x: number; y: number; size: number }

/** Marks over a box: one in each cell of a jittered lattice, so that they are spread evenly. */
export function strew(name: string, kind: Ground, box: Box): Spot[] {
  const spots: Spot[] = [];
  for (const [mark, number] of kind.marks ?? []) {
    const random = noise(`${name} ${mark}`);
    const wanted = Math.max(1, Math.round((number * box.w * box.h) / (239 * 192)));
    const across = Math.max(1, Math.round(Math.sqrt((wanted * box.w) / box.h)));
    const down = Math.max(1, Math.round(wanted / across));
    for (let i = 0; i < across; i += 1) {
      for (let j = 0; j < down; j += 1) {
        const x = box.x + 10 + ((i + 0.12 + 0.76 * random()) * (box.w - 20)) / across;
        const y = box.y + 22 + ((j + 0.12 + 0.76 * random()) * (box.h - 30)) / down;
        spots.push({ mark, x, y, size: 0.8 + 0.45 * random() });
      }
    }
  }
  return spots.sort((a, b) => Number(b.mark === 'pool') - Number(a.mark === 'pool') || a.y - b.y);
}

/** A closed soft line around the middle of a box, `part` of its size. */
export function contour(name: string, box: Box, part: number, ring: number): string {
  const random = noise(name); // the same wobble for all rings: they never cross
  const n = 14;
  const wobble = Array.from({ length: n }, () => 0.84 + 0.26 * random());
  const cx = box.x + box.w * (0.44 + 0.12 * random()) - ring * 3;
  const cy = box.y + box.h * (0.46 + 0.1 * random()) - ring * 4;
  const points = wobble.map((w, i) => {
    const turn = (i / n) * 2 * Math.PI;
    return [cx + (Math.cos(turn) * box.w * part * w) / 2, cy + (Math.sin(turn) * box.h * part * w) / 2] as const;
  });
  return smooth(points);
}

function smooth(points: (readonly [number, number])[]): string {
  const n = points.length;
  const at = (i: number) => points[(i + n) % n] ?? [0, 0];
  const middle = (i: number) => `${((at(i)[0] + at(i + 1)[0]) / 2).toFixed(1)} ${((at(i)[1] + at(i + 1)[1]) / 2).toFixed(1)}`;
  let path = `M${middle(-1)}`;
  for (let i = 0; i < n; i += 1) path += `Q${at(i)[0].toFixed(1)} ${at(i)[1].toFixed(1)} ${middle(i)}`;
  return `${path}Z`;
}

/** Short strokes downhill, outside a contour. */
export function hachures(name: string, box: Box, part: number, length: number, n = 46): string {
  const random = noise(name);
  const m = 14;
  const wobble = Array.from({ length: m }, () => 0.84 + 0.26 * random());
  const cx = box.x + box.w * (0.44 + 0.12 * random());
  const cy = box.y + box.h * (0.46 + 0.1 * random());
  let path = '';
  for (let i = 0; i < n; i += 1) {
    const turn = (i / n) * 2 * Math.PI;
    const k = (turn / (2 * Math.PI)) * m;
    const w = (wobble[Math.floor(k) % m] ?? 1) * (1 - (k % 1)) + (wobble[Math.ceil(k) % m] ?? 1) * (k % 1);
    const [ux, uy] = [Math.cos(turn), Math.sin(turn)];
    const [x, y] = [cx + (ux * box.w * part * w) / 2, cy + (uy * box.h * part * w) / 2];
    const reach = length * (0.7 + 0.5 * random());
    path += `M${x.toFixed(1)} ${y.toFixed(1)}l${(ux * reach).toFixed(1)} ${(uy * reach).toFixed(1)}`;
  }
  return path;
}
