// How a player likes his table: kept in this browser.
export const SPEEDS = { slow: 900, normal: 450, fast: 150, none: 0 } as const; // milliseconds a move of others
export type Speed = keyof typeof SPEEDS;
export type CurtainRule = 'auto' | 'on' | 'off'; // auto: on, except where players throw their own dice

interface Kept { speed: Speed; confirm: boolean; curtain: CurtainRule; notify: boolean }

const PLACE = 'legatus.table';
const DEFAULTS: Kept = { speed: 'normal', confirm: true, curtain: 'auto', notify: false };

function read(): Kept {
  try {
    const kept = { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Partial<Kept>) };
    return kept.speed in SPEEDS ? kept : DEFAULTS;
  } catch {
    return DEFAULTS;
  }
}

class Settings {
  #kept = $state<Kept>(read());

  get speed(): Speed { return this.#kept.speed; }
  set speed(speed: Speed) { this.#keep({ speed }); }
  get confirm(): boolean { return this.#kept.confirm; }
  set confirm(confirm: boolean) { this.#keep({ confirm }); }
  get curtain(): CurtainRule { return this.#kept.curtain; }
  set curtain(curtain: CurtainRule) { this.#keep({ curtain }); }
  get notify(): boolean { return this.#kept.notify; }
  set notify(notify: boolean) { this.#keep({ notify }); }

  #keep(change: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...change };
    localStorage.setItem(PLACE, JSON.stringify(this.#kept));
  }
}

export const settings = new Settings();
