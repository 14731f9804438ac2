// The state of a game page: what the server said, what the player is about to do, and where he looks.
import * as api from '../api';
import { covers } from '../board/hexes';
import { capital } from '../board/spoken';
import { Live, mergeLog, type Connection } from '../live';
import type {
  ActionInfo, Done, Failure, Frame, Ghost, LogEntry, Look, LuckAsk, MatchInfo, MenuEntry, OddsInfo, Reason, SeatInfo,
} from '../types';
import { language, t } from '../words.svelte';
import { choiceOf, clicksAfter, idsOnScene } from './clicks';
import { Moments } from './moments';
import { Pacer } from './pacer';
import { SPEEDS, settings } from './settings.svelte';

export type Tab = 'log' | 'moves' | 'rules' | 'players';
export interface Trouble { message: string; retry: (() => void) | null }
export interface UnitMenu { piece: string; legal: ActionInfo[]; barred: MenuEntry[] }
export interface WhyNot { about: string; legal: boolean; reasons: Reason[] }

const OLD_DICE = 3; // entries for which the dice stay in the tray
const HOVER = 250; // milliseconds over a thing before its odds are asked for
const LOOKS = 300; // answers about pieces that are kept
const SHORTEST_STEP = 250; // milliseconds between the moments of a replay, at least

const reducedMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class Table {
  readonly id: string;

  // What the server said.
  match = $state.raw<MatchInfo | null>(null);
  now = $state.raw<Frame | null>(null); // the newest moment that was shown
  log = $state.raw<LogEntry[]>([]);
  waiting = $state(0); // moments that came and were not shown yet
  connection = $state.raw<Connection>({ state: 'connecting', since: Date.now() });
  fatal = $state.raw<Failure | null>(null); // there is no such match, or it cannot be read
  trouble = $state.raw<Trouble | null>(null);

  // What the player is about to do.
  chosen = $state.raw<string[]>([]);
  pending = $state.raw<ActionInfo | null>(null); // chosen, to be confirmed
  luck = $state.raw<{ action: ActionInfo; ask: LuckAsk } | null>(null);
  why = $state.raw<WhyNot | null>(null);
  menu = $state.raw<UnitMenu | null>(null); // of a piece of ours that was clicked
  asking = $state(false); // for that menu: what was clicked may be done as soon as it is there
  pointed = $state.raw<ActionInfo | null>(null); // an action under the pointer or the focus
  #commanding = $state(false);
  #expects = $state(0); // the number that our last command will bring

  // Where he looks.
  viewer = $state(''); // the seat whose eyes we see with; empty: as the server thinks best
  curtain = $state<string | null>(null); // the seat that the screen must be handed to
  about = $state<string | null>(null); // a thing of the scene
  closer = $state.raw<{ piece: string; number: number; look: Look } | null>(null); // a piece, looked at closely
  past = $state.raw<Frame | null>(null);
  lookingAt = $state<number | null>(null); // the entry of `past`, as soon as it is asked for
  replaying = $state(false);
  tab = $state<Tab>('log');
  clause = $state.raw<{ id: string } | null>(null); // a fresh object each time, so that asking again goes there again
  endingClosed = $state(false);
  measuring = $state(false); // with the tape of an open table

  frame = $derived(this.past ?? this.now);
  mine = $derived<SeatInfo[]>(this.match?.seats.filter((seat) => seat.yours) ?? []);
  busy = $derived(this.#commanding || this.waiting > 0 || (this.now !== null && this.now.number < this.#expects));
  playable = $derived(
    this.now !== null && this.now.yours && this.past === null && this.curtain === null
    && !this.busy && this.luck === null,
  );
  onScene = $derived<Set<string>>(this.frame === null ? new Set() : idsOnScene(this.frame.scene));
  onMap = $derived(this.frame !== null && this.frame.scene.grid !== ''); // hexes, or an open table
  actions = $derived<ActionInfo[]>(this.playable ? this.#clickable(this.now?.actions ?? []) : []);
  choice = $derived(choiceOf(this.actions, this.chosen, this.onScene));
  // A group is not on the scene: all of its pieces stand for it.
  lit = $derived(this.#withGroups(
    [...this.choice.lit, ...this.#goals(), ...this.#placesOf(this.choice.offered)], [...this.choice.offered, ...this.choice.lit],
  ));
  marked = $derived(this.past === null ? this.#withGroups(this.chosen, this.chosen) : new Set<string>());
  plain = $derived(this.actions.filter((action) => action.clicks.length === 0));
  previewed = $derived(this.pending ?? this.pointed ?? (this.menu === null ? this.#soleAttack(this.chosen) : null) ?? this.#onlyRisk());
  studied = $derived(this.#studied());
  curtainOn = $derived(this.match?.secrets === true && (settings.curtain === 'auto' ? this.match.luck === 'server' : settings.curtain === 'on'));
  mayLookOpen = $derived(this.match !== null && this.match.secrets && (this.match.over || this.match.replay));
  dice = $derived(this.#newestDice());

  #live: Live | null = null;
  #have = { number: 0, entries: 0 };
  #odds = new Map<string, Promise<OddsInfo>>();
  #closer = new Map<string, Promise<Look>>();
  #moments: Moments;
  #looks = 0;
  #pointing = 0;
  #pacer = new Pacer({
    pause: (frame) => this.#pause(frame),
    show: (frame) => this.#show(frame),
    waiting: (frames) => { this.waiting = frames; },
    patient: () => this.mine.length === 0,
  });

  constructor(id: string) {
    this.id = id;
    this.#moments = new Moments((entry) => api.frame(id, this.viewer, entry));
  }

  // --- coming and going

  async open(entry: number | null): Promise<void> {
    try {
      this.match = await api.match(this.id);
    } catch (error) {
      this.fatal = api.failureOf(error);
      return;
    }
    this.#takeSeat(this.match);
    if (entry === null && this.match.replay) entry = 0;
    if (entry !== null && entry < this.match.entries - 1) void this.look(entry);
    this.#live = new Live(this.id, {
      hello: () => ({ key: api.storedKey(), seen_as: this.viewer, lang: language.lang, ...this.#have }),
      frame: (frame) => this.#receive(frame),
      match: (match) => { this.match = match; },
      trouble: (failure) => { this.trouble = { message: failure.message, retry: null }; },
      connection: (connection) => { this.connection = connection; },
    });
  }

  close(): void {
    this.#live?.close();
    this.#pacer.clear();
    this.replaying = false;
  }

  reconnect(): void {
    this.#live?.again();
  }

  /** Texts come from the server in one language: ask for all of them again. */
  async translate(): Promise<void> {
    this.#refresh();
    const entry = this.lookingAt;
    if (entry !== null) void this.look(entry);
    try {
      this.match = await api.match(this.id);
    } catch (error) {
      this.trouble = { message: api.failureOf(error).message, retry: null };
    }
  }

  #refresh(): void {
    this.#have = { number: 0, entries: 0 };
    this.#odds.clear();
    this.#moments.forget();
    this.#live?.hello();
  }

  // --- moments that come

  #receive(frame: Frame): void {
    if (this.viewer !== '' && frame.seen_as !== this.viewer) return; // sent before we changed seats
    this.#have = { number: frame.number, entries: frame.entry + 1 };
    this.#pacer.add(frame);
    if (document.hidden) this.#pacer.skip();
  }

  #pause(frame: Frame): number {
    const seat = frame.log.at(-1)?.seat ?? '';
    const ours = seat === '' || this.mine.some((s) => s.seat === seat);
    const reload = this.now === null || frame.log_from === 0 || frame.number <= this.now.number;
    if (ours || reload || this.past !== null || document.hidden || reducedMotion()) return 0;
    return SPEEDS[settings.speed];
  }

  #show(frame: Frame): void {
    const before = this.now;
    this.now = frame;
    this.log = mergeLog(this.log, frame);
    if (before === null || before.number !== frame.number) this.#forgetPlans();
    // something was taken back, or the match is over and its entries have new numbers
    if (before !== null && (frame.entry <= before.entry || frame.log_from === 0)) this.#moments.forget();
    if (this.lookingAt !== null && this.lookingAt >= frame.entry) this.backToNow();
    if (frame.ending !== null && this.match?.over === false) void this.#learnMatch();
    if (frame.yours && !before?.yours) this.#call(frame);
    this.#passScreen(frame);
  }

  #forgetPlans(): void {
    this.chosen = [];
    this.pending = null;
    this.pointed = null;
    this.why = null;
    this.menu = null;
    this.#odds.clear();
  }

  async #learnMatch(): Promise<void> {
    try {
      this.match = await api.match(this.id);
    } catch {
      // The next message of the socket tells it as well.
    }
  }

  skip(): void {
    this.#pacer.skip();
  }

  // --- seats of one screen

  #takeSeat(match: MatchInfo): void {
    if (this.mine.length < 2 || match.over) return;
    const sat = sessionStorage.getItem(`legatus.seat.${this.id}`);
    const turn = this.mine.find((seat) => seat.seat === match.turn)?.seat;
    if (!this.curtainOn || (sat !== null && (sat === turn || turn === undefined))) {
      this.viewer = turn ?? sat ?? this.mine[0]?.seat ?? '';
    } else {
      this.viewer = 'spectator'; // nobody's secrets, until somebody says that he sits here
      this.curtain = turn ?? null;
    }
  }

  #passScreen(frame: Frame): void {
    if (this.mine.length < 2 || frame.turn === this.viewer || frame.turn === '') return;
    if (!this.mine.some((seat) => seat.seat === frame.turn)) return;
    if (this.curtainOn) this.curtain = frame.turn;
    else this.sit(frame.turn);
  }

  /** The one who was called for sits down. */
  liftCurtain(): void {
    const seat = this.curtain;
    if (seat === null) return;
    this.now = null;
    this.log = [];
    this.curtain = null;
    this.sit(seat);
  }

  /** See with the eyes of a seat, of a spectator, or ('open') of everybody. */
  sit(viewer: string): void {
    this.viewer = viewer;
    if (this.mine.some((seat) => seat.seat === viewer)) sessionStorage.setItem(`legatus.seat.${this.id}`, viewer);
    this.#pacer.clear();
    this.#refresh();
    if (this.lookingAt !== null) void this.look(this.lookingAt);
  }

  toggleOpen(): void {
    this.sit(this.now?.seen_as === 'open' ? (this.mine[0]?.seat ?? 'spectator') : 'open');
  }

  /** The number of a seat, or null: nobody's. */
  sideOf(seat: string): number | null {
    const side = this.match?.seats.findIndex((s) => s.seat === seat) ?? -1;
    return side < 0 ? null : side;
  }

  /** What a seat is called where a sentence begins. */
  label(seat: string): string {
    return capital(this.match?.seats.find((s) => s.seat === seat)?.label ?? seat);
  }

  #call(frame: Frame): void {
    if (!document.hidden || !settings.notify || !('Notification' in window)) return;
    if (Notification.permission !== 'granted') return;
    const title = t('table.title.yours', { game: frame.scene.title });
    const note = new Notification(title, { body: frame.prompt?.text, tag: `legatus-${this.id}`, icon: '/icon.svg' });
    note.onclick = () => { window.focus(); note.close(); };
  }

  // --- an open table

  /** On an open table lengths and angles cannot be clicked: what they say is a button, or done by dragging. */
  #clickable(actions: ActionInfo[]): ActionInfo[] {
    if (this.frame?.scene.grid !== 'open') return actions;
    return actions.map((action) => ({ ...action, clicks: action.clicks.filter((id) => this.onScene.has(id)) }));
  }

  /** What becomes of a card that is dragged. */
  askGhost = (piece: string, grip: string, x: number, y: number, signal: AbortSignal): Promise<Ghost | null> =>
    api.ghost(this.id, piece, grip, x, y, this.frame?.seen_as, signal);

  /** A card was let go where it can stand. */
  drop(line: string): void {
    const known = this.actions.find((action) => action.do === line);
    this.commit(known ?? { do: line, label: '', clicks: [], verb: line.split(' ')[0] ?? '', remark: '', odds: false });
  }

  // --- clicks

  async pick(id: string): Promise<void> {
    if (this.past !== null) return;
    this.why = null;
    this.menu = null;
    this.pending = null;
    if (this.busy || this.luck !== null) return;
    const clicks = this.clicksOn(id);
    const { onMap } = this;
    if (clicks === null) {
      const before = this.chosen;
      if (onMap && this.#isOurs(id)) this.chosen = [];
      if (!onMap || !(await this.#askMenu(id))) void this.askWhy([...before, id]);
      return;
    }
    this.chosen = this.#beyondForced(clicks);
    const begins = clicks.length === 1 && clicks[0] === id;
    if (this.choice.send !== null && !(begins && onMap && (await this.#askMenu(id)))) this.commit(this.choice.send);
    else if (begins && this.menu === null) void this.#askMenu(id);
  }

  /** Ask what a piece of ours can do, if it was chosen; whether there is something to say beyond what shines. */
  async #askMenu(piece: string): Promise<boolean> {
    const { frame, chosen } = this;
    if (frame === null || !this.playable || !this.#isOurs(piece)) return false;
    this.asking = true;
    try {
      const { entries } = await api.menu(this.id, piece, frame.seen_as);
      if (this.frame !== frame || this.chosen !== chosen) return true; // he has gone on
      const barred = entries.filter(({ legal }) => !legal);
      const can = new Set(entries.filter(({ legal }) => legal).map((entry) => entry.do));
      if (barred.length > 0) this.menu = { piece, barred, legal: this.actions.filter((action) => can.has(action.do)) };
      return barred.length > 0;
    } catch {
      return false; // it is only a help
    } finally {
      this.asking = false;
    }
  }

  #isOurs(id: string): boolean {
    const { frame } = this;
    return frame !== null && frame.scene.pieces.find((piece) => piece.id === id)?.side === this.sideOf(frame.seen_as);
  }

  /** What a click on a thing says: itself, its ground, its group, or what lies there; rather a step on than one back. */
  private clicksOn(id: string): string[] | null {
    const found = [clicksAfter(this.actions, this.chosen, id), this.clicksOnGround(id), this.clicksOnGroup(id), this.clicksOnMarker(id)];
    return found.find((clicks) => clicks !== null && clicks.length > this.chosen.length) ?? found.find((clicks) => clicks !== null) ?? null;
  }

  /** A group, or the piece about which is decided, need not be named if it alone can come next. */
  #beyondForced(clicks: string[]): string[] {
    const pieces = this.frame?.scene.pieces ?? [];
    const plain = new Set(pieces.flatMap(({ id, group, acting }) => (acting ? [id, group] : [group])));
    for (let on = clicks; ;) {
      const { left, complete } = choiceOf(this.actions, on, this.onScene);
      const [next, ...others] = new Set(left.flatMap(({ rest }) => rest.slice(0, 1)));
      if (next === undefined || others.length > 0 || complete.length > 0 || on.length < 1 || !plain.has(next)) return on;
      on = [...on, next];
    }
  }

  /** On a map: where the one piece that is asked can go, so that it need not be clicked first. */
  #goals(): string[] {
    const scene = this.frame?.scene;
    const moves = this.chosen.length === 0 && scene?.grid === 'hexes' ? this.actions.filter(({ clicks }) => clicks.length > 0) : [];
    const [first, ...others] = new Set(moves.map(({ clicks }) => clicks[0]));
    const asked = others.length === 0 && scene?.pieces.some(({ id, acting }) => acting && id === first);
    return asked ? moves.flatMap(({ clicks }) => clicks.slice(1, 2)).filter((id) => this.onScene.has(id)) : [];
  }

  /** A piece that is not meant covers the ground on which it stands: then the ground is meant. */
  private clicksOnGround(id: string): string[] | null {
    const scene = this.frame?.scene;
    const piece = scene?.pieces.find((one) => one.id === id);
    if (!piece || (this.chosen.length === 0 && !this.onMap)) return null;
    const found = covers(piece).map((place) => clicksAfter(this.actions, this.chosen, place));
    return found.find((clicks) => clicks !== null) ?? null;
  }

  /** Likewise its group, where that is asked for or was chosen. */
  private clicksOnGroup(id: string): string[] | null {
    const group = this.frame?.scene.pieces.find((piece) => piece.id === id)?.group;
    return group ? clicksAfter(this.actions, this.chosen, group) : null;
  }

  /** A thing that lies in a place is not on the scene itself: the place stands for it. */
  private clicksOnMarker(id: string): string[] | null {
    const scene = this.frame?.scene;
    const place = scene?.pieces.find((piece) => piece.id === id)?.place ?? id;
    const found = scene?.markers.filter((marker) => marker.place === place).map((marker) => clicksAfter(this.actions, this.chosen, marker.id));
    return found?.find((clicks) => clicks !== null) ?? null;
  }

  #placesOf(ids: string[]): string[] {
    return this.frame?.scene.markers.filter(({ id }) => ids.includes(id)).map(({ place }) => place) ?? [];
  }

  #withGroups(ids: string[], groups: string[]): Set<string> {
    const pieces = groups.length > 0 ? (this.frame?.scene.pieces ?? []) : [];
    return new Set([...ids, ...pieces.filter(({ group }) => group !== '' && groups.includes(group)).map(({ id }) => id)]);
  }

  takeBack(): void {
    if (this.why !== null) this.why = null;
    else if (this.pending !== null && (this.menu !== null || this.pending.clicks.length !== this.chosen.length)) this.pending = null;
    else {
      this.pending = null;
      this.menu = null;
      this.chosen = this.chosen.slice(0, -1);
    }
  }

  /** What a player calls an id of the clicks. */
  nameOf(id: string): string {
    const scene = this.frame?.scene;
    const things = scene ? [...scene.pieces, ...scene.areas, ...scene.cards, ...scene.tracks] : [];
    return capital(things.find((thing) => thing.id === id)?.label ?? this.frame?.names[id] ?? id);
  }

  /** What an action is called where it is plain who acts: without his name before a colon. */
  briefly(label: string): string {
    const who = this.nameOf(this.menu?.piece ?? this.chosen[0] ?? '');
    const said = who && label.startsWith(who) ? /^\s?:\s*(.+)/.exec(label.slice(who.length))?.[1] : undefined;
    return said === undefined ? label : capital(said);
  }

  /** The pointer is over a thing of the scene, or over none. */
  point(id: string | null): void {
    this.about = id;
    clearTimeout(this.#pointing);
    if (id === null) this.pointed = null;
    else this.#pointing = window.setTimeout(() => { this.pointed = this.#soleAttack([...this.chosen, id]); }, HOVER);
  }

  /** The piece to look at closely: the one pointed at, the last that was chosen, or the one that acts. */
  #studied(): string | null {
    const scene = this.frame?.scene;
    if (!scene || !this.onMap) return null;
    const pieces = new Set(scene.pieces.map(({ id }) => id));
    if (this.about !== null && pieces.has(this.about)) return this.about;
    const acting = this.playable ? scene.pieces.filter((piece) => piece.acting) : [];
    return this.chosen.findLast((id) => pieces.has(id)) ?? (acting.length === 1 ? (acting[0]?.id ?? null) : null);
  }

  /** Ask for all that there is to know about a piece of the moment that is shown. */
  async study(piece: string): Promise<void> {
    const { frame } = this;
    if (frame === null) return;
    const { number, entry, seen_as } = frame;
    const key = [number, entry, seen_as, language.lang, piece].join(' ');
    if (!this.#closer.has(key) && this.#closer.size >= LOOKS) this.#closer.clear();
    const asked = this.#closer.get(key) ?? api.look(this.id, piece, seen_as, entry);
    this.#closer.set(key, asked);
    try {
      const look = await asked;
      if (this.studied === piece && this.frame === frame) this.closer = { piece, number, look };
    } catch {
      this.#closer.delete(key); // it is only a help: the next time, perhaps
    }
  }

  #soleAttack(clicks: string[]): ActionInfo | null {
    if (clicks.length === 0) return null;
    const risky = choiceOf(this.actions, clicks, this.onScene).left.filter(({ action }) => action.odds);
    return risky.length === 1 ? (risky[0]?.action ?? null) : null;
  }

  /** Where one thing that needs no click is at risk, its odds are worth knowing before anything is done. */
  #onlyRisk(): ActionInfo | null {
    const risky = this.chosen.length === 0 && this.onMap ? this.plain.filter(({ odds }) => odds) : [];
    return risky.length === 1 ? (risky[0] ?? null) : null;
  }

  // --- questions

  async askWhy(clicks: string[]): Promise<void> {
    const about = clicks.map((id) => this.nameOf(id)).join(' → ');
    try {
      this.why = { about, ...(await api.why(this.id, { clicks })) };
    } catch (error) {
      this.#failed(error, () => void this.askWhy(clicks));
    }
  }

  odds(action: ActionInfo): Promise<OddsInfo> {
    const known = this.#odds.get(action.do);
    if (known !== undefined) return known;
    const asked = api.odds(this.id, action.do);
    this.#odds.set(action.do, asked);
    asked.catch(() => this.#odds.delete(action.do));
    return asked;
  }

  openClause(id: string): void {
    this.clause = { id };
    this.tab = 'rules';
  }

  // --- commands

  /** Do it, or show the odds and ask once more where dice are thrown and something else could be done. */
  commit(action: ActionInfo): void {
    if (!this.playable) return;
    this.why = null;
    if (action.odds && settings.confirm && this.actions.some(({ odds }) => !odds)) this.pending = action;
    else void this.act(action);
  }

  async act(action: ActionInfo, dice: number[] = []): Promise<void> {
    const number = this.now?.number ?? 0;
    const request = api.requestId();
    await this.#command(() => api.act(this.id, number, action.do, dice, request), action);
  }

  /** The players threw: the same action again, with what fell. */
  async tellLuck(fell: number[]): Promise<void> {
    if (this.luck !== null) await this.act(this.luck.action, [...this.luck.ask.dice, ...fell]);
  }

  cancelLuck(): void {
    this.luck = null;
    this.chosen = [];
  }

  async undo(): Promise<void> {
    if (!this.now?.undo || this.busy || this.luck !== null || this.past !== null) return;
    const { number } = this.now;
    const request = api.requestId();
    await this.#command(() => api.undo(this.id, number, request), null);
  }

  async download(): Promise<void> {
    try {
      await api.downloadRecord(this.id);
    } catch (error) {
      this.#failed(error, () => void this.download());
    }
  }

  async #command(run: () => Promise<Done>, action: ActionInfo | null): Promise<void> {
    if (this.#commanding) return;
    this.#commanding = true;
    this.trouble = null;
    try {
      const done = await run();
      this.#live?.again(); // the server answers: if the socket is down, it need not be
      this.luck = done.luck !== null && action !== null ? { action, ask: done.luck } : null;
      this.pending = null;
      if (done.luck === null) {
        this.chosen = [];
        this.menu = null;
        this.#expects = done.number;
      }
    } catch (error) {
      this.#failed(error, () => void this.#command(run, action));
    } finally {
      this.#commanding = false;
    }
  }

  #failed(error: unknown, retry: () => void): void {
    const failure = api.failureOf(error);
    if (failure.code === 'conflict') {
      this.luck = null;
      this.#forgetPlans();
      this.#refresh();
    } else if (failure.reasons.length > 0) {
      this.why = { about: failure.message, legal: false, reasons: failure.reasons };
    } else {
      this.trouble = { message: failure.message, retry: failure.code === 'network' ? retry : null };
    }
  }

  // --- the past

  async look(entry: number): Promise<void> {
    if (this.now !== null && entry >= this.now.entry) {
      this.backToNow();
      return;
    }
    this.lookingAt = Math.max(0, entry);
    this.why = null;
    const asked = ++this.#looks;
    try {
      const frame = await this.#moments.at(this.lookingAt);
      if (asked === this.#looks) this.past = frame;
    } catch (error) {
      if (asked !== this.#looks) return;
      this.backToNow();
      this.#failed(error, () => void this.look(entry));
    }
  }

  backToNow(): void {
    this.#looks++;
    this.past = null;
    this.lookingAt = null;
    this.replaying = false;
  }

  /** One moment on or back from where we look. */
  step(by: number): void {
    if (this.now === null) return;
    this.replaying = false;
    void this.look((this.lookingAt ?? this.now.entry) + by);
  }

  async replay(): Promise<void> {
    if (this.now === null || this.replaying) return;
    this.replaying = true;
    if (this.lookingAt === null) await this.look(0);
    while (this.replaying && this.lookingAt !== null) {
      this.#moments.prepare(this.lookingAt + 1, this.now.entry);
      await sleep(Math.max(SHORTEST_STEP, SPEEDS[settings.speed]));
      if (this.replaying && this.lookingAt !== null) await this.look(this.lookingAt + 1);
    }
    this.replaying = false;
  }

  #newestDice(): { dice: number[]; text: string; side: number | undefined } {
    const last = this.lookingAt ?? this.now?.entry ?? 0;
    const recent = this.log.filter(({ entry, lines }) =>
      entry <= last && entry > last - OLD_DICE && lines.some(({ dice }) => dice.length > 0));
    const entry = recent.at(-1);
    const line = entry?.lines.findLast(({ dice }) => dice.length > 0);
    return { dice: line?.dice ?? [], text: line?.text ?? '', side: this.sideOf(entry?.seat ?? '') ?? undefined };
  }
}
