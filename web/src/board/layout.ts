// Where things lie: from a scene to boxes, in units of the board (about one pixel at normal size).
import type { Area, Piece, Scene } from '../types';
import { isThin } from './grounds';

export interface Point { x: number; y: number }
export interface Box extends Point { w: number; h: number }
export interface Front { area: string; x: number; y: number; w: number }
export interface Layout {
  width: number; height: number; bottom: number;
  areas: Map<string, Box>; pieces: Map<string, Point>; fronts: Front[];
}

export const BODY = { w: 68, h: 70 }; // of a counter, without its name
export const CELL = { w: 77, h: 89 };
export const HEAD = 19; // the strip with the label of an area
const PAD = 7;
const GAP = 3; // between areas
const RIM = 10; // around all
const FRONT = 10; // between the sides in an area
const THIN = 50;
const EMPTY = 30; // a reserve in which nobody is
const ASIDE = 170; // what the label of a wide area takes, on both sides, if counters stand beside it

/** Whether two boxes have a point in common. */
export function meet(a: Box, b: Box): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/** The path of a rectangle with round corners. */
export function rounded(x: number, y: number, w: number, h: number, r: number): string {
  return `M${x + r} ${y}h${w - 2 * r}q${r} 0 ${r} ${r}v${h - 2 * r}q0 ${r} ${-r} ${r}h${2 * r - w}q${-r} 0 ${-r} ${-r}v${2 * r - h}q0 ${-r} ${r} ${-r}Z`;
}

/** The side that sits at the lower edge: that of the lowest area that belongs to anybody. */
export function bottomSide(scene: Scene): number {
  const owned = scene.areas.filter((area) => area.side !== null);
  return owned.sort((a, b) => b.row - a.row)[0]?.side ?? 0;
}

function group(pieces: Piece[], bottom: number): Piece[][] {
  const sides = [...new Set(pieces.map((piece) => piece.side))];
  sides.sort((a, b) => Number(a === bottom) - Number(b === bottom) || a - b);
  return sides.map((side) => pieces.filter((piece) => piece.side === side));
}

/** Lay the scene out with `per` counters side by side in a column. */
export function lay(scene: Scene, per: number): Layout {
  const bottom = bottomSide(scene);
  const column = per * CELL.w + 2 * PAD;
  const columns = Math.max(1, ...scene.areas.map((area) => area.column + area.width));
  const width = 2 * RIM + columns * column + (columns - 1) * GAP;
  const within = new Map<string, Piece[]>(scene.areas.map((area) => [area.id, []]));
  for (const piece of scene.pieces) within.get(piece.place)?.push(piece);

  const wide = (area: Area) => area.width * column + (area.width - 1) * GAP;
  const room = (area: Area) => Math.max(1, Math.floor((wide(area) - 2 * PAD + 1) / CELL.w));
  const head = (area: Area): number => {
    const n = Math.min(room(area), within.get(area.id)?.length ?? 0);
    return area.width > 1 && n * CELL.w <= wide(area) - 2 * ASIDE ? 5 : HEAD;
  };
  const need = (area: Area): number => {
    if (isThin(area.ground)) return THIN;
    const groups = group(within.get(area.id) ?? [], bottom);
    const lines = groups.reduce((sum, g) => sum + Math.ceil(g.length / room(area)), 0);
    const least = area.width > 1 ? 0 : 2;
    if (lines === 0 && least === 0) return EMPTY;
    const fronts = Math.max(0, groups.length - 1) * FRONT;
    return head(area) + Math.max(lines, least) * CELL.h + fronts + PAD - 2;
  };

  const areas = new Map<string, Box>();
  const pieces = new Map<string, Point>();
  const fronts: Front[] = [];
  let y = RIM;
  for (const row of [...new Set(scene.areas.map((area) => area.row))].sort((a, b) => a - b)) {
    const inRow = scene.areas.filter((area) => area.row === row);
    const h = Math.max(...inRow.map(need));
    for (const area of inRow) {
      const box = { x: RIM + area.column * (column + GAP), y, w: wide(area), h };
      areas.set(area.id, box);
      const groups = group(within.get(area.id) ?? [], bottom);
      let top = box.y + head(area);
      let low = box.y + h - PAD + 2;
      if (groups.length > 1) {
        // Those who fight stand face to face, in the middle.
        const lines = groups.reduce((sum, g) => sum + Math.ceil(g.length / room(area)), 0);
        const slack = Math.max(0, low - top - lines * CELL.h - (groups.length - 1) * FRONT);
        top += slack / 2;
        low -= slack / 2;
      }
      for (const members of groups) {
        const each = room(area);
        const lines = Math.ceil(members.length / each);
        const tall = lines * CELL.h;
        const start = members[0]?.side === bottom ? low - tall : top;
        members.forEach((piece, i) => {
          const line = Math.floor(i / each);
          const inLine = Math.min(each, members.length - line * each);
          const left = box.x + (box.w - inLine * CELL.w) / 2;
          pieces.set(piece.id, {
            x: left + (i % each) * CELL.w + (CELL.w - BODY.w) / 2,
            y: start + line * CELL.h + 4,
          });
        });
        if (members[0]?.side === bottom) low -= tall;
        else top += tall;
      }
      if (groups.length > 1) {
        const middle = groups.length === 2 ? (top + low) / 2 : top + FRONT / 2;
        fronts.push({ area: area.id, x: box.x + PAD, y: middle - 1, w: box.w - 2 * PAD });
      }
    }
    y += h + GAP;
  }
  return { width, height: y - GAP + RIM, bottom, areas, pieces, fronts };
}

/** The number of counters side by side that makes them largest in a window of `w` by `h`. */
export function bestPer(scene: Scene, w: number, h: number, now: number): number {
  let best = now;
  let most = 0;
  for (const per of [2, 3, 4, 5]) {
    const plan = lay(scene, per);
    const size = Math.min(w / plan.width, h / plan.height) * (per === now ? 1.12 : 1);
    if (size > most) [best, most] = [per, size];
  }
  return best;
}

/** All ways to write a word: in full, or cut to six letters and fewer, never after a vowel. */
function cuts(word: string): string[] {
  const ways = [word];
  for (let keep = 6; keep >= 3; keep -= 1) {
    const cut = word.slice(0, keep).replace(/[aeiouyàâéèêëîïôûü'’-]+$/i, '');
    if (word.length > keep + 2 && cut.length > 1 && !ways.includes(`${cut}.`)) ways.push(`${cut}.`);
  }
  return ways;
}

/** A name that fits under a counter: without what is in brackets, as little cut as possible. */
export function shortName(label: string, room = 14): string {
  const words = label.replace(/\s*\(.*\)$/, '').split(/\s+/).slice(0, 4);
  let names: string[][] = [[]];
  for (const word of words) names = names.flatMap((name) => cuts(word).map((way) => [...name, way]));
  let best = '';
  let most = -1;
  for (const name of names) {
    const text = name.join(' ');
    const worth = text.replaceAll('.', '').length + Math.min(...name.map((way) => (way.endsWith('.') ? way.length : 9))) / 4;
    if (text.length <= room && worth > most) [best, most] = [text, worth];
  }
  const shortest = names.at(-1)?.join(' ') ?? '';
  return best || `${shortest.slice(0, room - 1)}…`;
}

/** The short names of all pieces; where two are alike, with the number of the id. */
export function shortNames(scene: Scene): Map<string, string> {
  const names = new Map(scene.pieces.map((piece) => [piece.id, shortName(piece.label)]));
  const seen = new Map<string, number>();
  for (const piece of scene.pieces) {
    const key = `${piece.side} ${names.get(piece.id)}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  for (const piece of scene.pieces) {
    const name = names.get(piece.id) ?? '';
    const number = /(\d+)$/.exec(piece.id)?.[1];
    if (!piece.hidden && number && !/\d$/.test(name) && (seen.get(`${piece.side} ${name}`) ?? 0) > 1) {
      names.set(piece.id, `${shortName(piece.label, 12)} ${number}`);
    }
  }
  return names;
}
