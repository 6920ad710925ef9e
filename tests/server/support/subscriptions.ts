import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { PlansTable } from '../../../server/database/schema/payments.ts';
import type { SubscriptionsTable } from '../../../server/database/schema/offers.ts';
import type { Customer } from './customers.ts';
import { CARD_NUMBERS, submitCardForm } from './paying.ts';
import type { Shop } from './shop.ts';

const DAY_MS = 24 * 60 * 60_000;

export const dateInDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);

/** Creates a plan in the store, with the id `monthly` by default. */
export async function insertPlan(shop: Shop, store: string, plan: Partial<Insertable<PlansTable>> = {}): Promise<string> {
  const { id = 'monthly' } = plan;
  const usual = { name: 'Monthly', amount_minor: 900, currency: 'EUR', period: 'month' } as const;
  await shop.db
    .insertInto('plans')
    .values({ ...usual, ...plan, store_id: store, id })
    .execute();
  return id;
}

/** A subscription of the customer, with ten days left. @returns its id */
export async function insertSubscription(
  shop: Shop,
  { store, id }: Customer,
  part: Partial<Insertable<SubscriptionsTable>> = {},
): Promise<string> {
  const own = randomUUID();
  const usual = { plan_id: 'monthly', status: 'active', provider: 'test', renews_at: dateInDays(10) } as const;
  await shop.db
    .insertInto('subscriptions')
    .values({ ...usual, ...part, store_id: store, user_id: id, id: own })
    .execute();
  return own;
}

export type Session = { transId: string; url: string };

/** Starts a subscription. @returns the response with the gateway's page */
export const startSubscription = (shop: Shop, { query }: Customer, planId = 'monthly') =>
  shop.ask('subscriptionSession', '/checkout/subscription/session', { query: { ...query, planId } });

export const confirmSubscription = (shop: Shop, { query }: Customer, subscriptionId: string, intentId: string) =>
  shop.ask('confirmSubscription', '/subscription/confirm', { query: { ...query, subscriptionId, intentId } });

/** Types a card on the gateway's page. @returns the intent's id from the redirect */
export async function submitCard(url: string, number = CARD_NUMBERS.good): Promise<string> {
  const answer = await submitCardForm(url, number);
  const back = new URL(answer.headers.get('location') ?? '', 'http://gateway');
  const intentId = back.searchParams.get('intentId');
  if (intentId === null) throw new Error(`The gateway refuses the card ${number}.`);
  return intentId;
}

/** Subscribes with a card that is typed at the gateway. @returns the subscription's id */
export async function subscribe(shop: Shop, customer: Customer, planId = 'monthly', number = CARD_NUMBERS.good): Promise<string> {
  const begun = await startSubscription(shop, customer, planId);
  if (begun.status !== 200) throw new Error(`No payment session: ${begun.text}`);
  const { transId, url } = begun.value as Session;
  const { status, text } = await confirmSubscription(shop, customer, transId, await submitCard(url, number));
  if (status !== 200) throw new Error(`Not subscribed: ${text}`);
  return transId;
}

export const selectSubscription = (shop: Shop, id: string) =>
  shop.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
