import { setTimeout } from 'node:timers/promises';
import type { Customer } from '../../tools/browser/customer.ts';
import { findViolation, type ErrandCase } from './errands.ts';
import type { Kill, ShopSetting } from './kill-plan.ts';
import type { UnfinishedWork } from './leftovers.ts';
import type { Call, CallFault, SentCall } from './faulty-network.ts';
import { Matrix, type AttemptOutcome } from './matrix.ts';
import { startOneShop } from './one-shop.ts';
import type { TestedShop } from './tested-shop.ts';
import { startTwoShops } from './two-shops.ts';

/**
 * A kill, the call that it hit, and how the customer's errand ended. `call` and `outcome` are null
 * where the errand did not start.
 */
export type KillResult = { kill: Kill; call: Call | null; outcome: AttemptOutcome | null; wrong: string | null };

export type KillsResult = { killed: KillResult[]; leftovers: string[] };

const shopStarters: Record<ShopSetting, () => Promise<TestedShop>> = { one: startOneShop, two: startTwoShops };

/** How many times likelier a kill hits a writing call than a reading one. */
const CHANGING_CALL_WEIGHT = 3;

/** The call of the errand that the kill hits. */
function selectCall({ luck }: Kill, calls: readonly SentCall[]): Call {
  const weighted = calls.flatMap((call) => Array.from({ length: call.changes ? CHANGING_CALL_WEIGHT : 1 }, () => call));
  const call = weighted[Math.floor(luck * weighted.length)];
  if (call === undefined) throw new Error('The errand makes no call to kill.');
  return call;
}

/** Kills during the first attempt of a call; retries meet the shop in its state after the kill. */
function createKillFault({ moment, delay, target }: Kill, aim: () => ReturnType<TestedShop['targetCall']>): CallFault {
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
    // The page handles the failure of the call, below.
    answer.catch(() => undefined);
    if (moment === 'while it runs') await setTimeout(delay);
    await aimed.kill(target);
    return answer;
  };
}

const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

type KilledVisit = { killed: KillResult; customer: Customer };

/** Runs the errands of one setting. */
async function runVisits(shop: TestedShop, kills: readonly Kill[], onEnd: (killed: KillResult) => void): Promise<KilledVisit[]> {
  const matrix = await Matrix.in(shop);
  const soundCalls = new Map<ErrandCase, readonly SentCall[]>();
  const visits: KilledVisit[] = [];
  for (const kill of kills) {
    const { each } = kill;
    const killed: KillResult = { kill, call: null, outcome: null, wrong: null };
    try {
      const calls = soundCalls.get(each) ?? (await matrix.callsOf(each));
      soundCalls.set(each, calls);
      const call = selectCall(kill, calls);
      const customer = await matrix.newCustomer(each);
      visits.push({ killed, customer });
      killed.call = call;
      killed.outcome = await matrix.visit(customer, each, call, () => createKillFault(kill, () => shop.targetCall(call.path)));
      killed.wrong = killed.outcome.wrong;
    } catch (error) {
      killed.wrong = errorMessage(error);
    }
    onEnd(killed);
  }
  return visits;
}

async function findViolationAfterSweeps({ killed: { kill, outcome }, customer }: KilledVisit): Promise<string | null> {
  if (!outcome?.ending) return null;
  const wrong = findViolation(kill.each, outcome.ending, await kill.each.booked(customer));
  return wrong === null ? null : `after the last sweeps: ${wrong}`;
}

/**
 * Checks all visits again after the last sweeps.
 * @returns leftovers that belong to none of them
 */
async function sweepAndReport(shop: TestedShop, visits: readonly KilledVisit[]): Promise<string[]> {
  const left = await shop
    .sweepToEnd()
    .catch((error: unknown): UnfinishedWork[] => [{ userId: null, description: errorMessage(error) }]);
  for (const visit of visits) {
    const own = left.filter(({ userId }) => userId === visit.customer.userId).map(({ description }) => description);
    const wrong = visit.killed.wrong ?? (await findViolationAfterSweeps(visit).catch(errorMessage));
    const all = [wrong, ...own].filter((each) => each !== null);
    visit.killed.wrong = all.length === 0 ? null : all.join('; ');
  }
  const known = new Set<string | null>(visits.map(({ customer }) => customer.userId));
  return left.filter(({ userId }) => !known.has(userId)).map(({ description }) => description);
}

/**
 * Runs the kills, setting by setting, each during a new customer's errand.
 * @param onEnd is called after each errand; leftovers of the last sweeps are known only at the end
 */
export async function runKillPlan(kills: readonly Kill[], onEnd: (killed: KillResult) => void): Promise<KillsResult> {
  const result: KillsResult = { killed: [], leftovers: [] };
  for (const [setting, own] of Map.groupBy(kills, (kill) => kill.setting)) {
    const shop = await shopStarters[setting]();
    try {
      const visits = await runVisits(shop, own, (killed) => {
        result.killed.push(killed);
        onEnd(killed);
      });
      result.leftovers.push(...(await sweepAndReport(shop, visits)).map((says) => `${setting}: ${says}`));
    } finally {
      await shop.remove();
    }
  }
  return result;
}
