// Things of a scene in words: for readers of screens, and for the card about them.
import type { Area, Card, Piece, Scene } from '../types';
import { t } from '../words.svelte';
import { counted } from './signs';

/** The full name of a figure of a sheet; the figure's own letters if there is none. */
export function valueName(key: string): string {
  const word = t(`board.value.${key}`);
  return word === `board.value.${key}` ? key : word;
}
export function groundName(key: string): string {
  const word = t(`board.ground.${key}`);
  return word === `board.ground.${key}` ? key.replaceAll('_', ' ') : word;
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

export function sayPiece(scene: Scene, piece: Piece, lit: boolean, place = true): string {
  const parts = [piece.label, sideName(scene, piece.side)];
  const area = scene.areas.find((a) => a.id === piece.place);
  if (place && area) parts.push(t('board.in', { place: area.label }));
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
  if (side) parts.push(t('board.half', { side }));
  if (!['reserve', 'segment'].includes(area.ground) && !area.marks.length) parts.push(groundName(area.ground));
  parts.push(...area.marks);
  if (area.note) parts.push(area.note);
  for (const card of scene.cards) if (card.place === area.id) parts.push(t('board.card_here', { card: card.label }));
  const n = scene.pieces.filter((piece) => piece.place === area.id).length;
  if (n) parts.push(t(n === 1 ? 'board.piece' : 'board.pieces', { n }));
  if (lit) parts.push(t('board.lit'));
  return parts.filter(Boolean).join(', ');
}

export function sayCard(card: Card, lit: boolean): string {
  return [t('board.card', { card: card.label }), card.text, lit ? t('board.lit') : ''].filter(Boolean).join(', ');
}
