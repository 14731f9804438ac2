// The keyboard of the table. Everything also has a button.
import type { Tab, Table } from './table.svelte';

const TABS: Record<string, Tab> = { l: 'log', m: 'moves', a: 'moves', r: 'rules', p: 'players' };

const WRITES = 'input:not([type="checkbox"]), textarea, select, dialog[open]';

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest(WRITES) !== null;
}

export function keyPressed(event: KeyboardEvent, table: Table, root: HTMLElement | undefined, help: () => void): void {
  if (event.defaultPrevented || table.curtain !== null) return;
  const { key } = event;
  if (typing(event.target)) return;
  if (event.ctrlKey || event.metaKey) {
    if (key !== 'z' || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void table.undo();
    return;
  }
  if (event.altKey) return;
  const tab = TABS[key];
  if (key === 'm' && table.frame?.scene.grid === 'open') table.measuring = !table.measuring;
  else if (tab !== undefined) {
    table.tab = tab;
    root?.querySelector<HTMLElement>(`#tab-${tab}`)?.focus();
  } else if (key === 'Escape') table.takeBack();
  else if (key === 'u') void table.undo();
  else if (key === 's') table.skip();
  else if (key === ',') table.step(-1);
  else if (key === '.') table.step(1);
  else if (key === 'b') table.backToNow();
  else if (key === '?') help();
  else if (/^[1-9]$/.test(key)) root?.querySelectorAll<HTMLButtonElement>('button.quick')[Number(key) - 1]?.click();
  else return;
  event.preventDefault();
}
