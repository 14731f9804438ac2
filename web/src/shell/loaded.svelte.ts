import { failureOf } from '../api';
import type { Failure } from '../types';
import { language } from '../words.svelte';

/** What a question to the server brought; it is asked again in another language, and when what `ask` reads changes. */
export class Loaded<T> {
  value = $state.raw<T | null>(null);
  failure = $state.raw<Failure | null>(null);
  #round = $state(0);

  constructor(ask: () => Promise<T>) {
    $effect(() => {
      void this.#round;
      void language.lang;
      let stale = false;
      ask().then(
        (value) => {
          if (stale) return;
          this.value = value;
          this.failure = null;
        },
        (error: unknown) => {
          if (!stale) this.failure = failureOf(error);
        },
      );
      return () => { stale = true; };
    });
  }

  again(): void {
    this.failure = null;
    this.#round++;
  }
}
