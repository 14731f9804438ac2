// What lies beside a map of hexes: strips with counters, such as edges, or those that wait.
import type { Area, Piece } from '../types';
import { isHex, type HexMap } from './hexes';
import type { Box, Point } from './layout';

const CELL = 68; // of a counter
const RIM = 12;
const HEAD = 30; // the label
const GAP = 6;
const LARGER = 1.06; // so much better must another place for strips be: the map should not jump

export interface Strips {
  all: Box; // the map and the strips
  boxes: Map<string, Box>;
  pieces: Map<string, Point>; // those that stand in strips
}

/**
 * Strips lie over the map or under it, as their rows are above its middle or below. Those outside its columns lie on its
 * left or right, `narrow` counters less wide than they might be, or under it if they are not `wide`.
 */
export function layStrips(areas: Area[], pieces: Piece[], map: HexMap, wide = true, narrow = 0): Strips {
  const cells = areas.filter(isHex);
  const [first, last] = ends(cells.map(({ column }) => column));
  const [north, south] = ends(cells.map(({ row }) => row));
  const strips = areas.filter((area) => !isHex(area)).sort((a, b) => a.row - b.row);
  const left = strips.filter(({ column, width }) => column + width <= first);
  const right = strips.filter(({ column }) => column > last);
  const aside = [...left, ...right];
  const others = strips.filter((area) => !aside.includes(area));
  const above = others.filter(({ row }) => row < (north + south) / 2);
  const below = [...others.filter((area) => !above.includes(area)), ...(wide ? [] : aside)];

  const found: Strips = { all: { x: 0, y: 0, w: 0, h: 0 }, boxes: new Map(), pieces: new Map() };
  const here = (area: Area): Piece[] => pieces.filter(({ place }) => place === area.id);
  const pile = (group: Area[], x: number, y: number, w: number, empty = 0): number =>
    group.reduce((from, area) => from + GAP + fill(found, area.id, here(area), { x, y: from, w, h: 0 }, empty), y);
  const heights = (group: Area[]): number => pile(group, 0, 0, map.width);

  const top = -heights(above);
  pile(above, 0, top, map.width);
  let low = below.length ? pile(below, 0, map.height + GAP, map.width) - GAP : map.height;
  let [west, east] = [0, map.width];
  for (const group of wide ? [left, right].filter(({ length }) => length > 0) : []) {
    const w = Math.max(1, ...group.map(({ width }) => width - narrow)) * CELL + 2 * GAP;
    const x = group === left ? -GAP - w : map.width + GAP;
    const end = pile(group, x, 0, w, 1) - GAP;
    const lowest = found.boxes.get(group.at(-1)?.id ?? '');
    if (lowest) lowest.h += Math.max(0, map.height - end);
    low = Math.max(low, end);
    [west, east] = [Math.min(west, x), Math.max(east, x + w)];
  }
  found.all = { x: west - RIM, y: top - RIM, w: east - west + 2 * RIM, h: low - top + 2 * RIM };
  return found;
}

/** As `layStrips`, with those on the left and right as makes the map largest in a window of `w` by `h`. */
export function bestStrips(areas: Area[], pieces: Piece[], map: HexMap, w: number, h: number): Strips {
  const ways = [layStrips(areas, pieces, map), layStrips(areas, pieces, map, true, 1), layStrips(areas, pieces, map, false)];
  const scale = ({ all }: Strips): number => Math.min(w / all.w, h / all.h);
  return ways.reduce((best, way) => (scale(way) > scale(best) * LARGER ? way : best));
}

const ends = (numbers: number[]): [number, number] => [Math.min(...numbers), Math.max(...numbers)];

/** Put counters into a strip, in the middle of its lines; how high it is, with room for `least` lines. */
function fill(strips: Strips, id: string, here: Piece[], box: Box, least: number): number {
  const each = Math.max(1, Math.floor(box.w / CELL));
  here.forEach((piece, i) => {
    const line = Math.floor(i / each);
    const inLine = Math.min(each, here.length - line * each);
    strips.pieces.set(piece.id, {
      x: box.x + box.w / 2 + ((i % each) - (inLine - 1) / 2) * CELL, y: box.y + HEAD + line * (CELL + GAP) + CELL / 2,
    });
  });
  const h = HEAD + Math.max(least, Math.ceil(here.length / each)) * (CELL + GAP);
  strips.boxes.set(id, { ...box, h });
  return h;
}
