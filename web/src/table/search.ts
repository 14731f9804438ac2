// Searching without minding accents and capitals: "deploye" finds « déployé ».
const LIGATURES: Record<string, string> = { œ: 'oe', æ: 'ae', '’': "'" };

function foldLetter(letter: string): string {
  const small = letter.toLowerCase();
  return LIGATURES[small] ?? small.normalize('NFD').replace(/\p{M}/gu, '');
}

export function fold(text: string): string {
  return Array.from(text, foldLetter).join('');
}

export interface Part { text: string; found: boolean }

/** The text in parts, those that match `query` marked. */
export function highlight(text: string, query: string): Part[] {
  const wanted = fold(query.trim());
  if (wanted === '') return [{ text, found: false }];
  const letters = Array.from(text);
  let folded = '';
  const origin: number[] = []; // of each folded letter: the place of the letter that it came from
  letters.forEach((letter, i) => {
    const small = foldLetter(letter);
    folded += small;
    for (let k = 0; k < small.length; k++) origin.push(i);
  });
  const parts: Part[] = [];
  let done = 0;
  for (let hit = folded.indexOf(wanted); hit >= 0; hit = folded.indexOf(wanted, hit + wanted.length)) {
    const start = origin[hit] ?? 0;
    const end = (origin[hit + wanted.length - 1] ?? 0) + 1;
    if (start < done) continue;
    if (start > done) parts.push({ text: letters.slice(done, start).join(''), found: false });
    parts.push({ text: letters.slice(start, end).join(''), found: true });
    done = end;
  }
  if (done < letters.length) parts.push({ text: letters.slice(done).join(''), found: false });
  return parts;
}
