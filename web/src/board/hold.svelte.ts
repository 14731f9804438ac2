// A card in the hand: where it is wanted, and what the server says would become of it. Only the newest answer counts.
import type { Ghost, Piece, Pose } from '../types';
import type { Point } from './layout';
import { at } from './open';

export type Ask = (piece: string, grip: string, x: number, y: number, signal: AbortSignal) => Promise<Ghost | null>;

const PACE = 33; // milliseconds between questions, at least
const STEP = 25; // what an arrow key moves it by
const FAR = 3000; // from where a direction is exact
const SPIN = 15; // degrees that a page key turns it by
const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

export class Hold {
  piece = $state.raw<Piece | null>(null);
  grip = $state('');
  ghost = $state.raw<Ghost | null>(null);
  to = $state.raw<Point>({ x: 0, y: 0 });
  keyed = $state(false); // by keyboard: it stays in the hand until Enter or Escape
  landing = $state(false); // let go: the table will show it there soon

  #ask: Ask;
  #asked = 0;
  #shown = 0;
  #timer = 0;
  #last = 0;
  #spin = 0;
  #stop = new AbortController();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  take(piece: Piece, grip: string, to: Point, keyed = false): void {
    this.release();
    this.#stop = new AbortController();
    [this.piece, this.grip, this.to, this.keyed] = [piece, grip, to, keyed];
  }

  move(to: Point): void {
    if (this.piece === null || this.landing) return;
    this.to = to;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#question(), Math.max(0, this.#last + PACE - performance.now()));
  }

  /** Let it go here: what the server says of exactly this place. */
  async drop(): Promise<Ghost | null> {
    clearTimeout(this.#timer);
    const piece = this.piece;
    this.landing = true;
    await this.#question();
    return this.piece === piece ? this.ghost : null;
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
    this.#shown = ++this.#asked;
    [this.piece, this.ghost, this.keyed, this.landing, this.#spin] = [null, null, false, false, 0];
  }

  async #question(): Promise<void> {
    if (this.piece === null) return;
    const asked = ++this.#asked;
    this.#last = performance.now();
    try {
      const ghost = await this.#ask(this.piece.id, this.grip, Math.round(this.to.x), Math.round(this.to.y), this.#stop.signal);
      if (asked <= this.#shown) return; // a newer one was faster, or it was put back
      this.#shown = asked;
      this.ghost = ghost;
    } catch {
      // It is only a help: the next one, perhaps.
    }
  }

  /** A key while a card is in the hand, or that takes it there; whether it was for us. */
  key(event: KeyboardEvent, piece: Piece, from: Pose): boolean {
    const [arrow, page] = [ARROWS[event.key], { PageUp: -1, PageDown: 1 }[event.key]];
    const held = this.piece?.id === piece.id;
    if (arrow && piece.grips.includes('card') && (held || piece.acting)) {
      if (!held || this.grip !== 'card') this.take(piece, 'card', { x: from[0], y: from[1] }, true);
      this.move({ x: this.to.x + STEP * arrow[0], y: this.to.y + STEP * arrow[1] });
    } else if (page && piece.grips.includes('turn')) this.#turn(piece, from, page * SPIN, event.shiftKey || !piece.grips.includes('front-left'));
    else if (event.key === 'g' && !held && piece.grips.includes('card')) {
      this.take(piece, 'card', { x: from[0], y: from[1] }, true);
      this.move(this.to);
    } else return false;
    return true;
  }

  /** About its middle, or about the front corner that stays. */
  #turn(piece: Piece, from: Pose, by: number, about: boolean): void {
    const same = this.piece?.id === piece.id && (this.grip === 'turn') === about && this.grip !== 'card';
    const spin = (same ? this.#spin : 0) + by;
    const [w, h] = [piece.size[0] / 2, piece.size[1] / 2];
    const left = spin < 0; // the right corner comes forward about the left one
    this.take(piece, about ? 'turn' : left ? 'front-right' : 'front-left', { x: 0, y: 0 }, true);
    this.#spin = spin;
    const turned: Pose = [from[0], from[1], from[2] + spin * 10];
    if (about) this.move(at(turned, 0, FAR));
    else {
      const pivot = at(from, left ? -w : w, h);
      this.move(at([pivot.x, pivot.y, turned[2]], left ? FAR : -FAR, 0));
    }
  }
}
