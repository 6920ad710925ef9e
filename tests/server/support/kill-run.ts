import { expect } from 'vitest';
import { seeded } from '../../../machines/paths/walk.ts';
import type { Database } from '../../../server/database/open.ts';
import { journalOf, unfinishedIn } from './gateway-journal.ts';
import { type Plan, type Shops, STORE, SteadfastCustomer } from './steadfast-customer.ts';

const CUSTOMERS = 6;
/** Thirty in all; more where something has not been killed yet. */
const PURCHASES_EACH = 5;
/** Calls between two killings, and milliseconds into a call at which one happens, at most. */
const MOST_CALLS_BETWEEN = 16;
const MOST_MILLISECONDS_IN = 40;

/** Something that can be killed. */
export type Victim = {
  kill(): Promise<unknown>;
  /** resolves when it is back */
  restart(): Promise<unknown>;
  /** customers go on without it */
  hasTwin: boolean;
};

export type Bought = { customer: SteadfastCustomer; plan: Plan; outcomes: string[] };

/**
 * Purchases while the victims are killed one after the other, each in the middle of a random call. Every fifth
 * purchase is made in two windows at once.
 */
export async function buyWhileKilled(address: () => string, victims: Victim[]): Promise<Bought[]> {
  const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000);
  console.info(`killing at random: KILL_SEED=${seed}`);
  const random = seeded(seed);
  const waiting = [...victims];
  let recovery: Promise<unknown> = Promise.resolve();
  let back = recovery;
  let underWay = false;
  let calls = Infinity;
  const lost = new Map<string, number>();
  const drawCalls = () => Math.ceil(random() * MOST_CALLS_BETWEEN);

  const shops: Shops = {
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
      const killed = new Promise((resolve) => setTimeout(resolve, random() * MOST_MILLISECONDS_IN)).then(() => victim.kill());
      back = killed
        .then(() => victim.restart())
        .then(() => {
          underWay = false;
          calls = drawCalls();
        });
      recovery = victim.hasTwin ? killed : back;
    },
  };

  const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => SteadfastCustomer.signedUp(shops)));
  const list = await (await fetch(`${address()}/api/titles?shelfid=${STORE}&limit=100`)).text();
  const titles = list
    .split('<Title>')
    .filter((text) => text.includes('<ForSale>true') && text.includes('<Free>false'))
    .flatMap((text) => /<TitleId>([^<]*)</.exec(text)?.[1] ?? []);
  expect(titles.length).toBeGreaterThanOrEqual(PURCHASES_EACH);

  calls = drawCalls();
  const bought = await Promise.all(
    customers.map(async (customer, at) => {
      const own: Bought[] = [];
      for (let count = 0; count < PURCHASES_EACH || (waiting.length > 0 && count < titles.length); count += 1) {
        // Not all is bought before the next is killed.
        await back;
        const luck = random();
        const plan: Plan = {
          titleId: titles[(at * PURCHASES_EACH + count) % titles.length] ?? '',
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

/** After the last sweeps each purchase is charged and granted once, or never, and the gateway holds no money for any. */
export async function expectOnceOrNever(db: Database, gatewayFolder: string, bought: Bought[]): Promise<void> {
  const journal = await journalOf(gatewayFolder);
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
    // Who has confirmed and was told nothing is charged if the shop had heard it, and never else.
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
  expect(unfinishedIn(journal)).toEqual([]);
  const unfinished = await db.selectFrom('transactions').select('id').where('finished', '=', false).execute();
  expect(unfinished).toEqual([]);
}
