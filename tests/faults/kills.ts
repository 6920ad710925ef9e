import { setTimeout } from 'node:timers/promises';
import type { Customer } from '../../tools/browser/customer.ts';
import { wrongWith, type Case } from './errands.ts';
import type { Kill, SettingName } from './kill-plan.ts';
import type { Leftover } from './leftovers.ts';
import type { Call, Fault, SentCall } from './line.ts';
import { Matrix, type Outcome } from './matrix.ts';
import { startOneShop } from './one-shop.ts';
import type { TestedShop } from './tested-shop.ts';
import { startTwoShops } from './two-shops.ts';

/**
 * A kill, the call that it hit, and how the customer's errand ended. `call` and `outcome` are null
 * where the errand did not begin.
 */
export type Killed = { kill: Kill; call: Call | null; outcome: Outcome | null; wrong: string | null };

export type Result = { killed: Killed[]; leftovers: string[] };

const starts: Record<SettingName, () => Promise<TestedShop>> = { one: startOneShop, two: startTwoShops };

/** How many times as likely a call is hit that changes something as one that only reads. */
const WEIGHT_OF_CHANGES = 3;

/** The call of an errand that a kill hits. */
function callFor({ luck }: Kill, calls: readonly SentCall[]): Call {
  const weighted = calls.flatMap((call) => Array.from({ length: call.changes ? WEIGHT_OF_CHANGES : 1 }, () => call));
  const call = weighted[Math.floor(luck * weighted.length)];
  if (call === undefined) throw new Error('the errand makes no call');
  return call;
}

/** Kills during the first try of a call; further tries find the shop as the kill left it. */
function killDuring({ moment, delay, target }: Kill, aim: () => ReturnType<TestedShop['aim']>): Fault {
  let isOver = false;
  return async (send) => {
    if (isOver) return send();
    isOver = true;
    const aimed = aim();
    const answer = send();
    if (moment === 'after it has answered') {
      await answer.then((response) => response.arrayBuffer()).catch(() => undefined);
      await aimed.kill(target);
      throw new TypeError('fetch failed');
    }
    // A call that fails does so for the page, below.
    answer.catch(() => undefined);
    if (moment === 'while it runs') await setTimeout(delay);
    await aimed.kill(target);
    return answer;
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

type Visit = { killed: Killed; customer: Customer };

/** Runs the errands of one setting. */
async function visitsIn(shop: TestedShop, kills: readonly Kill[], onEnd: (killed: Killed) => void): Promise<Visit[]> {
  const matrix = await Matrix.in(shop);
  const soundCalls = new Map<Case, readonly SentCall[]>();
  const visits: Visit[] = [];
  for (const kill of kills) {
    const { each } = kill;
    const killed: Killed = { kill, call: null, outcome: null, wrong: null };
    try {
      const calls = soundCalls.get(each) ?? (await matrix.callsOf(each));
      soundCalls.set(each, calls);
      const call = callFor(kill, calls);
      const customer = await matrix.newCustomer(each);
      visits.push({ killed, customer });
      killed.call = call;
      killed.outcome = await matrix.visit(customer, each, call, () => killDuring(kill, () => shop.aim(call.path)));
      killed.wrong = killed.outcome.wrong;
    } catch (error) {
      killed.wrong = messageOf(error);
    }
    onEnd(killed);
  }
  return visits;
}

async function wrongAfterSweeps({ killed: { kill, outcome }, customer }: Visit): Promise<string | null> {
  if (!outcome?.ending) return null;
  const wrong = wrongWith(kill.each, outcome.ending, await kill.each.booked(customer));
  return wrong === null ? null : `after the last sweeps: ${wrong}`;
}

/**
 * Checks all visits once more after the last sweeps.
 * @returns leftovers that belong to none of them
 */
async function settle(shop: TestedShop, visits: readonly Visit[]): Promise<string[]> {
  const left = await shop.settle().catch((error: unknown): Leftover[] => [{ userId: null, says: messageOf(error) }]);
  for (const visit of visits) {
    const own = left.filter(({ userId }) => userId === visit.customer.userId).map(({ says }) => says);
    const wrong = visit.killed.wrong ?? (await wrongAfterSweeps(visit).catch(messageOf));
    const all = [wrong, ...own].filter((each) => each !== null);
    visit.killed.wrong = all.length === 0 ? null : all.join('; ');
  }
  const known = new Set<string | null>(visits.map(({ customer }) => customer.userId));
  return left.filter(({ userId }) => !known.has(userId)).map(({ says }) => says);
}

/**
 * Repeats kills, setting by setting, each during a new customer's errand.
 * @param onEnd is called after each errand; leftovers of the last sweeps are known only at the end
 */
export async function repeat(kills: readonly Kill[], onEnd: (killed: Killed) => void): Promise<Result> {
  const result: Result = { killed: [], leftovers: [] };
  for (const [setting, own] of Map.groupBy(kills, (kill) => kill.setting)) {
    const shop = await starts[setting]();
    try {
      const visits = await visitsIn(shop, own, (killed) => {
        result.killed.push(killed);
        onEnd(killed);
      });
      result.leftovers.push(...(await settle(shop, visits)).map((says) => `${setting}: ${says}`));
    } finally {
      await shop.remove();
    }
  }
  return result;
}
