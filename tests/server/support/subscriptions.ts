import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { PlansTable } from '../../../server/database/schema/payments.ts';
import type { SubscriptionsTable } from '../../../server/database/schema/offers.ts';
import type { Customer } from './customers.ts';
import type { Shop } from './shop.ts';

const DAY = 24 * 60 * 60_000;

export const inDays = (days: number): Date => new Date(Date.now() + days * DAY);

/** A plan in the store; its id is `monthly` where nothing else is said. */
export async function planIn(shop: Shop, store: string, plan: Partial<Insertable<PlansTable>> = {}): Promise<string> {
  const { id = 'monthly' } = plan;
  const usual = { name: 'Monthly', amount_minor: 900, currency: 'EUR', period: 'month' } as const;
  await shop.db
    .insertInto('plans')
    .values({ ...usual, ...plan, store_id: store, id })
    .execute();
  return id;
}

/** A subscription of the customer, which runs for another ten days. @returns its id */
export async function subscriptionOf(
  shop: Shop,
  { store, id }: Customer,
  part: Partial<Insertable<SubscriptionsTable>> = {},
): Promise<string> {
  const own = randomUUID();
  const usual = { plan_id: 'monthly', status: 'active', provider: 'test', renews_at: inDays(10) } as const;
  await shop.db
    .insertInto('subscriptions')
    .values({ ...usual, ...part, store_id: store, user_id: id, id: own })
    .execute();
  return own;
}
