import { holdsLink } from '../../machines/model/store/links.ts';
import type { Database } from '../database/open.ts';
import { isFreeGift } from './free-gifts.ts';
import { isWithdrawn } from './give-gift.ts';
import { titlesOfGifts } from './gift-titles.ts';
import { shopNow } from '../base/clock/time.ts';

/**
 * A gift as its e-mail has it. Free gifts of before links were refused lose a message with a link,
 * and a name with one gives way to the address; `hasLostText` says so.
 * @returns undefined where the gift, or its recipient, is gone
 */
export async function giftToSend(db: Database, storeId: string, giftId: string) {
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
  const titles = await titlesOfGifts(db, storeId, [gift]);
  const { recipient_name: name, message, recipient_email: to } = gift;
  const isFree = await isFreeGift(db, { store_id: storeId, id: giftId, transaction_id: gift.transaction_id });
  const isSent = (text: string): boolean => !(isFree && holdsLink(text));
  return {
    giverId: gift.giver_id,
    to,
    code: gift.code,
    name: isSent(name) ? name : to,
    message: isSent(message) ? message : '',
    hasLostText: !(isSent(name) && isSent(message)),
    titles: titles(gift).map((title) => title.name),
  };
}

/** Lets what is done with one gift in transactions wait for each other. */
export const lockGift = (trx: Database, storeId: string, giftId: string): Promise<unknown> =>
  trx.selectFrom('gifts').select('id').where('store_id', '=', storeId).where('id', '=', giftId).forUpdate().execute();

/** Whose recipients nobody needs any more: where the giver's account is deleted, and no letter is on its way. */
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

/** What a giver who leaves the shop leaves behind: what was paid for still goes out, and then nothing of its recipients is kept. */
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
 * Writes down that a gift's letter has gone out, or was given up, inside the caller's transaction in which the letter left the
 * queue.
 * @param sentTo null where it was given up
 */
export async function noteGiftSent(trx: Database, storeId: string, giftId: string, sentTo: string | null): Promise<void> {
  const now = shopNow();
  const gift = await trx
    .updateTable('gifts')
    .set(sentTo === null ? { failed_at: now } : { sent_at: now, failed_at: null })
    .where('store_id', '=', storeId)
    .where('id', '=', giftId)
    .returning('giver_id')
    .executeTakeFirst();
  if (!gift) return;
  const isGone = await trx
    .selectFrom('users')
    .select('id')
    .where('store_id', '=', storeId)
    .where('id', '=', gift.giver_id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  if (isGone) await forgetRecipients(trx, storeId, gift.giver_id);
}
