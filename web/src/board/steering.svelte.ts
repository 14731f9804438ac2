// The keyboard on a board: one thing at a time can be reached by Tab, arrows go on from it.
import type { Point } from './layout';

export interface Helm {
  anchors(): Map<string, Point>; // all that can be reached, and where it is
  lit(): Set<string>;
  sway?: number; // what a step aside costs, against one straight on
  pane(): { zoomBy(factor: number): void; showAll(): void; reveal(at: Point): void; enter(id: string): void } | undefined;
  pick(id: string): void;
  key?(event: KeyboardEvent, id: string): boolean; // keys of its own: whether it took this one
  about(id: string | null): void;
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

export class Steering {
  readonly helm: Helm;
  #cursor = $state('');
  #anchors = $derived.by(() => this.helm.anchors());
  #inOrder = $derived([...this.#anchors].sort(([, a], [, b]) => a.y - b.y || a.x - b.x).map(([id]) => id));
  #first = $derived.by(() => this.#inOrder.find((id) => this.helm.lit().has(id)) ?? this.#inOrder[0] ?? '');
  /** The one that Tab reaches. */
  current = $derived(this.#anchors.has(this.#cursor) ? this.#cursor : this.#first);

  constructor(helm: Helm) {
    this.helm = helm;
  }

  focused(id: string): void {
    this.#cursor = id;
    this.helm.about(id);
  }

  key(event: KeyboardEvent, id: string): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.helm.key?.(event, id)) {
      event.preventDefault();
      return;
    }
    const arrow = ARROWS[event.key];
    const pane = this.helm.pane();
    if (arrow) this.#go(this.#nearest(id, ...arrow));
    else if (event.key === 'Enter' || event.key === ' ') this.helm.pick(id);
    else if (event.key === 'Home') this.#go(this.#inOrder[0]);
    else if (event.key === 'End') this.#go(this.#inOrder.at(-1));
    else if (event.key === 'n' || event.key === 'N') this.#go(this.#nextLit(id, event.shiftKey));
    else if (event.key === '+' || event.key === '=') pane?.zoomBy(1.35);
    else if (event.key === '-') pane?.zoomBy(1 / 1.35);
    else if (event.key === '0') pane?.showAll();
    else return;
    event.preventDefault();
  }

  #nextLit(id: string, back: boolean): string | undefined {
    const ring = back ? [...this.#inOrder].reverse() : this.#inOrder;
    const at = ring.indexOf(id);
    return [...ring.slice(at + 1), ...ring.slice(0, at)].find((other) => this.helm.lit().has(other));
  }

  #go(id: string | undefined): void {
    if (id === undefined) return;
    const at = this.#anchors.get(id);
    if (at) this.helm.pane()?.reveal(at);
    this.helm.pane()?.enter(id);
  }

  #nearest(from: string, dx: number, dy: number): string | undefined {
    const here = this.#anchors.get(from);
    if (!here) return undefined;
    let best: string | undefined;
    let least = Infinity;
    for (const [id, there] of this.#anchors) {
      const along = (there.x - here.x) * dx + (there.y - here.y) * dy;
      const across = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
      if (id === from || along < 4) continue;
      const tie = (there.x - here.x) * dy * 0.001; // down to the left, up to the right: there and back again
      const cost = along + (this.helm.sway ?? 3) * across + (across > along ? 4000 : 0) + tie;
      if (cost < least) [best, least] = [id, cost];
    }
    return best;
  }
}
