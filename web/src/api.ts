// The server, as typed calls. See docs/reference/api.md.
import { keep, newContribution, type Promised } from './fair';
import type {
  AnalysisInfo, Army, CheckedArmy, CheckedDesign, Design, Done, Failure, Frame, Ghost, LabInfo, Lang, Lobby, LogEntry, Look, MatchInfo, Menu, NewMatch, OddsInfo, Reasons,
  Recruit, Rules, ThoughtsInfo, VerdictInfo, Workshop,
} from './types';
import { language, t } from './words.svelte';

const KEY = 'legatus.key';
const PAUSES = [300, 900, 2500]; // milliseconds before the second, third and last try

/** What the server refused, or that it could not be reached (`code` is then `network`). */
export class ApiError extends Error {
  readonly failure: Failure;
  readonly status: number; // of HTTP; 0 if there was no answer

  constructor(failure: Failure, status: number) {
    super(failure.message);
    this.name = 'ApiError';
    this.failure = failure;
    this.status = status;
  }

  get code(): string {
    return this.failure.code;
  }
}

/** Any error as a Failure that can be shown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return error.failure;
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'page', message, reasons: [], number: null };
}

/** A fresh id for a command. crypto.randomUUID would need https, and home networks have none. */
export function requestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

// --- the key

let asked: Promise<string> | null = null;

/** The key that holds our seats, or empty: for `Hello` on the socket. */
export function storedKey(): string {
  return localStorage.getItem(KEY) ?? '';
}

/** The key, asked for the first time it is needed. */
export function ensureKey(): Promise<string> {
  const kept = storedKey();
  if (kept) return Promise.resolve(kept);
  asked ??= call<{ key: string }>('POST', '/api/keys')
    .then(({ key }) => {
      const other = storedKey(); // another tab may have been faster
      if (!other) localStorage.setItem(KEY, key);
      return other || key;
    })
    .finally(() => { asked = null; });
  return asked;
}

// --- calls

export interface CallOptions { lang?: Lang; signal?: AbortSignal; renewed?: boolean }

async function send(method: string, path: string, body: string | undefined, options: CallOptions): Promise<Response> {
  const url = new URL(path, location.origin);
  url.searchParams.set('lang', options.lang ?? language.lang);
  const headers = new Headers();
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  const key = storedKey();
  if (key) headers.set('Authorization', `Bearer ${key}`);
  for (let tries = 0; ; tries++) {
    const last = tries === PAUSES.length;
    try {
      const answer = await fetch(url, { method, headers, body, signal: options.signal, cache: 'no-store' });
      if (last || ![502, 503, 504].includes(answer.status)) return answer;
    } catch (error) {
      if (options.signal?.aborted) throw error;
      if (last) throw new ApiError({ code: 'network', message: t('shell.offline'), reasons: [], number: null }, 0);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSES[tries]));
  }
}

async function refusal(answer: Response): Promise<ApiError> {
  const said = (await answer.json().catch(() => null)) as Partial<Failure> | null;
  const failure = {
    code: said?.code ?? 'http',
    message: said?.message ?? t('shell.http', { status: answer.status }),
    reasons: said?.reasons ?? [],
    number: said?.number ?? null,
  };
  return new ApiError(failure, answer.status);
}

/**
 * One call. It is repeated when the network fails: questions change nothing, and commands carry a request id by which
 * the server knows them again.
 */
export async function call<T>(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<T> {
  const key = storedKey();
  const answer = await send(method, path, body === undefined ? undefined : JSON.stringify(body), options);
  if (answer.ok) return (await answer.json()) as T;
  const error = await refusal(answer);
  if (error.code !== 'bad-key' || !key || options.renewed) throw error;
  // The server does not know our key: its data are gone, or another one speaks here now.
  if (storedKey() === key) localStorage.removeItem(KEY);
  await ensureKey();
  return call(method, path, body, { ...options, renewed: true });
}

/** A call that needs a key. */
async function seated<T>(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<T> {
  await ensureKey();
  return call<T>(method, path, body, options);
}

const at = (id: string, rest = ''): string => `/api/matches/${encodeURIComponent(id)}${rest}`;
const of = (game: string, rest: string): string => `/api/games/${encodeURIComponent(game)}${rest}`;

function query(values: Record<string, string | number | null | undefined>): string {
  const asked = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return asked.length ? `?${new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))}` : '';
}

// --- the lobby

export const lobby = (): Promise<Lobby> => call('GET', '/api/lobby');
export const rules = (game: string): Promise<Rules> => call('GET', of(game, '/rules'));
export const recruits = (game: string): Promise<{ recruits: Recruit[] }> => call('GET', of(game, '/recruits'));

export interface CheckArmy {
  text?: string; army?: Army; budget?: number | null; options?: Record<string, boolean | string>;
}
export const checkArmy = (game: string, army: CheckArmy, signal?: AbortSignal): Promise<CheckedArmy> =>
  call('POST', of(game, '/army'), army, { signal });

export const workshop = (game: string): Promise<Workshop> => call('GET', of(game, '/workshop'));
export const checkDesign = (game: string, ask: { text?: string; design?: Design }, signal?: AbortSignal): Promise<CheckedDesign> =>
  call('POST', of(game, '/design'), ask, { signal });

// --- matches

const promises = new Map<string, Promised>(); // by request: the same again is the same command

/** What the dice of a new match will follow from: the server is bound by its hash before it hears what we add. */
async function promised(request: string): Promise<Promised> {
  const found = promises.get(request);
  if (found) return found;
  const { commitment } = await seated<{ commitment: string }>('POST', '/api/commitments', { request });
  const made = { commitment, contribution: newContribution() };
  promises.set(request, made);
  return made;
}

async function made(path: string, body: { request: string; [field: string]: unknown }): Promise<MatchInfo> {
  const promise = await promised(body.request);
  const match = await seated<MatchInfo>('POST', path, { ...body, contribution: promise.contribution });
  keep(match.id, { ...promise, row: 0 });
  return match;
}

export const newMatch = (plan: Omit<NewMatch, 'request' | 'contribution'> & { request?: string }): Promise<MatchInfo> =>
  made('/api/matches', { ...plan, request: plan.request ?? requestId() });

export const newReplay = (text: string): Promise<MatchInfo> => seated('POST', '/api/replays', { request: requestId(), text });

/** Those in which we hold a seat; who has no key yet holds none. */
export async function matches(): Promise<MatchInfo[]> {
  if (!storedKey()) return [];
  return (await seated<{ matches: MatchInfo[] }>('GET', '/api/matches')).matches;
}

export const match = (id: string): Promise<MatchInfo> => call('GET', at(id));

const joining = new Map<string, Promised>(); // to ask again is the same command

export async function join(id: string, invite: string, name = ''): Promise<MatchInfo> {
  const promise = joining.get(id) ?? { commitment: (await match(id)).commitment, contribution: newContribution() };
  joining.set(id, promise);
  const joined = await seated<MatchInfo>('POST', at(id, '/join'), { invite, name, contribution: promise.contribution });
  keep(id, promise);
  return joined;
}

export const frame = (id: string, seenAs = '', entry: number | null = null): Promise<Frame> =>
  call('GET', at(id, '/frame') + query({ seen_as: seenAs, entry }));

/** More about one piece: its front, where it can go. */
export const look = (id: string, piece: string, seenAs = '', entry: number | null = null): Promise<Look> =>
  call('GET', at(id, '/look') + query({ piece, seen_as: seenAs, entry }));

/** What becomes of a piece that is dragged over an open table; null if it cannot be moved now. */
export const ghost = (id: string, piece: string, grip: string, x: number, y: number, seenAs = '', signal?: AbortSignal): Promise<Ghost | null> =>
  call('GET', at(id, '/ghost') + query({ piece, grip, x, y, seen_as: seenAs }), undefined, { signal });

/** All that one piece might do now, with what is against it. */
export const menu = (id: string, piece: string, seenAs = ''): Promise<Menu> =>
  call('GET', at(id, '/menu') + query({ piece, seen_as: seenAs }));

export const log = async (id: string, seenAs = ''): Promise<LogEntry[]> =>
  (await call<{ entries: LogEntry[] }>('GET', at(id, '/log') + query({ seen_as: seenAs }))).entries;

// --- commands: `request` only to repeat one by hand

export const act = (id: string, number: number, what: string, dice: number[] = [], request = requestId()): Promise<Done> =>
  call('POST', at(id, '/act'), { number, request, do: what, dice });

export const undo = (id: string, number: number, request = requestId()): Promise<Done> =>
  call('POST', at(id, '/undo'), { number, request });

export const why = (id: string, ask: { do?: string; clicks?: string[] }): Promise<Reasons> =>
  call('POST', at(id, '/why'), ask);

export const odds = (id: string, what: string): Promise<OddsInfo> => call('POST', at(id, '/odds'), { do: what });

// --- the lab

export interface NewLab {
  game: string; scenarios: string[]; armies: string[]; bot: string; games: number; effects: string[]; handicap: boolean;
}
export const newLab = (plan: NewLab): Promise<LabInfo> => seated('POST', '/api/lab', { ...plan, request: requestId() });
export const lab = (id: string): Promise<LabInfo> => call('GET', `/api/lab/${encodeURIComponent(id)}`);
export const stopLab = (id: string): Promise<LabInfo> => call('POST', `/api/lab/${encodeURIComponent(id)}/stop`);

// --- what if, and why

/** A new match that leaves this one after an entry. */
export const branch = (id: string, entry: number, seat: string, request = requestId()): Promise<MatchInfo> =>
  made(at(id, '/branch'), { request, entry, seat });

/** Whether the dice fell as they had to: the server recomputes all of them. */
export const verdict = (id: string): Promise<VerdictInfo> => seated('GET', at(id, '/verify'));

export const beginAnalysis = (id: string): Promise<AnalysisInfo> => seated('POST', at(id, '/analysis'));
export const analysis = (id: string): Promise<AnalysisInfo> => call('GET', at(id, '/analysis'));

/** What the computer considered at a moment of a match that is over. */
export const thoughts = (id: string, entry: number): Promise<ThoughtsInfo> => seated('GET', at(id, '/thoughts') + query({ entry }));

// --- the record and the socket

export const recordUrl = (id: string): string => at(id, '/record');

/** The record as a file: fetched with our key, which a plain link could not send. */
export async function downloadRecord(id: string, name = `${id}.legatus.jsonl`): Promise<void> {
  const answer = await send('GET', recordUrl(id), undefined, {});
  if (!answer.ok) throw await refusal(answer);
  saveFile(await answer.blob(), name);
}

export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The address of the socket: say `Hello` on it first. */
export function liveUrl(id: string): string {
  return `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}${at(id, '/live')}`;
}

export interface Hello { key: string; seen_as: string; lang: Lang; number: number; entries: number }
