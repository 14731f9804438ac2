// Moments of the past, fetched once.
import type { Frame } from '../types';

const KEPT = 80;

export class Moments {
  #fetch: (entry: number) => Promise<Frame>;
  #known = new Map<number, Promise<Frame>>();

  constructor(fetch: (entry: number) => Promise<Frame>) {
    this.#fetch = fetch;
  }

  at(entry: number): Promise<Frame> {
    const known = this.#known.get(entry);
    if (known !== undefined) return known;
    const asked = this.#fetch(entry);
    this.#known.set(entry, asked);
    asked.catch(() => { if (this.#known.get(entry) === asked) this.#known.delete(entry); });
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > KEPT && oldest !== undefined) this.#known.delete(oldest);
    return asked;
  }

  /** Fetch a few ahead of a replay. */
  prepare(from: number, end: number): void {
    for (let entry = from; entry < Math.min(from + 3, end); entry++) this.at(entry).catch(() => undefined);
  }

  forget(): void {
    this.#known.clear();
  }
}
