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
  const defaults = { name: 'Monthly', amount_minor: 900, currency: 'EUR', period: 'month' } as const;
  await shop.db
    .insertInto('plans')
    .values({ ...defaults, ...plan, store_id: store, id })
    .execute();
  return id;
}

/** Inserts a subscription of the customer that renews in ten days by default. @returns its id */
export async function insertSubscription(
  shop: Shop,
  { store, id }: Customer,
  overrides: Partial<Insertable<SubscriptionsTable>> = {},
): Promise<string> {
  const subscriptionId = randomUUID();
  const defaults = { plan_id: 'monthly', status: 'active', provider: 'test', renews_at: dateInDays(10) } as const;
  await shop.db
    .insertInto('subscriptions')
    .values({ ...defaults, ...overrides, store_id: store, user_id: id, id: subscriptionId })
    .execute();
  return subscriptionId;
}

export type Session = { transId: string; url: string };

/** Starts a subscription. @returns the response with the URL of the gateway's page */
export const startSubscription = (shop: Shop, { query }: Customer, planId = 'monthly') =>
  shop.call('subscriptionSession', '/checkout/subscription/session', { query: { ...query, planId } });

export const confirmSubscription = (shop: Shop, { query }: Customer, subscriptionId: string, intentId: string) =>
  shop.call('confirmSubscription', '/subscription/confirm', { query: { ...query, subscriptionId, intentId } });

/** Submits a card on the gateway's page. @returns the intent's id from the redirect */
export async function submitCard(url: string, number = CARD_NUMBERS.good): Promise<string> {
  const response = await submitCardForm(url, number);
  const redirectUrl = new URL(response.headers.get('location') ?? '', 'http://gateway');
  const intentId = redirectUrl.searchParams.get('intentId');
  if (intentId === null) throw new Error(`The gateway refuses the card ${number}.`);
  return intentId;
}

/** Subscribes with a card that is submitted at the gateway. @returns the subscription's id */
export async function subscribe(shop: Shop, customer: Customer, planId = 'monthly', number = CARD_NUMBERS.good): Promise<string> {
  const startResponse = await startSubscription(shop, customer, planId);
  if (startResponse.status !== 200)
    throw new Error(`No session for the plan ${planId}: HTTP ${startResponse.status} ${startResponse.text}`);
  const { transId, url } = startResponse.value as Session;
  const { status, text } = await confirmSubscription(shop, customer, transId, await submitCard(url, number));
  if (status !== 200) throw new Error(`The subscription ${transId} was not confirmed: HTTP ${status} ${text}`);
  return transId;
}

export const selectSubscription = (shop: Shop, id: string) =>
  shop.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
