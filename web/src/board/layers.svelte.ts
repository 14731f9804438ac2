// What a player wants to see over an open table: kept in this browser.
export type Layer = 'move' | 'ranges' | 'names';

const PLACE = 'legatus.layers';
const ALL: Layer[] = ['move', 'ranges', 'names'];

function read(): Layer[] {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? 'null') as unknown;
    return Array.isArray(kept) ? ALL.filter((layer) => kept.includes(layer)) : ALL;
  } catch {
    return ALL;
  }
}

export class Layers {
  #shown = $state.raw<Layer[]>(read());

  has(layer: Layer): boolean {
    return this.#shown.includes(layer);
  }

  toggle(layer: Layer): void {
    this.#shown = ALL.filter((one) => (one === layer) !== this.has(one));
    localStorage.setItem(PLACE, JSON.stringify(this.#shown));
  }
}
