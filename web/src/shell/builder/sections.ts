import { t } from '../../words.svelte';

/** The heading of a section; a game with sections that we do not know shows their keys. */
export function sectionLabel(section: string): string {
  const key = `shell.section.${section}`;
  const label = t(key);
  return label === key ? section : label;
}
