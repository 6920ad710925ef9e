import { randomUUID } from 'node:crypto';
import { writeAuditLog } from '../kernel/audit.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import { findTitlesBeingCharged } from '../payment/being-charged.ts';
import { alreadyOwned, boughtElsewhere, releaseTransaction } from '../payment/open-transaction.ts';
import { grantTitle, readOwnedCopies, findOwnedCopy } from '../entitlements/ownership.ts';
import { PaymentUnknown } from '../payment/port.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { bookCredits } from '../subscriptions/credits.ts';
import { giveSubscription } from '../subscriptions/give.ts';
import { runningSubscription } from '../entitlements/held.ts';
import { alreadySubscribed, findOpenSubscriptionPayment } from '../subscriptions/open.ts';
import { codeMisfit, findRedemption, assertCodeUsable, readTitleIds, type Code, type Redemption } from '../codes/find-code.ts';
import { consumeCode } from '../codes/use-code.ts';

type Customer = { storeId: string; userId: string; address: string };

/** Grants one title of a code. @returns the purchase's id */
async function grantTitleOfCode(trx: Database, customer: Customer, code: Code, chosen: string | undefined): Promise<string> {
  const ids = await readTitleIds(trx, code);
  const titleId = chosen ?? (ids.length === 1 ? ids[0] : undefined);
  if (titleId === undefined) throw new DomainError('conflict', 'Please choose a title.', { code: 'choose_title' });
  if (!ids.includes(titleId)) throw codeMisfit();
  const owner = { storeId: customer.storeId, userId: customer.userId, titleId };
  if (await findOwnedCopy(trx, owner)) throw alreadyOwned();
  if ((await findTitlesBeingCharged(trx, customer, [titleId])).length > 0) throw boughtElsewhere();
  return grantTitle(trx, randomUUID(), owner, { kind: 'code' });
}

/**
 * Grants all titles of a code that the customer does not own yet.
 * @returns the id of the first purchase
 * @throws DomainError conflict already_owned if they own all
 */
async function grantAllTitles(trx: Database, customer: Customer, code: Code): Promise<string> {
  const { storeId, userId } = customer;
  const owned = new Set((await readOwnedCopies(trx, { storeId, userId })).map((copy) => copy.title_id));
  const titleIds = (await readTitleIds(trx, code)).filter((id) => !owned.has(id));
  const [first] = titleIds;
  if (first === undefined) throw alreadyOwned();
  if ((await findTitlesBeingCharged(trx, customer, titleIds)).length > 0) throw boughtElsewhere();
  const ids = new Map(titleIds.map((titleId) => [titleId, randomUUID()]));
  for (const [titleId, id] of ids) await grantTitle(trx, id, { storeId, userId, titleId }, { kind: 'code' });
  return ids.get(first) ?? '';
}

/**
 * Grants a code's benefit, in the caller's database transaction.
 * @returns the id of the (first) purchase for titles, else null
 */
async function grantCode(trx: Database, customer: Customer, code: Code, chosen: string | undefined): Promise<string | null> {
  const { storeId, userId } = customer;
  if (code.kind === 'title' || code.kind === 'titles') return grantTitleOfCode(trx, customer, code, chosen);
  if (code.kind === 'bundle') return grantAllTitles(trx, customer, code);
  if (code.kind === 'credits' && code.credits !== null) {
    await bookCredits(trx, { storeId, userId }, { cause: `code ${code.code}`, amount: code.credits });
    return null;
  }
  if (code.kind === 'subscription' && code.plan_id !== null && code.trial_days === null) {
    if (await runningSubscription(trx, { storeId, userId })) throw alreadySubscribed();
    if (await findOpenSubscriptionPayment(trx, { storeId, userId })) throw subscribingElsewhere();
    await giveSubscription(trx, { storeId, userId }, code.plan_id);
    return null;
  }
  // Discounts and trials are used by a payment instead.
  throw codeMisfit();
}

const subscribingElsewhere = () => new DomainError('conflict', 'You’re subscribing in another window.', { code: 'conflict' });

/**
 * Releases the customer's unconfirmed payment for a subscription: the code's subscription takes its
 * place.
 */
async function releaseOpenSubscribing(services: PaymentServices, { storeId, userId }: Customer): Promise<void> {
  if (await runningSubscription(services.db, { storeId, userId })) throw alreadySubscribed();
  const open = await findOpenSubscriptionPayment(services.db, { storeId, userId });
  if (!open) return;
  await releaseTransaction(services, open, 'code_redeemed').catch((error: unknown) => {
    throw error instanceof PaymentUnknown ? subscribingElsewhere() : error;
  });
}

/**
 * Redeems a code: grants all of its benefit or nothing, exactly once under concurrent calls. A
 * repeated call by the same customer returns the first redemption.
 * @param chosen id of the title, if the code offers several
 * @throws DomainError conflict code_withdrawn, code_used, code_expired, choose_title, code_misfit,
 * already_owned, already_subscribed or conflict
 */
export async function redeemCode(
  services: PaymentServices,
  customer: Customer,
  code: Code,
  chosen?: string,
): Promise<Redemption> {
  const { storeId, userId } = customer;
  const before = await findRedemption(services.db, code, userId);
  if (before) return before;
  assertCodeUsable(code);
  if (code.kind === 'subscription' && code.trial_days === null) await releaseOpenSubscribing(services, customer);
  return services.db.transaction().execute(async (trx) => {
    // Concurrent calls wait for the lock; the second one finds the first one's redemption.
    await lockCustomer(trx, storeId, userId);
    const found = await findRedemption(trx, code, userId);
    if (found) return found;
    await consumeCode(trx, code);
    const purchaseId = await grantCode(trx, customer, code, chosen);
    const made = await trx
      .insertInto('redemptions')
      .values({ store_id: storeId, code: code.code, user_id: userId, purchase_id: purchaseId })
      .returningAll()
      .executeTakeFirstOrThrow();
    await writeAuditLog(trx, 'code_redeemed', customer);
    return made;
  });
}
