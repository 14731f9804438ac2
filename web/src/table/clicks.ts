// From clicks to an action. The server lists what is legal, each with its clicks; here we only compare lists.
import type { ActionInfo, Scene } from '../types';

export interface Step {
  action: ActionInfo;
  rest: string[]; // the clicks still to be made
}

export interface Choice {
  left: Step[]; // what the clicks so far can still become
  lit: Set<string>; // what can be clicked next on the scene
  offered: string[]; // what can come next and is not on the scene: buttons
  complete: ActionInfo[]; // all clicks made: a menu, if there is anything else
  send: ActionInfo | null; // nothing else can be meant
}

/** The ids that a player can click on the board or in the hand. */
export function idsOnScene(scene: Scene): Set<string> {
  const things = [...scene.areas, ...scene.pieces, ...scene.cards];
  return new Set(things.map((thing) => thing.id).filter((id) => id !== ''));
}

/** Its clicks in order; the first two may change places: the card first, or the segment. */
function orders({ clicks: [first, second, ...others] }: ActionInfo): string[][] {
  if (first === undefined) return [[]];
  if (second === undefined) return [[first]];
  return [[first, second, ...others], [second, first, ...others]];
}

function begins(order: string[], chosen: string[]): boolean {
  return chosen.length <= order.length && chosen.every((id, i) => order[i] === id);
}

function stepsFrom(actions: ActionInfo[], chosen: string[]): Step[] {
  return actions.flatMap((action) => {
    const order = orders(action).find((o) => begins(o, chosen));
    return order === undefined ? [] : [{ action, rest: order.slice(chosen.length) }];
  });
}

export function choiceOf(actions: ActionInfo[], chosen: string[], onScene: Set<string>): Choice {
  const left = stepsFrom(actions, chosen).filter(({ rest }) => chosen.length > 0 || rest.length > 0);
  const next = new Set(left.flatMap(({ rest }) => rest.slice(0, 1)));
  const lit = new Set([...next].filter((id) => onScene.has(id)));
  if (chosen.length === 0) {
    // Where the first click is a button, the thing on the board may be clicked instead.
    for (const { rest: [first, second] } of left) {
      if (first !== undefined && !onScene.has(first) && second !== undefined && onScene.has(second)) lit.add(second);
    }
  }
  const only = left.length === 1 && chosen.length > 0 ? left[0] : undefined;
  return {
    left,
    lit,
    offered: [...next].filter((id) => !onScene.has(id)),
    complete: left.filter(({ rest }) => rest.length === 0).map(({ action }) => action),
    send: only?.rest.every((id) => !onScene.has(id)) ? only.action : null,
  };
}

/**
 * The clicks after a click on `id`, or null if it leads nowhere and the player should hear why.
 * A click on what is chosen takes it back; a click on what could begin something else begins that.
 */
export function clicksAfter(actions: ActionInfo[], chosen: string[], id: string): string[] | null {
  const longer = [...chosen, id];
  if (stepsFrom(actions, longer).length > 0) return longer;
  if (chosen.includes(id)) return chosen.slice(0, chosen.indexOf(id));
  if (chosen.length > 0 && actions.some(({ clicks }) => clicks[0] === id)) return [id];
  return null;
}

/** Actions by verb, in the order in which they came. */
export function byVerb(actions: ActionInfo[]): [string, ActionInfo[]][] {
  const groups = new Map<string, ActionInfo[]>();
  for (const action of actions) groups.set(action.verb, [...(groups.get(action.verb) ?? []), action]);
  return [...groups];
}

/** What a group of actions is called: the words with which all labels begin, or end; else the verb. */
export function groupName(verb: string, actions: ActionInfo[]): string {
  const labels = actions.map(({ label }) => label.split(' '));
  const common = (at: (i: number) => number): number => {
    let i = 0;
    while (labels.every((words) => i < words.length - 1 && words.at(at(i)) === labels[0]?.at(at(i)))) i++;
    return i;
  };
  const first = common((i) => i);
  if (first > 0) return `${labels[0]?.slice(0, first).join(' ')} …`;
  const last = common((i) => -1 - i);
  return last > 0 ? `… ${labels[0]?.slice(-last).join(' ')}` : verb.replaceAll('-', ' ');
}
