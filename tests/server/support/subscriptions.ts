import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { PlansTable } from '../../../server/database/schema/payments.ts';
import type { SubscriptionsTable } from '../../../server/database/schema/offers.ts';
import type { Customer } from './customers.ts';
import { CARDS, pay } from './paying.ts';
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

export type Session = { transId: string; url: string };

/** Begins to subscribe. @returns the gateway's page */
export const beginSubscribing = (shop: Shop, { query }: Customer, planId = 'monthly') =>
  shop.ask('subscriptionSession', '/checkout/subscription/session', { query: { ...query, planId } });

export const confirmSubscribing = (shop: Shop, { query }: Customer, subscriptionId: string, intentId: string) =>
  shop.ask('confirmSubscription', '/subscription/confirm', { query: { ...query, subscriptionId, intentId } });

/** Types a card on the gateway's page. @returns the intent's id, from the address that it leads back to */
export async function leaveCard(url: string, number = CARDS.good): Promise<string> {
  const answer = await pay(url, number);
  const back = new URL(answer.headers.get('location') ?? '', 'http://gateway');
  const intentId = back.searchParams.get('intentId');
  if (intentId === null) throw new Error(`The gateway does not take ${number}.`);
  return intentId;
}

/** Subscribes by a card that is typed at the gateway. @returns the subscription's id */
export async function subscribe(shop: Shop, customer: Customer, planId = 'monthly', number = CARDS.good): Promise<string> {
  const begun = await beginSubscribing(shop, customer, planId);
  if (begun.status !== 200) throw new Error(`No session: ${begun.text}`);
  const { transId, url } = begun.value as Session;
  const { status, text } = await confirmSubscribing(shop, customer, transId, await leaveCard(url, number));
  if (status !== 200) throw new Error(`Not subscribed: ${text}`);
  return transId;
}

export const rowOf = (shop: Shop, id: string) =>
  shop.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
