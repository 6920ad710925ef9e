import { expect } from 'vitest';
import { seededRandom } from '../../../machines/paths/walk.ts';
import type { Database } from '../../../server/database/open.ts';
import { readJournal, findUnfinished } from './gateway-journal.ts';
import { type PurchasePlan, type ShopAccess, STORE, RetryingCustomer } from './retrying-customer.ts';

const CUSTOMER_COUNT = 6;
/** Thirty in total, or more until every victim has been killed. */
const PURCHASES_PER_CUSTOMER = 5;
/** At most so many calls between two kills, and ms from the start of a call to its kill. */
const MAX_CALLS_BETWEEN = 16;
const MAX_DELAY_MS = 40;

/** A process or server that can be killed. */
export type Victim = {
  kill(): Promise<unknown>;
  /** resolves when it is back */
  restart(): Promise<unknown>;
  /** customers continue without it */
  isReplicated: boolean;
};

export type PurchaseResult = { customer: RetryingCustomer; plan: PurchasePlan; outcomes: string[] };

/**
 * Makes purchases while the victims are killed one after the other, each in the middle of a random
 * call. Every fifth purchase is made in two windows at once.
 */
export async function buyWhileKilled(address: () => string, victims: Victim[]): Promise<PurchaseResult[]> {
  const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000);
  console.info(`killing at random: KILL_SEED=${seed}`);
  const random = seededRandom(seed);
  const waiting = [...victims];
  let recovery: Promise<unknown> = Promise.resolve();
  let back = recovery;
  let underWay = false;
  let calls = Infinity;
  const lost = new Map<string, number>();
  const drawCalls = () => Math.ceil(random() * MAX_CALLS_BETWEEN);

  const shops: ShopAccess = {
    address,
    recovered(path) {
      lost.set(path, (lost.get(path) ?? 0) + 1);
      return recovery;
    },
    onSend() {
      calls -= 1;
      if (calls > 0 || underWay) return;
      const [victim] = waiting.splice(Math.floor(random() * waiting.length), 1);
      if (!victim) return;
      underWay = true;
      const killed = new Promise((resolve) => setTimeout(resolve, random() * MAX_DELAY_MS)).then(() => victim.kill());
      back = killed
        .then(() => victim.restart())
        .then(() => {
          underWay = false;
          calls = drawCalls();
        });
      recovery = victim.isReplicated ? killed : back;
    },
  };

  const customers = await Promise.all(Array.from({ length: CUSTOMER_COUNT }, () => RetryingCustomer.signUp(shops)));
  const list = await (await fetch(`${address()}/api/titles?shelfid=${STORE}&limit=100`)).text();
  const titles = list
    .split('<Title>')
    .filter((text) => text.includes('<ForSale>true') && text.includes('<Free>false'))
    .flatMap((text) => /<TitleId>([^<]*)</.exec(text)?.[1] ?? []);
  expect(titles.length).toBeGreaterThanOrEqual(PURCHASES_PER_CUSTOMER);

  calls = drawCalls();
  const bought = await Promise.all(
    customers.map(async (customer, at) => {
      const own: PurchaseResult[] = [];
      for (let count = 0; count < PURCHASES_PER_CUSTOMER || (waiting.length > 0 && count < titles.length); count += 1) {
        // Some purchases must remain for the next kill.
        await back;
        const luck = random();
        const plan: PurchasePlan = {
          titleId: titles[(at * PURCHASES_PER_CUSTOMER + count) % titles.length] ?? '',
          card: random() < 0.15 ? 'lost' : 'good',
          manner: luck < 0.1 ? 'leaves' : luck < 0.2 ? 'cancels' : luck < 0.4 ? 'vanishes' : 'buys',
        };
        const windows = plan.manner === 'buys' && random() < 0.2 ? 2 : 1;
        own.push({ customer, plan, outcomes: await Promise.all(Array.from({ length: windows }, () => customer.buy(plan))) });
      }
      return own;
    }),
  );
  await back;
  console.info(
    `${bought.flat().length} purchases, answers lost: ${[...lost].map(([path, count]) => `${path} ${count}`).join(', ')}`,
  );
  expect(waiting, 'everything was killed').toEqual([]);
  return bought.flat();
}

/**
 * After the last sweeps each purchase is charged and granted at most once, and the gateway holds no
 * reserved money.
 */
export async function expectOnceOrNever(db: Database, gatewayFolder: string, bought: PurchaseResult[]): Promise<void> {
  const journal = await readJournal(gatewayFolder);
  const chargesOf = (reference: string) => (journal.get(reference) ?? []).filter((state) => state === 'captured').length;
  for (const { customer, plan, outcomes } of bought) {
    const where = { store_id: STORE, user_id: customer.id, title_id: plan.titleId };
    const of = (table: 'transactions' | 'purchases' | 'entitlements') =>
      db
        .selectFrom(table)
        .selectAll()
        .where((eb) => eb.and(where))
        .execute();
    const [transactions, purchases, entitlements] = await Promise.all([of('transactions'), of('purchases'), of('entitlements')]);
    const own = transactions as { id: string; status: string }[];
    const paid = own.filter(({ status }) => status === 'paid').length;
    const wasTold = outcomes.every((outcome) => outcome === 'paid' || outcome === 'owned');
    // A customer who confirmed and got no response is charged only if the shop received the call.
    const isOpen = plan.manner === 'vanishes' && !wasTold && paid === 0;
    const times = isOpen || plan.manner === 'leaves' || plan.manner === 'cancels' ? 0 : 1;
    expect({
      plan,
      outcomes,
      charges: own.map(({ id }) => chargesOf(`${STORE}/${id}`)).reduce((sum, count) => sum + count, 0),
      paid,
      purchases: purchases.length,
      copies: entitlements.length,
    }).toEqual({ plan, outcomes, charges: times, paid: times, purchases: times, copies: times });
    if (plan.manner !== 'vanishes') expect([plan, wasTold]).toEqual([plan, times === 1]);
  }
  expect(findUnfinished(journal)).toEqual([]);
  const unfinished = await db.selectFrom('transactions').select('id').where('finished', '=', false).execute();
  expect(unfinished).toEqual([]);
}
