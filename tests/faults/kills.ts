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
 * if the errand did not start.
 */
export type KillResult = { kill: Kill; call: Call | null; outcome: AttemptOutcome | null; wrong: string | null };

export type KillsResult = { kills: KillResult[]; leftovers: string[] };

const shopStarters: Record<ShopSetting, () => Promise<TestedShop>> = { one: startOneShop, two: startTwoShops };

/** How many times more likely a kill hits a writing call than a reading call. */
const CHANGING_CALL_WEIGHT = 3;

/** The call of the errand that the kill hits. */
function selectCall({ luck, errandCase }: Kill, calls: readonly SentCall[]): Call {
  const weighted = calls.flatMap((call) => Array.from({ length: call.hasIdempotencyKey ? CHANGING_CALL_WEIGHT : 1 }, () => call));
  const call = weighted[Math.floor(luck * weighted.length)];
  if (call === undefined) throw new Error(`The errand “${errandCase.name}” makes no call that a kill could hit.`);
  return call;
}

/** Kills at the first attempt of a call; retries meet the shop in its state after the kill. */
function createKillFault({ moment, delayMs, target }: Kill, selectTarget: () => ReturnType<TestedShop['targetCall']>): CallFault {
  let hasStarted = false;
  return async (send) => {
    if (hasStarted) return send();
    hasStarted = true;
    const killTarget = selectTarget();
    const responsePromise = send();
    if (moment === 'after its response') {
      await responsePromise.then((response) => response.arrayBuffer()).catch(() => undefined);
      await killTarget.kill(target);
      throw new TypeError('fetch failed');
    }
    // The page handles the failure of the call, below.
    responsePromise.catch(() => undefined);
    if (moment === 'while it runs') await setTimeout(delayMs);
    await killTarget.kill(target);
    return responsePromise;
  };
}

const getErrorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

type KilledVisit = { result: KillResult; customer: Customer };

/** Runs the errands of one setting, each with its kill. @returns the visits that started */
async function runVisits(shop: TestedShop, kills: readonly Kill[], onEnd: (result: KillResult) => void): Promise<KilledVisit[]> {
  const matrix = await Matrix.open(shop);
  const faultlessCalls = new Map<ErrandCase, readonly SentCall[]>();
  const visits: KilledVisit[] = [];
  for (const kill of kills) {
    const { errandCase } = kill;
    const result: KillResult = { kill, call: null, outcome: null, wrong: null };
    try {
      const calls = faultlessCalls.get(errandCase) ?? (await matrix.recordCalls(errandCase));
      faultlessCalls.set(errandCase, calls);
      const call = selectCall(kill, calls);
      const customer = await matrix.createCustomer(errandCase);
      visits.push({ result, customer });
      result.call = call;
      result.outcome = await matrix.runVisit(customer, errandCase, call, () =>
        createKillFault(kill, () => shop.targetCall(call.path)),
      );
      result.wrong = result.outcome.wrong;
    } catch (error) {
      result.wrong = getErrorMessage(error);
    }
    onEnd(result);
  }
  return visits;
}

async function findViolationAfterSweeps({ result: { kill, outcome }, customer }: KilledVisit): Promise<string | null> {
  if (!outcome?.ending) return null;
  const wrong = findViolation(kill.errandCase, outcome.ending, await kill.errandCase.countBookings(customer));
  return wrong === null ? null : `after the last sweeps: ${wrong}`;
}

/**
 * Checks all visits again after the last sweeps.
 * @returns leftovers that belong to no visit
 */
async function sweepAndReport(shop: TestedShop, visits: readonly KilledVisit[]): Promise<string[]> {
  const leftovers = await shop
    .sweepToEnd()
    .catch((error: unknown): UnfinishedWork[] => [{ userId: null, description: getErrorMessage(error) }]);
  for (const visit of visits) {
    const descriptions = leftovers.filter(({ userId }) => userId === visit.customer.userId).map(({ description }) => description);
    const wrong = visit.result.wrong ?? (await findViolationAfterSweeps(visit).catch(getErrorMessage));
    const violations = [wrong, ...descriptions].filter((each) => each !== null);
    visit.result.wrong = violations.length === 0 ? null : violations.join('; ');
  }
  const customerIds = new Set<string | null>(visits.map(({ customer }) => customer.userId));
  return leftovers.filter(({ userId }) => !customerIds.has(userId)).map(({ description }) => description);
}

/**
 * Runs the kills, setting by setting, each during a new customer's errand.
 * @param onEnd is called after each errand; leftovers of the last sweeps are known only at the end
 */
export async function runKillPlan(kills: readonly Kill[], onEnd: (result: KillResult) => void): Promise<KillsResult> {
  const result: KillsResult = { kills: [], leftovers: [] };
  for (const [setting, settingKills] of Map.groupBy(kills, (kill) => kill.setting)) {
    const shop = await shopStarters[setting]();
    try {
      const visits = await runVisits(shop, settingKills, (killResult) => {
        result.kills.push(killResult);
        onEnd(killResult);
      });
      result.leftovers.push(...(await sweepAndReport(shop, visits)).map((description) => `${setting}: ${description}`));
    } finally {
      await shop.remove();
    }
  }
  return result;
}
