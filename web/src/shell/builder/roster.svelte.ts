// An army while it is being built. What the game allows and what it costs, the server says.
import type { Army, Recruit } from '../../types';

type Entry = Record<string, unknown>;

export class Line {
  readonly section: string;
  readonly key: string; // of the recruit
  readonly rest: Entry; // what we do not edit, such as the name of a unit
  count = $state(1);
  name = $state('');
  marks = $state<Record<string, boolean>>({});

  constructor(section: string, key: string, entry: Entry = {}) {
    const { type: _type, count, ...rest } = entry;
    this.section = section;
    this.key = key;
    if (typeof count === 'number') this.count = count;
    if (typeof rest.name === 'string') this.name = rest.name;
    this.marks = Object.fromEntries(
      Object.entries(rest).filter((pair): pair is [string, boolean] => typeof pair[1] === 'boolean'),
    );
    this.rest = Object.fromEntries(
      Object.entries(rest).filter(([name, value]) => name !== 'name' && typeof value !== 'boolean'),
    );
  }

  get plain(): boolean {
    return !this.name && !Object.values(this.marks).some(Boolean);
  }

  entry(typed: boolean): Entry {
    const entry: Entry = typed ? { type: this.key, count: this.count } : {};
    if (this.name) entry.name = this.name;
    Object.assign(entry, this.rest);
    for (const [mark, on] of Object.entries(this.marks)) if (on) entry[mark] = true;
    return entry;
  }
}

export class Roster {
  name = $state('');
  lines = $state<Line[]>([]);
  flags = $state<Record<string, boolean>>({});
  rest: Army = {};

  /** One more of it: on the line that has it already, if nothing else was said of that line. */
  add(recruit: Recruit): void {
    const same = this.lines.find((l) => l.section === recruit.section && l.key === recruit.key && l.plain);
    if (recruit.shape === 'typed' && same) same.count++;
    else this.lines.push(new Line(recruit.section, recruit.key));
  }

  remove(line: Line): void {
    this.lines = this.lines.filter((other) => other !== line);
  }

  of(section: string): Line[] {
    return this.lines.filter((line) => line.section === section);
  }

  /** Where a line is in the file, as the server names it. */
  place(line: Line): string {
    return `${line.section}[${this.of(line.section).indexOf(line)}]`;
  }

  clear(): void {
    this.name = '';
    this.lines = [];
    this.flags = {};
    this.rest = {};
  }

  army(recruits: Recruit[], budget: number, unnamed: string): Army {
    const army: Army = { ...this.rest, name: this.name.trim() || unnamed, budget };
    for (const [flag, on] of Object.entries(this.flags)) if (on) army[flag] = true;
    for (const { section, shape } of recruits) {
      const lines = shape === 'flag' ? [] : this.of(section);
      if (lines.length) army[section] = lines.map((line) => line.entry(shape === 'typed'));
    }
    return army;
  }

  /** Take over an army that came from elsewhere. */
  read(army: Army, recruits: Recruit[]): void {
    this.clear();
    const { name, budget: _budget, ...rest } = army;
    this.name = typeof name === 'string' ? name : '';
    for (const { section, shape, key } of recruits) {
      const value = rest[section];
      if (shape === 'flag') this.flags[section] = value === true;
      else if (Array.isArray(value)) {
        for (const entry of value as Entry[]) {
          this.lines.push(new Line(section, typeof entry.type === 'string' ? entry.type : key, entry));
        }
      }
      delete rest[section];
    }
    this.rest = rest;
  }
}
