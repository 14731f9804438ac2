// The dice of a match: the hash that its server promised, what we added, and whether the promise was kept.
// See docs/concepts/luck.md.
const KEPT = 'legatus.dice';
const MOST = 200; // matches that are remembered

export interface Promised { commitment: string; contribution: string; row?: number } // the row from which it counts, if we opened it

const hex = (bytes: Uint8Array): string => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');

/** Something that nobody can foresee. */
export const newContribution = (): string => hex(crypto.getRandomValues(new Uint8Array(16)));

function all(): [string, Promised][] {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '[]') as [string, Promised][];
  } catch {
    return [];
  }
}

/** What this browser saw when the match began, if it did. */
export const kept = (match: string): Promised | null => all().find(([id]) => id === match)?.[1] ?? null;

/** Remember what was promised; what was seen first stands. */
export function keep(match: string, promised: Promised): void {
  const others = all();
  if (others.some(([id]) => id === match)) return;
  localStorage.setItem(KEPT, JSON.stringify([...others, [match, promised]].slice(-MOST)));
}

/** The SHA-256 of a text; null where the browser has no WebCrypto: it wants https, or this machine. */
export async function sha256(text: string): Promise<string | null> {
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  return subtle ? hex(new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text)))) : null;
}
