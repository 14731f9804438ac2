// The little Markdown of our rulebooks, as data: Markdown.svelte makes elements of it, never HTML from text.
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong'; inside: Inline[] }
  | { kind: 'em'; inside: Inline[] };

export type Block =
  | { kind: 'paragraph'; inside: Inline[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Inline[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'quote'; blocks: Block[] };

const SPAN = /`([^`]+)`|\*\*(.+?)\*\*|\*(?=\S)(.+?)\*|(?<!\w)_(?=\S)(.+?)_(?!\w)/;

export function inline(text: string): Inline[] {
  const spans: Inline[] = [];
  let rest = text;
  for (let hit = SPAN.exec(rest); hit !== null; hit = SPAN.exec(rest)) {
    if (hit.index > 0) spans.push({ kind: 'text', text: rest.slice(0, hit.index) });
    const [whole, code, strong, star, underscore] = hit;
    if (code !== undefined) spans.push({ kind: 'code', text: code });
    else if (strong !== undefined) spans.push({ kind: 'strong', inside: inline(strong) });
    else spans.push({ kind: 'em', inside: inline(star ?? underscore ?? '') });
    rest = rest.slice(hit.index + whole.length);
  }
  if (rest !== '') spans.push({ kind: 'text', text: rest });
  return spans;
}

const QUOTE = /^> ?/;
const BULLET = /^\s*[-*] +/;
const NUMBER = /^\s*(\d+)[.)] +/;
const ROW = /^\s*\|/;
const RULE = /^\s*\|?[\s:|-]+\|[\s:|-]*$/;

const cells = (line: string): Inline[][] =>
  line.trim().replace(/^\||\|$/g, '').split('|').map((cell) => inline(cell.trim()));

function list(lines: string[], marker: RegExp): Inline[][] {
  const items: string[] = [];
  for (const line of lines) {
    if (marker.test(line)) items.push(line.replace(marker, ''));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return items.map(inline);
}

function table([head = '', ...body]: string[]): Block {
  return { kind: 'table', head: cells(head), rows: body.filter((line) => !RULE.test(line)).map(cells) };
}

/** The lines from the first on that belong together. */
function run(lines: string[], belongs: (line: string) => boolean): string[] {
  const end = lines.findIndex((line) => !belongs(line));
  return end < 0 ? lines : lines.slice(0, end);
}

export function blocks(text: string): Block[] {
  const found: Block[] = [];
  let lines = text.split('\n');
  while (lines.length > 0) {
    const first = lines[0] ?? '';
    let taken = [first];
    if (QUOTE.test(first)) {
      taken = run(lines, (line) => QUOTE.test(line));
      found.push({ kind: 'quote', blocks: blocks(taken.map((line) => line.replace(QUOTE, '')).join('\n')) });
    } else if (ROW.test(first)) {
      taken = run(lines, (line) => ROW.test(line));
      found.push(table(taken));
    } else if (BULLET.test(first) || NUMBER.test(first)) {
      const marker = BULLET.test(first) ? BULLET : NUMBER;
      taken = run(lines, (line) => marker.test(line) || /^\s+\S/.test(line));
      const start = Number(NUMBER.exec(first)?.[1] ?? 1);
      found.push({ kind: 'list', ordered: marker === NUMBER, start, items: list(taken, marker) });
    } else if (first.trim() !== '') {
      taken = run(lines, (line) => line.trim() !== '' && ![QUOTE, ROW, BULLET, NUMBER].some((p) => p.test(line)));
      found.push({ kind: 'paragraph', inside: inline(taken.join(' ')) });
    }
    lines = lines.slice(taken.length);
  }
  return found;
}
