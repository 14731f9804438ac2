// What the player calls himself, and when things were, in his language.
import type { Lang } from '../types';

const NAME = 'legatus.name';

export const playerName = (): string => localStorage.getItem(NAME) ?? '';
export const keepName = (name: string): void => localStorage.setItem(NAME, name.trim());

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400], ['hour', 3600], ['minute', 60], ['second', 1],
];

/** "3 hours ago"; what is older than a month gets its date. */
export function ago(iso: string, lang: Lang): string {
  const then = new Date(iso);
  const seconds = Math.min(0, (then.getTime() - Date.now()) / 1000);
  if (Number.isNaN(seconds)) return '';
  if (-seconds > 30 * 86_400) return then.toLocaleDateString(lang, { dateStyle: 'medium' });
  const [unit, size] = UNITS.find(([, size]) => -seconds >= size) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
}
