import { randomUUID } from 'node:crypto';
import { note } from '../kernel/audit.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import { beingCharged } from '../payment/being-charged.ts';
import { alreadyOwned, boughtElsewhere, release } from '../payment/open-transaction.ts';
import { grant, ownedCopies, ownedCopy } from '../entitlements/ownership.ts';
import { PaymentUnknown } from '../payment/port.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { bookCredits } from '../subscriptions/credits.ts';
import { giveSubscription } from '../subscriptions/give.ts';
import { runningSubscription } from '../entitlements/held.ts';
import { alreadySubscribed, openSubscribing } from '../subscriptions/open.ts';
import { codeMisfit, redemptionOf, refuseOver, titleIdsOf, type Code, type Redemption } from '../codes/find-code.ts';
import { consume } from '../codes/use-code.ts';

type Customer = { storeId: string; userId: string; address: string };

/** Gives a title by a code. @returns the purchase */
async function giveTitle(trx: Database, customer: Customer, code: Code, chosen: string | undefined): Promise<string> {
  const ids = await titleIdsOf(trx, code);
  const titleId = chosen ?? (ids.length === 1 ? ids[0] : undefined);
  if (titleId === undefined) throw new DomainError('conflict', 'Please choose a title.', { code: 'choose_title' });
  if (!ids.includes(titleId)) throw codeMisfit();
  const owner = { storeId: customer.storeId, userId: customer.userId, titleId };
  if (await ownedCopy(trx, owner)) throw alreadyOwned();
  if ((await beingCharged(trx, customer, [titleId])).length > 0) throw boughtElsewhere();
  return grant(trx, randomUUID(), owner, { kind: 'code' });
}

/**
 * Gives all titles of a code that the customer has not yet. @returns the first purchase @throws
 * DomainError conflict already_owned where they have all
 */
async function giveAll(trx: Database, customer: Customer, code: Code): Promise<string> {
  const { storeId, userId } = customer;
  const owned = new Set((await ownedCopies(trx, { storeId, userId })).map((copy) => copy.title_id));
  const titleIds = (await titleIdsOf(trx, code)).filter((id) => !owned.has(id));
  const [first] = titleIds;
  if (first === undefined) throw alreadyOwned();
  if ((await beingCharged(trx, customer, titleIds)).length > 0) throw boughtElsewhere();
  const ids = new Map(titleIds.map((titleId) => [titleId, randomUUID()]));
  for (const [titleId, id] of ids) await grant(trx, id, { storeId, userId, titleId }, { kind: 'code' });
  return ids.get(first) ?? '';
}

/** Gives what a code is for, inside the caller's transaction. @returns the purchase of a title, of several the first; else null */
async function give(trx: Database, customer: Customer, code: Code, chosen: string | undefined): Promise<string | null> {
  const { storeId, userId } = customer;
  if (code.kind === 'title' || code.kind === 'titles') return giveTitle(trx, customer, code, chosen);
  if (code.kind === 'bundle') return giveAll(trx, customer, code);
  if (code.kind === 'credits' && code.credits !== null) {
    await bookCredits(trx, { storeId, userId }, { cause: `code ${code.code}`, amount: code.credits });
    return null;
  }
  if (code.kind === 'subscription' && code.plan_id !== null && code.trial_days === null) {
    if (await runningSubscription(trx, { storeId, userId })) throw alreadySubscribed();
    if (await openSubscribing(trx, { storeId, userId })) throw subscribingElsewhere();
    await giveSubscription(trx, { storeId, userId }, code.plan_id);
    return null;
  }
  // What is taken off a price is used up by the payment.
  throw codeMisfit();
}

const subscribingElsewhere = () => new DomainError('conflict', 'You’re subscribing in another window.', { code: 'conflict' });

/** Gives up what the customer has begun to subscribe to and not confirmed: the code's subscription takes its place. */
async function leaveSubscribing(services: PaymentServices, { storeId, userId }: Customer): Promise<void> {
  if (await runningSubscription(services.db, { storeId, userId })) throw alreadySubscribed();
  const open = await openSubscribing(services.db, { storeId, userId });
  if (!open) return;
  await release(services, open, 'code_redeemed').catch((error: unknown) => {
    throw error instanceof PaymentUnknown ? subscribingElsewhere() : error;
  });
}

/**
 * Uses a code for a customer and gives what it is for: all of it or nothing, exactly once, however many use it at the same time.
 * Asked again by the same customer it gives nothing more, and answers the first use.
 * @param chosen the title, where the code offers several
 * @throws DomainError conflict code_used, code_expired, choose_title, code_misfit, already_owned,
 * already_subscribed or conflict
 */
export async function redeemCode(
  services: PaymentServices,
  customer: Customer,
  code: Code,
  chosen?: string,
): Promise<Redemption> {
  const { storeId, userId } = customer;
  const before = await redemptionOf(services.db, code, userId);
  if (before) return before;
  refuseOver(code);
  if (code.kind === 'subscription' && code.trial_days === null) await leaveSubscribing(services, customer);
  return services.db.transaction().execute(async (trx) => {
    // Presses at the same time wait for each other here; the second finds the first one's use.
    await lockCustomer(trx, storeId, userId);
    const found = await redemptionOf(trx, code, userId);
    if (found) return found;
    await consume(trx, code);
    const purchaseId = await give(trx, customer, code, chosen);
    const made = await trx
      .insertInto('redemptions')
      .values({ store_id: storeId, code: code.code, user_id: userId, purchase_id: purchaseId })
      .returningAll()
      .executeTakeFirstOrThrow();
    await note(trx, 'code_redeemed', customer);
    return made;
  });
}
