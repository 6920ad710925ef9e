import { containsLink } from '../../machines/model/store/links.ts';
import type { Database } from '../database/open.ts';
import { isFreeGift } from './free-gifts.ts';
import { isWithdrawn } from './give-gift.ts';
import { readGiftTitles } from './gift-titles.ts';
import { shopNow } from '../base/clock/time.ts';

/**
 * Reads the data of a gift's e-mail. Of free gifts from before links were refused, a message with a
 * link is left out, and the recipient's address replaces a name with a link; `hasLostText` reports
 * either.
 * @returns undefined if the gift is not paid yet or withdrawn, or its recipient's data are deleted
 */
export async function readGiftToSend(db: Database, storeId: string, giftId: string) {
  const gift = await db
    .selectFrom('gifts')
    .leftJoin('codes', (join) => join.onRef('codes.store_id', '=', 'gifts.store_id').onRef('codes.code', '=', 'gifts.code'))
    .select([
      'codes.expires_at',
      'gifts.giver_id',
      'gifts.recipient_name',
      'gifts.recipient_email',
      'gifts.message',
      'gifts.code',
    ])
    .select(['gifts.title_id', 'gifts.transaction_id'])
    .where('gifts.store_id', '=', storeId)
    .where('gifts.id', '=', giftId)
    .executeTakeFirst();
  if (!gift || gift.code === null || isWithdrawn(gift.expires_at) || gift.recipient_email === '') return undefined;
  const titles = await readGiftTitles(db, storeId, [gift]);
  const { recipient_name: name, message, recipient_email: to } = gift;
  const isFree = await isFreeGift(db, { store_id: storeId, id: giftId, transaction_id: gift.transaction_id });
  const isSafe = (text: string): boolean => !(isFree && containsLink(text));
  return {
    giverId: gift.giver_id,
    to,
    code: gift.code,
    name: isSafe(name) ? name : to,
    message: isSafe(message) ? message : '',
    hasLostText: !(isSafe(name) && isSafe(message)),
    titles: titles(gift).map((title) => title.name),
  };
}

/** Locks a gift's row, so that transactions on the same gift wait for each other. */
export const lockGift = (trx: Database, storeId: string, giftId: string): Promise<unknown> =>
  trx.selectFrom('gifts').select('id').where('store_id', '=', storeId).where('id', '=', giftId).forUpdate().execute();

/** Deletes the recipients' data of a deleted giver's gifts that have no e-mail in the queue. */
async function forgetRecipients(db: Database, storeId: string, giverId: string): Promise<void> {
  await db
    .updateTable('gifts')
    .set({ recipient_name: '', recipient_email: '', message: '' })
    .where('store_id', '=', storeId)
    .where('giver_id', '=', giverId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('letters')
            .select('letters.id')
            .whereRef('letters.store_id', '=', 'gifts.store_id')
            .whereRef('letters.gift_id', '=', 'gifts.id'),
        ),
      ),
    )
    .execute();
}

/**
 * Handles the gifts of a giver who deletes their account: unpaid gifts are deleted; paid ones are
 * still sent, and then their recipients' data are deleted.
 */
export async function forgetGifts(trx: Database, { storeId, userId }: { storeId: string; userId: string }): Promise<void> {
  await trx
    .deleteFrom('gifts')
    .where('store_id', '=', storeId)
    .where('giver_id', '=', userId)
    .where('code', 'is', null)
    .execute();
  await forgetRecipients(trx, storeId, userId);
}

/**
 * Stores that a gift's e-mail was sent or given up, in the database transaction that removes it
 * from the queue.
 * @param sentTo the recipient's address; null if the e-mail was given up
 */
export async function markGiftSent(trx: Database, storeId: string, giftId: string, sentTo: string | null): Promise<void> {
  const now = shopNow();
  const gift = await trx
    .updateTable('gifts')
    .set(sentTo === null ? { failed_at: now } : { sent_at: now, failed_at: null })
    .where('store_id', '=', storeId)
    .where('id', '=', giftId)
    .returning('giver_id')
    .executeTakeFirst();
  if (!gift) return;
  const deletedGiver = await trx
    .selectFrom('users')
    .select('id')
    .where('store_id', '=', storeId)
    .where('id', '=', gift.giver_id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  if (deletedGiver) await forgetRecipients(trx, storeId, gift.giver_id);
}
