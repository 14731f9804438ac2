// Which page is shown: the address says it, and links are real links.
import { createSubscriber } from 'svelte/reactivity';

export type Route =
  | { page: 'front' }
  | { page: 'new' }
  | { page: 'match'; id: string; entry: number | null }
  | { page: 'join'; id: string; invite: string }
  | { page: 'rules'; game: string; clause: string | null }
  | { page: 'fortress'; game: string; match: string } // the match for which it is, if any
  | { page: 'lab'; id: string } // the balance that is shown, if any
  | { page: 'about' }
  | { page: 'missing' };

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function parse(path: string, hash = ''): Route {
  const [head = '', id = '', more = '', ...rest] = path.split('/').filter(Boolean).map(decode);
  const mark = decode(hash.replace(/^#/, ''));
  if (!rest.length && /^\d*$/.test(more) && head === 'm' && id) {
    return { page: 'match', id, entry: more ? Number(more) : null };
  }
  if (more) return { page: 'missing' };
  if (!head) return { page: 'front' };
  if (head === 'join' && id) return { page: 'join', id, invite: mark };
  if (head === 'rules' && id) return { page: 'rules', game: id, clause: mark || null };
  if (head === 'fortress' && id) return { page: 'fortress', game: id, match: mark };
  if (head === 'new' && !id) return { page: 'new' };
  if (head === 'lab') return { page: 'lab', id };
  if (head === 'about' && !id) return { page: 'about' };
  return { page: 'missing' };
}

let notify = (): void => {};
const watch = createSubscriber((update) => {
  notify = update;
  window.addEventListener('popstate', update);
  window.addEventListener('hashchange', update);
  return () => {
    notify = () => {};
    window.removeEventListener('popstate', update);
    window.removeEventListener('hashchange', update);
  };
});

/** Where we are; inside an effect or a template, whatever reads it follows. */
export function route(): Route {
  watch();
  return parse(location.pathname, location.hash);
}

export function navigate(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  notify();
}

/** For clicks on the page: plain ones on links of ours change the page without loading it anew. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.target || link.hasAttribute('download')) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || parse(to.pathname).page === 'missing') return;
  const samePage = to.pathname === location.pathname && to.search === location.search;
  if (samePage && to.hash) return; // the browser scrolls, and hashchange tells us
  event.preventDefault();
  if (to.href !== location.href) navigate(to.href);
}
