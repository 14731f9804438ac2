// A fortress while it is designed. What it costs and what the rules say to it, the server knows.
import { boxOf } from '../../board/open';
import type { Design, Lang, Part, PieceEntry, Pose, Workshop } from '../../types';
import { after, before, outline, settle, slots, snap, turnedOn, wheeled, wayOf, type Laid } from './joints';

interface Past { pieces: Laid[]; material: string }

const FIRST: Pose = [-308, -132, 0]; // of the first piece: the wall goes on to the right
const ASIDE = 132;

export class Plan {
  name = $state('');
  material = $state('wood');
  agreed = $state<string[]>([]);
  edge = $state(false);
  pieces = $state.raw<Laid[]>([]);
  selected = $state<number | null>(null);
  parts: Part[];
  #told: { name: string; about: Pick<Design, 'name' | 'name_fr' | 'text' | 'text_fr'> } | null = null; // until it gets another name
  #past = $state.raw<Past[]>([]);
  #last = 0; // the latest id

  constructor({ parts }: Workshop) {
    this.parts = parts;
  }

  get chosen(): Laid | undefined {
    return this.pieces.find(({ id }) => id === this.selected);
  }
  get canUndo(): boolean {
    return this.#past.length > 0;
  }
  part(kind: string, material: string): Part | undefined {
    return this.parts.find((part) => part.kind === kind && part.material === material);
  }

  /** The same parts in another language. */
  retell(parts: Part[]): void {
    const same = (old: Part): Part => parts.find(({ key }) => key === old.key) ?? old;
    this.parts = parts;
    this.pieces = this.pieces.map((one) => ({ ...one, part: same(one.part) }));
  }

  // --- changes

  #change(pieces: Laid[], selected = this.selected): void {
    this.#past = [...this.#past.slice(-99), { pieces: this.pieces, material: this.material }];
    this.pieces = pieces;
    this.selected = pieces.some(({ id }) => id === selected) ? selected : null;
  }
  #swap(one: Laid): void {
    this.#change(this.pieces.map((other) => (other.id === one.id ? one : other)), one.id);
  }
  undo(): void {
    const past = this.#past.at(-1);
    if (!past) return;
    this.#past = this.#past.slice(0, -1);
    this.pieces = past.pieces;
    this.material = past.material;
    if (!this.chosen) this.selected = null;
  }

  lay(part: Part, pose: Pose): Laid {
    const one: Laid = { id: ++this.#last, part, way: 0, pose };
    this.#change(settle([...this.pieces, one]), one.id);
    return one;
  }
  /** At the free end where one is working. */
  add(part: Part): Laid {
    return this.lay(part, this.tip(part));
  }
  tip(part: Part): Pose {
    const free = slots(part, this.pieces);
    const here = free.filter(({ of }) => of.id === this.selected);
    const end = ({ side }: { side: string }): boolean => side === 'end';
    const slot = here.find((one) => end(one) && one.way === one.of.way) ?? here[0] ?? free.find(end) ?? free[0];
    if (slot) return slot.pose;
    if (!this.pieces.length) return FIRST;
    const { x, w, y } = boxOf(this.pieces.flatMap((one) => outline(one.part, one.pose)));
    return snap(part, { x: x + w + ASIDE, y }, 0, []);
  }
  put(one: Laid, pose: Pose): void {
    this.#change(settle(this.pieces.map((other) => (other.id === one.id ? { ...one, pose } : other))), one.id);
  }
  nudge(one: Laid, x: number, y: number): void {
    this.put(one, [one.pose[0] + x, one.pose[1] + y, one.pose[2]]);
  }
  turn(one: Laid, by = 1): void {
    this.#swap(turnedOn(this.pieces, one, by));
  }
  remould(one: Laid): void {
    const other = this.parts.find(({ kind, material }) => kind === one.part.kind && material !== one.part.material);
    if (other) this.#swap({ ...one, part: other });
  }
  /** What stood before it is next. */
  remove(one: Laid): void {
    const next = before(this.pieces, one) ?? after(this.pieces, one);
    this.#change(this.pieces.filter((other) => other !== one), next?.id ?? null);
  }
  clear(): void {
    this.#change([]);
    this.name = '';
    this.agreed = [];
    this.edge = false;
    this.#told = null;
  }
  /** All of it a quarter of a turn. */
  wheel(): void {
    const { x, y, w, h } = boxOf(this.pieces.flatMap((one) => outline(one.part, one.pose)));
    const about = { x: Math.round(x + w / 2), y: Math.round(y + h / 2) };
    this.#change(this.pieces.map((one) => wheeled(one, about)));
  }
  /** The fortress in another material, and with it all pieces that are not of their own. */
  build(material: string): void {
    const old = this.material;
    this.#change(this.pieces.map((one) => (one.part.material === old ? { ...one, part: this.part(one.part.kind, material) ?? one.part } : one)));
    this.material = material;
  }
  agree(what: string, on: boolean): void {
    this.agreed = on ? [...this.agreed, what] : this.agreed.filter((other) => other !== what);
  }

  // --- files

  design(unnamed: string): Design {
    return {
      ...(this.#told?.name === this.name ? this.#told.about : { name: this.name.trim() || unnamed }), material: this.material,
      agreed: this.agreed, edge: this.edge, piece: this.pieces.map((one) => this.#entry(one)),
    };
  }
  #entry(one: Laid): PieceEntry {
    const { part, pose: [x, y, turn] } = one;
    const entry: PieceEntry = { kind: part.kind, at: [x / 100, y / 100], turn: turn / 10, bend: wayOf(one).bend };
    return part.material === this.material ? entry : { ...entry, material: part.material };
  }
  /** Take over a design that came from elsewhere. */
  read(design: Design, lang: Lang): void {
    const { material, agreed = [], edge = false, piece, ...about } = design;
    const name = (lang === 'fr' && about.name_fr) || about.name;
    const laid = piece.flatMap(({ kind, at, turn = 0, bend = '', material: own }): Laid[] => {
      const part = this.part(kind, own ?? material);
      const way = part?.ways.findIndex((other) => other.bend === bend) ?? -1;
      const pose: Pose = [Math.round(at[0] * 100), Math.round(at[1] * 100), Math.round(turn * 10) % 3600];
      return part ? [{ id: ++this.#last, part, way: Math.max(0, way), pose }] : [];
    });
    this.#change(laid, null);
    Object.assign(this, { name, material, agreed: [...agreed], edge });
    this.#told = name ? { name, about } : null;
  }
}

// --- what one was designing, kept in this browser

const at = (game: string): string => `legatus.fortress.${game}`;

export function keepDesign(game: string, design: Design): void {
  localStorage.setItem(at(game), JSON.stringify(design));
}
export function keptDesign(game: string): Design | null {
  try {
    const kept = JSON.parse(localStorage.getItem(at(game)) ?? 'null') as Design | null;
    return kept && Array.isArray(kept.piece) ? kept : null;
  } catch {
    return null;
  }
}
