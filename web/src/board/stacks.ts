// Counters that lie on each other and face nowhere: which they are, and how they are spread out to be seen.
import type { Piece } from '../types';
import { COUNTER, isLoose, RADIUS, type HexMap, type Spot } from './hexes';
import type { Box, Point } from './layout';

const IN_ROW = 4;
const ROOM = 12; // between counters
const TIP = RADIUS * 0.52; // from the middle of the hex to where its tip begins

/** Stacks by their hexes: more than one counter in each, and all of them loose. */
export function stacks(pieces: Piece[], { hexes }: HexMap): Map<string, Piece[]> {
  const found = new Map<string, Piece[]>();
  for (const piece of pieces) if (hexes.has(piece.place)) found.set(piece.place, [...(found.get(piece.place) ?? []), piece]);
  return new Map([...found].filter(([, here]) => here.length > 1 && here.every(isLoose)));
}

export interface Fan { box: Box; spots: Map<string, Spot> }

/** A stack spread out, its counters `size` large, within `all`: a tip of its hex stays free, so that it can be clicked itself. */
export function fanOut(here: Piece[], at: Point, size: number, all: Box): Fan {
  const rows = Math.ceil(here.length / IN_ROW);
  const each = Math.ceil(here.length / rows);
  const cell = (COUNTER + ROOM) * size;
  const [w, h] = [each * cell + ROOM * size, rows * cell + ROOM * size];
  const up = at.y + TIP - h >= all.y;
  const [x, y] = [within(at.x, w, all.x, all.w), up ? at.y + TIP - h / 2 : at.y - TIP + h / 2];
  const spots = new Map(here.map((piece, i) => {
    const row = Math.floor(i / each);
    const inRow = Math.min(each, here.length - row * each);
    const along = (i % each) - (inRow - 1) / 2;
    return [piece.id, { x: x + along * cell, y: y + (row - (rows - 1) / 2) * cell, size, stacked: true }] as const;
  }));
  return { box: { x: x - w / 2, y: y - h / 2, w, h }, spots };
}

/** The middle of something `long`, as near to `middle` as it fits between `from` and `from + room`. */
function within(middle: number, long: number, from: number, room: number): number {
  return Math.max(Math.min(middle, from + room - long / 2), from + long / 2);
}
