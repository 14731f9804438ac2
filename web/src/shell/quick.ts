// What "Play now" starts, and where a command stands that may have to be said again.
import { newMatch, requestId } from '../api';
import type { MatchInfo, NewMatch } from '../types';

export const GAME = 'virtus';
export const BOT = 'greedy';

type Plan = Omit<NewMatch, 'request'>;

let said = '';
let request = '';

/** The same plan again, after a failure, is the same command: it never makes two matches. */
export async function begin(plan: Plan): Promise<MatchInfo> {
  const body = JSON.stringify(plan);
  if (body !== said) [said, request] = [body, requestId()];
  const made = await newMatch({ ...plan, request });
  said = '';
  return made;
}
