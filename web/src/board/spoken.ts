// Things of a scene in words: for readers of screens, and for the card about them.
import type { Area, Card, Ghost, Marker, Piece, Scene } from '../types';
import { t } from '../words.svelte';
import { covers, isHex, sideOf } from './hexes';
import { inUnits, isIn, outlineOf } from './open';
import { counted, isFigure, isSum } from './signs';

/** The word `key.name` of ours; `name` itself if there is none. */
function word(key: string, name: string): string {
  const said = t(`${key}.${name}`);
  return said === `${key}.${name}` ? name.replaceAll('_', ' ') : said;
}

/** The full name of a figure of a sheet; the figure's own letters if there is none. */
export function valueName(key: string): string {
  return word('board.value', key);
}
export function groundName(key: string): string {
  return word('board.ground', key);
}
/** A part of an army: a wing has a track of its own, a command a chit, others are called by their colour. */
export function groupName({ tracks, pieces }: Pick<Scene, 'tracks' | 'pieces'>, key: string): string {
  return [tracks.find(({ id }) => id === `wing-${key}`), pieces.find(({ id }) => id === key)]
    .find((thing) => thing !== undefined)?.label ?? word('board.group', key);
}
export function groupLetter(key: string): string {
  return word('board.group', key).charAt(0).toUpperCase();
}
function sayGroup(scene: Scene, key: string): string {
  const name = groupName(scene, key);
  const isColour = name === word('board.group', key);
  return isColour && name !== key ? t('board.group', { colour: name }) : name === key ? '' : name;
}
export const markersAt = (scene: Scene, place: string): Marker[] =>
  scene.markers.filter((marker) => marker.place === place && marker.kind !== 'land');
export const piecesAt = (scene: Scene, place: string): Piece[] => scene.pieces.filter((piece) => covers(piece).includes(place));
/** A marker in words: whose it is, and where it faces. */
export function sayMarker(scene: Scene, { label, side, heading }: Marker): string {
  const more = [sideName(scene, side), heading === null ? '' : headingName(heading)].filter(Boolean).join(', ');
  return more ? `${label} (${more})` : label;
}
export function headingName(degrees: number): string {
  return word('board.heading', COMPASS[Math.round(degrees / 30) % 12] ?? '');
}
const COMPASS = ['n', 'nne', 'ne', 'e', 'se', 'sse', 's', 'ssw', 'sw', 'w', 'nw', 'nnw'];
/** Ground and height of a hex, as the game says it or else in our words, its rivers, and what lies in it. */
export function hexWords(scene: Scene, area: Area): string[] {
  const parts = area.marks.length ? [...area.marks] : [groundName(area.ground)];
  if (area.level && !area.marks.length) parts.push(t('board.level', { level: area.level }));
  const water = new Map<string, string[]>();
  for (const [a, b, what] of scene.lines) {
    if (a !== area.id && b !== area.id) continue;
    const other = scene.areas.find(({ id }) => id === (a === area.id ? b : a));
    const side = other && sideOf(area, other);
    if (side) water.set(what, [...(water.get(what) ?? []), word('board.compass', side)]);
  }
  for (const [what, where] of water) parts.push(t('board.along', { what, where: where.join(', ') }));
  return [...parts, ...markersAt(scene, area.id).map((marker) => sayMarker(scene, marker))];
}
/** Marks with a capital: an area may be called "the reserve of Rome". */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
export function tokenWords(tokens: string[]): string {
  return counted(tokens).map(([word, n]) => (n > 1 ? `${n} × ${word}` : word)).join(', ');
}
export function sideName(scene: Pick<Scene, 'sides'>, side: number | null): string {
  return side === null ? '' : (scene.sides[side] ?? '');
}

/** On an open table: the grounds and structures under the middle of a card. */
export function areasUnder(scene: Scene, { pose }: Piece): Area[] {
  return pose ? scene.areas.filter((area) => area.ground !== 'zone' && isIn(outlineOf(area), { x: pose[0], y: pose[1] })) : [];
}
/** Where a card of an open table is, and where it faces. */
function openWords(scene: Scene, piece: Piece): string[] {
  const { pose } = piece;
  if (!pose) return [t('board.open.waits')];
  const under = areasUnder(scene, piece).map(({ label }) => label);
  return [...under, t('board.open.at', { x: inUnits(pose[0]), y: inUnits(pose[1]) }), headingName(pose[2] / 10)];
}
/** What becomes of a card that is moved by keyboard. */
export function sayGhost(scene: Scene, { pose, do: line, cost, left, touches, reasons }: Ghost): string {
  const names = touches.map((id) => scene.pieces.find((piece) => piece.id === id)?.label ?? id).join(', ');
  return [
    t(line ? 'board.open.to' : 'board.open.not', { x: inUnits(pose[0]), y: inUnits(pose[1]) }), headingName(pose[2] / 10),
    cost && t('board.open.cost', { cost }), left && t('board.open.left', { left }),
    names && t('board.open.touches', { names }), reasons[0]?.[0] ?? '',
  ].filter(Boolean).join(', ');
}

/** All that stand where a piece does, the foremost first. */
export function othersWith(scene: Scene, piece: Piece): Piece[] {
  return scene.pieces.filter((other) => other !== piece && covers(other).some((place) => covers(piece).includes(place)));
}

export function sayPiece(scene: Scene, piece: Piece, lit: boolean, place = true): string {
  const parts = [piece.label, sideName(scene, piece.side)];
  const area = scene.areas.find((a) => a.id === piece.place);
  const isMap = scene.grid === 'hexes';
  const hex = area !== undefined && isMap && isHex(area);
  const isOpen = scene.grid === 'open';
  const also = scene.areas.find((a) => a.id === piece.beside);
  if (place && isOpen) parts.push(...openWords(scene, piece));
  else if (place && area) parts.push(isMap ? area.label : t('board.in', { place: area.label }));
  if (place && hex) parts.push(...hexWords(scene, area));
  if (place && also) parts.push(also.label, ...hexWords(scene, also));
  const others = hex ? othersWith(scene, piece) : [];
  if (others.length) parts.push(t('board.with', { others: others.map(({ label }) => label).join(', ') }));
  if (hex && piece.heading !== null) parts.push(headingName(piece.heading));
  const group = piece.group && piece.group !== piece.id ? sayGroup(scene, piece.group) : '';
  if (!piece.label.includes(group)) parts.push(group);
  if (isSum(piece.badge)) parts.push(t('board.sum', { n: piece.badge.slice(1) }));
  else if (isFigure(piece.badge)) parts.push(piece.badge.startsWith('×') ? piece.badge : '');
  else if (isOpen) parts.push(piece.badge && !piece.marks.length ? piece.badge : '');
  else if (piece.badge && !piece.beside) parts.push(t('board.order', { order: piece.badge === '?' ? t('board.hidden') : piece.badge }));
  if (piece.acting) parts.push(t('board.acting'));
  if (piece.hidden) parts.push(t('board.hidden'));
  for (const [key, value] of Object.entries(piece.values)) parts.push(`${valueName(key)} ${value}`);
  if (piece.losses > 0) {
    parts.push(piece.strength
      ? t('board.losses_of', { losses: piece.losses, strength: piece.strength })
      : t('board.losses', { losses: piece.losses }));
  }
  parts.push(...piece.marks);
  if (piece.tokens.length) parts.push(t('board.tokens', { tokens: tokenWords(piece.tokens) }));
  if (piece.facing !== 'front') parts.push(t(`board.facing.${piece.facing}`));
  if (lit) parts.push(t('board.lit'));
  return parts.filter(Boolean).join(', ');
}

export function sayArea(scene: Scene, area: Area, lit: boolean): string {
  const parts = [capital(area.label)];
  const side = sideName(scene, area.side);
  const isMap = scene.grid === 'hexes';
  if (scene.grid === 'open') return sayOpenArea(scene, area, side, lit);
  if (side && !(isMap && isHex(area))) parts.push(isMap ? side : t('board.half', { side }));
  if (isMap && isHex(area)) parts.push(...hexWords(scene, area));
  else {
    if (!isMap && !['reserve', 'segment'].includes(area.ground) && !area.marks.length) parts.push(groundName(area.ground));
    parts.push(...area.marks);
  }
  if (area.note) parts.push(area.note);
  for (const card of scene.cards) if (card.place === area.id) parts.push(t('board.card_here', { card: card.label }));
  const n = piecesAt(scene, area.id).length;
  if (n) parts.push(t(n === 1 ? 'board.piece' : 'board.pieces', { n }));
  if (lit) parts.push(t('board.lit'));
  return parts.filter(Boolean).join(', ');
}

function sayOpenArea(scene: Scene, area: Area, side: string, lit: boolean): string {
  const here = scene.pieces.filter(({ place }) => place === area.id).map(({ label }) => label);
  return [
    capital(area.label), side, area.level ? t('board.level', { level: area.level }) : '', ...area.marks,
    area.losses ? t(area.strength ? 'board.losses_of' : 'board.losses', { losses: area.losses, strength: area.strength }) : '',
    ...here, lit ? t('board.lit') : '',
  ].filter(Boolean).join(', ');
}

export function sayCard(card: Card, lit: boolean, n = 1): string {
  return [t('board.card', { card: card.label }), n > 1 ? `×${n}` : '', card.text, lit ? t('board.lit') : ''].filter(Boolean).join(', ');
}
