import { randomUUID } from 'node:crypto';
import { writeAuditLog } from '../kernel/audit.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import { findTitlesBeingCharged } from '../payment/pending-charges.ts';
import { alreadyOwnedError, boughtElsewhereError, releaseTransaction } from '../payment/open-transaction.ts';
import { grantTitle, readOwnedCopies, findOwnedCopy } from '../entitlements/ownership.ts';
import { PaymentUnknown } from '../payment/port.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { bookCredits } from '../subscriptions/credits.ts';
import { giveSubscription } from '../subscriptions/give.ts';
import { findActiveSubscription } from '../entitlements/subscription.ts';
import { alreadySubscribedError, findOpenSubscriptionPayment } from '../subscriptions/open.ts';
import {
  codeMisfitError,
  findRedemption,
  assertCodeUsable,
  readTitleIds,
  type Code,
  type Redemption,
} from '../codes/find-code.ts';
import { consumeCode } from '../codes/use-code.ts';

type Customer = { storeId: string; userId: string; address: string };

/**
 * Grants one title of a code.
 * @returns the purchase's id
 * @throws DomainError conflict choose_title, code_misfit, already_owned or conflict
 */
async function grantTitleOfCode(
  trx: Database,
  customer: Customer,
  code: Code,
  chosenTitleId: string | undefined,
): Promise<string> {
  const ids = await readTitleIds(trx, code);
  const titleId = chosenTitleId ?? (ids.length === 1 ? ids[0] : undefined);
  if (titleId === undefined) throw new DomainError('conflict', 'Please choose a title.', { code: 'choose_title' });
  if (!ids.includes(titleId)) throw codeMisfitError();
  const owner = { storeId: customer.storeId, userId: customer.userId, titleId };
  if (await findOwnedCopy(trx, owner)) throw alreadyOwnedError();
  if ((await findTitlesBeingCharged(trx, customer, [titleId])).length > 0) throw boughtElsewhereError();
  return grantTitle(trx, randomUUID(), owner, { kind: 'code' });
}

/**
 * Grants all titles of a code that the customer does not own yet.
 * @returns the id of the first purchase
 * @throws DomainError conflict already_owned if the customer owns all of them; conflict conflict if
 * a payment for one of them is being captured
 */
async function grantAllTitles(trx: Database, customer: Customer, code: Code): Promise<string> {
  const { storeId, userId } = customer;
  const ownedTitleIds = new Set((await readOwnedCopies(trx, { storeId, userId })).map((copy) => copy.title_id));
  const titleIds = (await readTitleIds(trx, code)).filter((id) => !ownedTitleIds.has(id));
  const [firstTitleId] = titleIds;
  if (firstTitleId === undefined) throw alreadyOwnedError();
  if ((await findTitlesBeingCharged(trx, customer, titleIds)).length > 0) throw boughtElsewhereError();
  const purchaseIds = new Map(titleIds.map((titleId) => [titleId, randomUUID()]));
  for (const [titleId, id] of purchaseIds) await grantTitle(trx, id, { storeId, userId, titleId }, { kind: 'code' });
  return purchaseIds.get(firstTitleId) ?? '';
}

/**
 * Grants a code's benefit, in the caller's database transaction.
 * @returns for titles, the id of the first purchase; else null
 * @throws DomainError conflict choose_title, code_misfit, already_owned, already_subscribed or
 * conflict
 */
async function grantCode(
  trx: Database,
  customer: Customer,
  code: Code,
  chosenTitleId: string | undefined,
): Promise<string | null> {
  const { storeId, userId } = customer;
  if (code.kind === 'title' || code.kind === 'titles') return grantTitleOfCode(trx, customer, code, chosenTitleId);
  if (code.kind === 'bundle') return grantAllTitles(trx, customer, code);
  if (code.kind === 'credits' && code.credits !== null) {
    await bookCredits(trx, { storeId, userId }, { cause: `code ${code.code}`, amount: code.credits });
    return null;
  }
  if (code.kind === 'subscription' && code.plan_id !== null && code.trial_days === null) {
    if (await findActiveSubscription(trx, { storeId, userId })) throw alreadySubscribedError();
    if (await findOpenSubscriptionPayment(trx, { storeId, userId })) throw subscribingElsewhereError();
    await giveSubscription(trx, { storeId, userId }, code.plan_id);
    return null;
  }
  // Discounts and trials cannot be redeemed: a payment uses them.
  throw codeMisfitError();
}

const subscribingElsewhereError = () =>
  new DomainError('conflict', 'You’re subscribing in another window.', { code: 'conflict' });

/**
 * Releases the customer's unconfirmed payment for a subscription, which the code's subscription
 * replaces.
 * @throws DomainError conflict already_subscribed; conflict conflict if the outcome at the gateway
 * is unknown
 */
async function releaseOpenSubscriptionPayment(services: PaymentServices, { storeId, userId }: Customer): Promise<void> {
  if (await findActiveSubscription(services.db, { storeId, userId })) throw alreadySubscribedError();
  const openPayment = await findOpenSubscriptionPayment(services.db, { storeId, userId });
  if (!openPayment) return;
  await releaseTransaction(services, openPayment, 'code_redeemed').catch((error: unknown) => {
    throw error instanceof PaymentUnknown ? subscribingElsewhereError() : error;
  });
}

/**
 * Redeems a code: grants all of its benefit or none, exactly once under concurrent calls. A
 * repeated call by the same customer returns the first redemption.
 * @param chosenTitleId id of the title, if the code offers several
 * @throws DomainError conflict code_withdrawn, code_used, code_expired, choose_title, code_misfit,
 * already_owned, already_subscribed or conflict
 */
export async function redeemCode(
  services: PaymentServices,
  customer: Customer,
  code: Code,
  chosenTitleId?: string,
): Promise<Redemption> {
  const { storeId, userId } = customer;
  const earlierRedemption = await findRedemption(services.db, code, userId);
  if (earlierRedemption) return earlierRedemption;
  assertCodeUsable(code);
  if (code.kind === 'subscription' && code.trial_days === null) await releaseOpenSubscriptionPayment(services, customer);
  return services.db.transaction().execute(async (trx) => {
    // Concurrent calls wait for the lock; the second one finds the first one's redemption.
    await lockCustomer(trx, storeId, userId);
    const concurrentRedemption = await findRedemption(trx, code, userId);
    if (concurrentRedemption) return concurrentRedemption;
    await consumeCode(trx, code);
    const purchaseId = await grantCode(trx, customer, code, chosenTitleId);
    const newRedemption = await trx
      .insertInto('redemptions')
      .values({ store_id: storeId, code: code.code, user_id: userId, purchase_id: purchaseId })
      .returningAll()
      .executeTakeFirstOrThrow();
    await writeAuditLog(trx, 'code_redeemed', customer);
    return newRedemption;
  });
}
