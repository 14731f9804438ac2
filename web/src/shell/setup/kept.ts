// The army one was building, kept in this browser.
import type { Army } from '../../types';

const at = (game: string, seat: number): string => `legatus.army.${game}.${seat}`;

export function keepRoster(game: string, seat: number, army: Army): void {
  localStorage.setItem(at(game, seat), JSON.stringify(army));
}

export function keptRoster(game: string, seat: number): Army | null {
  try {
    const army: unknown = JSON.parse(localStorage.getItem(at(game, seat)) ?? 'null');
    return typeof army === 'object' ? (army as Army | null) : null;
  } catch {
    return null;
  }
}
