// Frames come as fast as the computer plays; the pacer shows them one after the other.
import type { Frame } from '../types';

const CROWD = 6; // more than so many waiting: hurry, if somebody wants to play

export interface Stage {
  pause(frame: Frame): number; // milliseconds to look at what is shown before this frame may follow
  show(frame: Frame): void;
  waiting(frames: number): void;
  patient(): boolean; // nobody here wants to play: there is no need to hurry
}

export class Pacer {
  #stage: Stage;
  #queue: Frame[] = [];
  #timer = 0;
  #shownAt = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  add(frame: Frame): void {
    this.#queue.push(frame);
    if (this.#queue.length === 1) this.#schedule();
    else this.#stage.waiting(this.#queue.length);
  }

  /** Show all that waits, now. */
  skip(): void {
    clearTimeout(this.#timer);
    while (this.#queue.length > 0) this.#showNext();
    this.#stage.waiting(0);
  }

  /** Forget what waits. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#queue = [];
    this.#stage.waiting(0);
  }

  #schedule(): void {
    const next = this.#queue[0];
    this.#stage.waiting(this.#queue.length);
    if (next === undefined) return;
    const crowd = this.#stage.patient() ? 1 : Math.max(1, this.#queue.length / CROWD);
    const wait = this.#shownAt + this.#stage.pause(next) / crowd - performance.now();
    if (wait <= 0) this.#turn();
    else this.#timer = window.setTimeout(() => this.#turn(), wait);
  }

  #turn(): void {
    this.#showNext();
    this.#schedule();
  }

  #showNext(): void {
    const next = this.#queue.shift();
    if (next === undefined) return;
    this.#shownAt = performance.now();
    this.#stage.show(next);
  }
}
