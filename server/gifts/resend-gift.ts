import { containsLink } from '../../machines/model/store/links.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { notFound, DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import { type Giver, isFreeGift, requireFreeGift, requireFreeRecipient } from './free-gifts.ts';
import { type Gift, giftOpenedError, isWithdrawn, makeGiftCode, queueGift } from './give-gift.ts';
import { realNow, shopNow } from '../base/clock/time.ts';

/** Minimum ms between a gift's e-mails to the same address. */
export const RESEND_PAUSE_MS = 10 * 60_000;
/** Maximum number of a gift's e-mails, to all addresses. */
const MAX_SENDS = 10;

const giftLinkError = () =>
  new DomainError('conflict', 'The name or the message of this gift contains a web or e-mail address, so it is not sent again.', {
    code: 'gift_link',
  });
const resendLimitError = () => new DomainError('conflict', 'This gift has been sent too often.', { code: 'gift_letters_used' });

/** Deletes the gift's code, in the caller's database transaction. */
async function deleteCode(trx: Database, { store_id }: Gift, code: string): Promise<void> {
  await trx.updateTable('gifts').set({ code: null }).where('store_id', '=', store_id).where('code', '=', code).execute();
  await trx.deleteFrom('codes').where('store_id', '=', store_id).where('code', '=', code).execute();
}

/**
 * Locks the row of an unused code: redemptions wait until the caller's transaction ends.
 * @throws DomainError not_found for a withdrawn gift; conflict gift_redeemed
 */
async function lockUnusedCode(trx: Database, { store_id }: Gift, code: string): Promise<void> {
  const row = await trx
    .selectFrom('codes')
    .select(['uses_left', 'expires_at'])
    .where('store_id', '=', store_id)
    .where('code', '=', code)
    .forUpdate()
    .executeTakeFirst();
  if (isWithdrawn(row?.expires_at ?? null)) throw notFound('gift');
  if (row?.uses_left !== 1) throw giftOpenedError();
}

const findQueuedEmail = (trx: Database, { store_id, id }: Gift) =>
  trx.selectFrom('letters').selectAll().where('store_id', '=', store_id).where('gift_id', '=', id).forUpdate().executeTakeFirst();

/**
 * Sends a gift's e-mail again, to the same address or to another one; another address makes the
 * link sent to the earlier address invalid. A gift whose delivery day is ahead keeps its day.
 * @throws DomainError not_found; conflict gift_redeemed, gift_letters_used, or gift_link for a gift
 * whose name or message was stored before links were refused; too_many_requests gift_just_sent soon
 * after the last e-mail to the same address, too_many_requests free_gifts_used
 */
export async function resendGiftEmail(db: Database, giver: Giver, giftId: string, email: string | undefined): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockCustomer(trx, giver.storeId, giver.userId);
    const gift = await trx
      .selectFrom('gifts')
      .selectAll()
      .where('store_id', '=', giver.storeId)
      .where('giver_id', '=', giver.userId)
      .where('id', '=', giftId)
      .forUpdate()
      .executeTakeFirst();
    if (!gift || gift.code === null) throw notFound('gift');
    await lockUnusedCode(trx, gift, gift.code);
    if (containsLink(gift.recipient_name) || containsLink(gift.message)) throw giftLinkError();
    const isFree = await isFreeGift(trx, gift);
    const recipient = email ?? gift.recipient_email;
    const queuedEmail = await findQueuedEmail(trx, gift);
    const isNotTried = queuedEmail !== undefined && queuedEmail.attempts === 0;
    const isNewRecipient = email !== undefined && email !== gift.recipient_email;
    if (isNewRecipient)
      await trx
        .updateTable('gifts')
        .set({ recipient_email: email })
        .where('store_id', '=', gift.store_id)
        .where('id', '=', gift.id)
        .execute();
    // The queued e-mail reads its recipient when it is sent. After an earlier e-mail, a new
    // recipient gets another code, so that the link in the earlier one becomes invalid.
    if (isNotTried && (!isNewRecipient || gift.letters <= 1)) {
      if (isNewRecipient && isFree) await requireFreeRecipient(trx, giver.storeId, recipient);
      return;
    }
    const waitMs = isNewRecipient ? 0 : (gift.written_at?.getTime() ?? 0) + RESEND_PAUSE_MS - realNow();
    const seconds = Math.ceil(waitMs / 1000);
    if (seconds > 0)
      throw new DomainError('too_many_requests', 'This gift has just been sent to this address.', {
        code: 'gift_just_sent',
        details: { retryAfterSeconds: seconds },
      });
    if (gift.letters >= MAX_SENDS) throw resendLimitError();
    if (isFree) await requireFreeGift(trx, giver, recipient);
    if (isNewRecipient) {
      await deleteCode(trx, gift, gift.code);
      await makeGiftCode(trx, gift);
    }
    if (queuedEmail) await trx.deleteFrom('letters').where('id', '=', queuedEmail.id).execute();
    await queueGift(trx, gift, shopNow());
  });
}
