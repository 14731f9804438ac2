// A battle while it is being set up.
import type { Army, CheckedArmy, Failure, GameInfo, LuckMode, NewMatch, ScenarioInfo, SeatPlan } from '../../types';
import { Roster } from '../builder/roster.svelte';
import { playerName } from '../player';
import { BOT } from '../quick';

export type Who = SeatPlan['who'];
export type Preset = 'bot' | 'friend' | 'screen' | 'referee';
export const PRESETS: readonly Preset[] = ['bot', 'friend', 'screen', 'referee'];
export type Source = 'ready' | 'file' | 'built';

export class SeatDraft {
  who = $state<Who>('bot');
  bot = $state(BOT);
  name = $state('');
  source = $state<Source>('ready');
  ready = $state(''); // the key of a ready army; empty: the scenario's
  file = $state.raw<{ name: string; text: string } | null>(null);
  roster = new Roster();
  judged = $state.raw<CheckedArmy | null>(null); // of a file or a built army
  failure = $state.raw<Failure | null>(null);

  plan(): SeatPlan {
    if (this.who === 'bot') return { who: 'bot', bot: this.bot };
    return this.who === 'me' ? { who: 'me', name: this.name.trim() } : { who: 'friend' };
  }

  army(fallback: string): string | Army {
    if (this.source === 'ready') return this.ready || fallback;
    return this.judged?.army ?? fallback;
  }
}

export class Draft {
  game = $state('');
  scenario = $state('');
  seats = $state<SeatDraft[]>([]);
  options = $state<Record<string, boolean | string>>({}); // only what differs from the defaults
  luck = $state<LuckMode>('server');

  constructor(game: GameInfo) {
    this.play(game);
  }

  play(game: GameInfo): void {
    this.game = game.key;
    this.scenario = game.default_scenario;
    this.options = {};
    this.seats = game.seats.map(() => new SeatDraft());
    this.take('bot');
  }

  take(preset: Preset): void {
    this.seats.forEach((seat, i) => {
      const alone = preset === 'bot' || preset === 'friend';
      seat.who = alone && i > 0 ? preset : 'me';
      seat.name = i === 0 ? seat.name || playerName() : seat.name;
    });
    this.luck = preset === 'referee' ? 'all' : 'server';
  }

  /** Which preset this is, if it is one. */
  get preset(): Preset | '' {
    const mine = this.seats.filter((seat) => seat.who === 'me').length;
    if (mine === this.seats.length) return this.luck === 'server' ? 'screen' : 'referee';
    if (mine !== 1) return '';
    if (this.seats.every((seat) => seat.who !== 'friend')) return 'bot';
    return this.seats.every((seat) => seat.who !== 'bot') ? 'friend' : '';
  }

  /** Everybody one seat on; the armies stay where they are. */
  swap(): void {
    const players = this.seats.map(({ who, bot, name }) => ({ who, bot, name }));
    this.seats.forEach((seat, i) => Object.assign(seat, players[(i + 1) % players.length]));
  }

  choose(option: string, value: boolean | string, standard: boolean | string): void {
    const { [option]: _old, ...others } = this.options;
    this.options = value === standard ? others : { ...others, [option]: value };
  }

  plan(scenario: ScenarioInfo): Omit<NewMatch, 'request'> {
    const own = this.seats.some((seat) => seat.source !== 'ready' || seat.ready);
    return {
      game: this.game,
      scenario: this.scenario,
      seats: this.seats.map((seat) => seat.plan()),
      armies: own && scenario.armies.length ? this.seats.map((seat, i) => seat.army(scenario.armies[i] ?? '')) : [],
      options: this.options,
      luck: this.luck,
    };
  }
}
