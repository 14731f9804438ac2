// The names on a map: each stands below its hex or above it, where it hides no other; if there is no room, it is left out.
import type { Marker } from '../types';
import { RADIUS, type HexMap } from './hexes';
import { meet, shortName, type Box, type Point } from './layout';

export interface Signpost extends Point { marker: Marker; name: string; w: number; h: number }

export const LETTER = 0.54; // the width of a letter to its height
const ROOMS = [99, 14, 10]; // letters of a name, the longer the better
const ROUND = 1.8; // the room for the worth and at the ends, in heights
const SHIFTS = [0, -0.16, 0.16, -0.32, 0.32]; // to the side, of its length

/**
 * Where the names of `markers` stand if letters are `size` high, the most precious first; those worth less than `least`
 * have none. One that finds no room may push others to another place.
 */
export function signposts(markers: Marker[], map: HexMap, size: number, least: number): Signpost[] {
  const named = markers.filter(({ name, kind, place }) => name !== '' && kind !== 'land' && map.hexes.has(place))
    .sort((a, b) => Number(b.note) - Number(a.note));
  const ways = new Map(named.map((marker) => [marker, Number(marker.note) < least ? [] : placesOf(marker, map, size)]));
  const placed = new Map<Marker, Signpost>();
  const blockers = (way: Signpost): Signpost[] => [...placed.values()].filter((other) => other.marker !== way.marker && meet(box(way), box(other)));
  const free = (marker: Marker): Signpost | undefined => ways.get(marker)?.find((way) => blockers(way).length === 0);

  for (const marker of named) {
    const way = free(marker);
    if (way) placed.set(marker, way);
  }
  for (const marker of named) if (!placed.has(marker)) ways.get(marker)?.some((way) => pushed(way));
  for (const marker of named) if (!placed.has(marker)) placed.set(marker, bare(marker, map, size, blockers));
  return [...placed.values()];

  /** Put it there if all that are in its way find another place. */
  function pushed(way: Signpost): boolean {
    const before = new Map(placed);
    const others = blockers(way);
    placed.set(way.marker, way);
    for (const { marker } of others) placed.delete(marker);
    for (const { marker } of others) {
      const other = free(marker);
      if (other) placed.set(marker, other);
    }
    if (others.every(({ marker }) => placed.has(marker))) return true;
    placed.clear();
    for (const [marker, post] of before) placed.set(marker, post);
    return false;
  }
}

function placesOf(marker: Marker, { hexes, width }: HexMap, size: number): Signpost[] {
  const at = hexes.get(marker.place) ?? { x: 0, y: 0 };
  return [...new Set(ROOMS.map((room) => shortName(marker.name, room)))].flatMap((name) => {
    const [w, h] = [(name.length * LETTER + ROUND) * size, size * 1.32];
    return SHIFTS.flatMap((aside) => [1, -1].map((down) => {
      const x = Math.min(Math.max(at.x + aside * w, w / 2), width - w / 2);
      return { marker, name, w, h, x, y: at.y + down * RADIUS * 0.78 };
    }));
  });
}

/** Only what it is worth, in a place where that hides no name if there is one. */
function bare(marker: Marker, { hexes }: HexMap, size: number, blockers: (way: Signpost) => Signpost[]): Signpost {
  const [at, h] = [hexes.get(marker.place) ?? { x: 0, y: 0 }, size * 1.32];
  const ways = [[0, 1], [0, -1], [-0.5, 0.6], [0.5, 0.6]].map(([x = 0, y = 0]) =>
    ({ marker, name: '', w: h, h, x: at.x + x * RADIUS, y: at.y + y * RADIUS * 0.78 }));
  return ways.find((way) => blockers(way).length === 0) ?? (ways[0] as Signpost);
}

export const box = ({ x, y, w, h }: Signpost): Box => ({ x: x - w / 2, y: y - h / 2, w, h });
