import { expect } from 'vitest';
import { seededRandom } from '../../../machines/paths/walk.ts';
import type { Database } from '../../../server/database/open.ts';
import { readJournal, findUnfinishedPayments } from './gateway-journal.ts';
import { type PurchasePlan, type ShopAccess, STORE, RetryingCustomer } from './retrying-customer.ts';

const CUSTOMER_COUNT = 6;
/** The minimum; customers buy more until every victim has been killed. */
const PURCHASES_PER_CUSTOMER = 5;
/** The maximum number of calls between a restart and the next kill. */
const MAX_CALLS_BETWEEN_KILLS = 16;
/** The maximum time from the start of a call to the kill. */
const MAX_KILL_DELAY_MS = 40;

/** A process or server that can be killed. */
export type Victim = {
  kill(): Promise<unknown>;
  /** resolves when the process serves again */
  restart(): Promise<unknown>;
  /** whether customers can continue while this process is down */
  isReplicated: boolean;
};

export type PurchaseResult = { customer: RetryingCustomer; plan: PurchasePlan; outcomes: string[] };

/**
 * Makes purchases while the victims are killed one after the other, each in the middle of a random
 * call. About every fifth purchase of the behaviour `buys` is made in two windows at once.
 */
export async function buyDuringKills(address: () => string, victims: Victim[]): Promise<PurchaseResult[]> {
  const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000);
  console.info(`killing at random: KILL_SEED=${seed}`);
  const random = seededRandom(seed);
  const remainingVictims = [...victims];
  let recovery: Promise<unknown> = Promise.resolve();
  let restartPromise = recovery;
  let isKilling = false;
  let callsUntilKill = Infinity;
  const lostResponses = new Map<string, number>();
  const drawCallCount = () => Math.ceil(random() * MAX_CALLS_BETWEEN_KILLS);

  const shops: ShopAccess = {
    address,
    waitUntilRecovered(path) {
      lostResponses.set(path, (lostResponses.get(path) ?? 0) + 1);
      return recovery;
    },
    onSend() {
      callsUntilKill -= 1;
      if (callsUntilKill > 0 || isKilling) return;
      const [victim] = remainingVictims.splice(Math.floor(random() * remainingVictims.length), 1);
      if (!victim) return;
      isKilling = true;
      const killPromise = new Promise((resolve) => setTimeout(resolve, random() * MAX_KILL_DELAY_MS)).then(() => victim.kill());
      restartPromise = killPromise
        .then(() => victim.restart())
        .then(() => {
          isKilling = false;
          callsUntilKill = drawCallCount();
        });
      recovery = victim.isReplicated ? killPromise : restartPromise;
    },
  };

  const customers = await Promise.all(Array.from({ length: CUSTOMER_COUNT }, () => RetryingCustomer.signUp(shops)));
  const titlesXml = await (await fetch(`${address()}/api/titles?shelfid=${STORE}&limit=100`)).text();
  const titles = titlesXml
    .split('<Title>')
    .filter((text) => text.includes('<ForSale>true') && text.includes('<Free>false'))
    .flatMap((text) => /<TitleId>([^<]*)</.exec(text)?.[1] ?? []);
  expect(titles.length).toBeGreaterThanOrEqual(PURCHASES_PER_CUSTOMER);

  callsUntilKill = drawCallCount();
  const results = await Promise.all(
    customers.map(async (customer, customerIndex) => {
      const customerResults: PurchaseResult[] = [];
      for (let count = 0; count < PURCHASES_PER_CUSTOMER || (remainingVictims.length > 0 && count < titles.length); count += 1) {
        // Some purchases must remain for the next kill.
        await restartPromise;
        const draw = random();
        const plan: PurchasePlan = {
          titleId: titles[(customerIndex * PURCHASES_PER_CUSTOMER + count) % titles.length] ?? '',
          card: random() < 0.15 ? 'lost' : 'good',
          manner: draw < 0.1 ? 'leaves' : draw < 0.2 ? 'cancels' : draw < 0.4 ? 'vanishes' : 'buys',
        };
        const windows = plan.manner === 'buys' && random() < 0.2 ? 2 : 1;
        customerResults.push({
          customer,
          plan,
          outcomes: await Promise.all(Array.from({ length: windows }, () => customer.buy(plan))),
        });
      }
      return customerResults;
    }),
  );
  await restartPromise;
  console.info(
    `${results.flat().length} purchases, responses lost: ${[...lostResponses].map(([path, count]) => `${path} ${count}`).join(', ')}`,
  );
  expect(remainingVictims, 'victims that were never killed').toEqual([]);
  return results.flat();
}

/**
 * Expects, after the last sweeps, that each purchase is charged and granted at most once, and that
 * the gateway holds no reserved money.
 */
export async function expectOnceOrNever(db: Database, gatewayFolder: string, results: PurchaseResult[]): Promise<void> {
  const journal = await readJournal(gatewayFolder);
  const countCharges = (reference: string) => (journal.get(reference) ?? []).filter((state) => state === 'captured').length;
  for (const { customer, plan, outcomes } of results) {
    const holdingKey = { store_id: STORE, user_id: customer.id, title_id: plan.titleId };
    const selectRows = (table: 'transactions' | 'purchases' | 'entitlements') =>
      db
        .selectFrom(table)
        .selectAll()
        .where((eb) => eb.and(holdingKey))
        .execute();
    const [transactions, purchases, entitlements] = await Promise.all([
      selectRows('transactions'),
      selectRows('purchases'),
      selectRows('entitlements'),
    ]);
    const transactionRows = transactions as { id: string; status: string }[];
    const paidCount = transactionRows.filter(({ status }) => status === 'paid').length;
    const sawSuccess = outcomes.every((outcome) => outcome === 'paid' || outcome === 'owned');
    // A customer without a response to the confirmation is charged only if the call arrived.
    const wasNeverReceived = plan.manner === 'vanishes' && !sawSuccess && paidCount === 0;
    const expectedCount = wasNeverReceived || plan.manner === 'leaves' || plan.manner === 'cancels' ? 0 : 1;
    expect({
      plan,
      outcomes,
      charges: transactionRows.map(({ id }) => countCharges(`${STORE}/${id}`)).reduce((sum, count) => sum + count, 0),
      paid: paidCount,
      purchases: purchases.length,
      copies: entitlements.length,
    }).toEqual({ plan, outcomes, charges: expectedCount, paid: expectedCount, purchases: expectedCount, copies: expectedCount });
    if (plan.manner !== 'vanishes') expect([plan, sawSuccess]).toEqual([plan, expectedCount === 1]);
  }
  expect(findUnfinishedPayments(journal)).toEqual([]);
  const unfinishedTransactions = await db.selectFrom('transactions').select('id').where('finished', '=', false).execute();
  expect(unfinishedTransactions).toEqual([]);
}
