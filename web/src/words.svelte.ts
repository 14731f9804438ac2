// What the page says, in the player's language. Texts of games come from the server, already translated.
import boardEn from './words/board.en.json';
import boardFr from './words/board.fr.json';
import labEn from './words/lab.en.json';
import labFr from './words/lab.fr.json';
import shellEn from './words/shell.en.json';
import shellFr from './words/shell.fr.json';
import tableEn from './words/table.en.json';
import tableFr from './words/table.fr.json';
import type { Lang } from './types';

const SENTENCES: Record<Lang, Record<string, string>> = {
  en: { ...shellEn, ...labEn, ...boardEn, ...tableEn },
  fr: { ...shellFr, ...labFr, ...boardFr, ...tableFr },
};

function preferred(): Lang {
  const kept = localStorage.getItem('legatus.lang');
  if (kept === 'en' || kept === 'fr') return kept;
  return navigator.languages.some((l) => l.startsWith('fr')) && !navigator.language.startsWith('en') ? 'fr' : 'en';
}

class Language {
  lang = $state<Lang>(preferred());

  set(lang: Lang): void {
    this.lang = lang;
    localStorage.setItem('legatus.lang', lang);
  }
}

export const language = new Language();

/** The sentence `key` with its `{values}`; a missing key shows itself. */
export function t(key: string, values: Record<string, string | number> = {}): string {
  const sentence = SENTENCES[language.lang][key] ?? key;
  return sentence.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}
