import { currencySymbol, toMajor } from '../catalogue/money.ts';
import { textIn } from '../language.ts';
import { cancelAtEnd } from '../subscriptions/cancel.ts';
import { creditsPerRenewal, isRunning, lastSubscription, type Subscription } from '../subscriptions/held.ts';
import type { Answer, CustomerCall } from './call.ts';
import { done } from './done.ts';
import { notFound } from './refusal.ts';

/** Where a subscription stands for its customer, and until when. */
function standing(row: Subscription, now: Date): { status: 'active' | 'pastDue' | 'cancelled' | 'ended'; until: Date | null } {
  if (!isRunning(row, now)) return { status: 'ended', until: row.ended_at ?? row.renews_at };
  if (row.cancelled_at !== null) return { status: 'cancelled', until: row.renews_at };
  return { status: row.status === 'past_due' ? 'pastDue' : 'active', until: row.renews_at };
}

/** The subscription that the customer has, or had last. */
export async function ownSubscription({
  services,
  store,
  spoken,
  customer,
}: CustomerCall<'ownSubscription'>): Answer<'ownSubscription'> {
  const held = await lastSubscription(services.db, { storeId: store.id, userId: customer.id });
  if (!held) return { subscription: null };
  const { status, until } = standing(held, new Date());
  return {
    subscription: {
      planId: held.plan_id,
      name: textIn(held, 'name', spoken),
      status,
      price: {
        amount: toMajor(held.price, held.paid_in),
        currency: held.paid_in,
        symbol: currencySymbol(held.paid_in),
      },
      interval: held.paid_each,
      credits: held.credits ?? (await creditsPerRenewal(services.db, store.id)),
      until: until?.toISOString() ?? null,
    },
  };
}

/** Cancels the customer's subscription at the end of what is paid for. @throws Refusal 404 where there never was one */
export async function cancelSubscription(call: CustomerCall<'cancelSubscription'>): Answer<'cancelSubscription'> {
  const { services, store, customer, request } = call;
  const owner = { storeId: store.id, userId: customer.id, address: request.ip };
  if (!(await cancelAtEnd(services.db, owner))) throw notFound('subscription');
  return done();
}
