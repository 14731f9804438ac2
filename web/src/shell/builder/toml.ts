// An army as a TOML file, so that it can be kept, sent and given to `legatus play --army`.
type Table = Record<string, unknown>;

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTables = (value: unknown): value is Table[] =>
  Array.isArray(value) && value.length > 0 && value.every(isTable);

function key(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : text(name);
}

function text(value: string): string {
  return JSON.stringify(value).replace(/\u007f/g, '\\u007f');
}

function scalar(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(scalar).join(', ')}]`;
  return typeof value === 'string' ? text(value) : String(value);
}

function write(table: Table, path: string[]): string[] {
  const entries = Object.entries(table).filter(([, value]) => value !== undefined && value !== null);
  const lines = entries
    .filter(([, value]) => !isTable(value) && !isTables(value))
    .map(([name, value]) => `${key(name)} = ${scalar(value)}`);
  for (const [name, value] of entries) {
    const below = [...path, key(name)];
    if (isTables(value)) {
      for (const item of value) lines.push('', `[[${below.join('.')}]]`, ...write(item, below));
    } else if (isTable(value)) {
      const inner = write(value, below);
      const bare = Object.values(value).every(isTable); // [type] says nothing if there is [type.axemen]
      lines.push(...(bare ? inner : ['', `[${below.join('.')}]`, ...inner]));
    }
  }
  return lines;
}

export function toToml(table: Table): string {
  return `${write(table, []).join('\n')}\n`;
}
