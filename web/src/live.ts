// The socket of a match: it says Hello, listens, and comes back by itself when the line breaks.
import { liveUrl, type Hello } from './api';
import type { Failure, Frame, FromServer, LogEntry, MatchInfo, Scene } from './types';

const FIRST_PAUSE = 500; // milliseconds
const LONGEST_PAUSE = 10_000;
const PATIENCE = 6_000; // how long an answer to Hello may take
const NAP = 30_000; // after so long out of sight we ask whether the line still stands

export interface Connection {
  state: 'connecting' | 'live' | 'lost';
  since: number; // Date.now()
}

export interface Listener {
  hello(): Hello; // what we have and how we want to see it
  frame(frame: Frame): void;
  match(match: MatchInfo): void;
  trouble(failure: Failure): void;
  connection(connection: Connection): void;
}

/** Our log after a frame: what it brings replaces ours from `log_from` on. */
export function mergeLog(log: LogEntry[], frame: Frame): LogEntry[] {
  return [...log.filter((entry) => entry.entry < frame.log_from), ...frame.log];
}

export class Live {
  #id: string;
  #listener: Listener;
  #socket: WebSocket | null = null;
  #failures = 0;
  #retry = 0;
  #deadline = 0;
  #hiddenAt = 0;
  #state: Connection['state'] = 'connecting';
  #board: Pick<Scene, 'areas' | 'lines'> = { areas: [], lines: [] }; // as the last frame that had one
  #stop = new AbortController();

  constructor(id: string, listener: Listener) {
    this.#id = id;
    this.#listener = listener;
    const { signal } = this.#stop;
    window.addEventListener('online', () => this.again(), { signal });
    window.addEventListener('offline', () => this.#socket?.close(), { signal });
    document.addEventListener('visibilitychange', () => this.#looked(), { signal });
    this.#open();
  }

  /** Say Hello again: another seat, another language, or to be sure of what is. */
  hello(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify(this.#listener.hello()));
    clearTimeout(this.#deadline);
    this.#deadline = window.setTimeout(() => this.#lost(this.#socket), PATIENCE);
  }

  close(): void {
    this.#stop.abort();
    clearTimeout(this.#retry);
    clearTimeout(this.#deadline);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #open(): void {
    clearTimeout(this.#retry);
    const socket = new WebSocket(liveUrl(this.#id));
    this.#socket = socket;
    clearTimeout(this.#deadline);
    this.#deadline = window.setTimeout(() => this.#lost(socket), PATIENCE);
    socket.onopen = () => this.hello();
    socket.onclose = () => this.#lost(socket);
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket === this.#socket) this.#hear(JSON.parse(event.data) as FromServer);
    };
  }

  #hear(message: FromServer): void {
    clearTimeout(this.#deadline);
    this.#failures = 0;
    this.#say('live');
    if (message.type === 'frame') this.#listener.frame(this.#whole(message));
    else if (message.type === 'match') this.#listener.match(message.match);
    else this.#listener.trouble(message.failure);
  }

  /** A board that has not changed is not sent again. */
  #whole(frame: Frame): Frame {
    if (frame.board) this.#board = { areas: frame.scene.areas, lines: frame.scene.lines };
    return { ...frame, scene: { ...frame.scene, ...this.#board } };
  }

  #lost(socket: WebSocket | null): void {
    if (socket === null || socket !== this.#socket) return;
    clearTimeout(this.#deadline);
    this.#socket = null;
    socket.close();
    this.#say('lost');
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#failures++);
    this.#retry = window.setTimeout(() => this.#open(), pause * (0.8 + 0.4 * Math.random()));
  }

  /** Try now, not when the pause is over. */
  again(): void {
    if (this.#socket === null && !this.#stop.signal.aborted) {
      this.#failures = 0;
      this.#open();
    }
  }

  #looked(): void {
    if (document.hidden) {
      this.#hiddenAt = Date.now();
    } else {
      this.again();
      if (Date.now() - this.#hiddenAt > NAP) this.hello();
    }
  }

  #say(state: Connection['state']): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#listener.connection({ state, since: Date.now() });
  }
}
