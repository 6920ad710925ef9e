import { findTitle } from '../../catalogue/find-title.ts';
import { readShopName } from '../../catalogue/shop-name.ts';
import { requireFirstPrice } from '../../catalogue/quote.ts';
import type { Database } from '../../database/open.ts';
import { readGift } from '../../gifts/gift-info.ts';
import { isWithdrawn } from '../../gifts/give-gift.ts';
import { readGiftTitles } from '../../gifts/gift-titles.ts';
import { formatGiftEmail, readGiverName } from '../../gifts/gift-email.ts';
import { requireGiving } from '../../gifts/open-gift.ts';
import { resendGiftEmail } from '../../gifts/resend-gift.ts';
import { isEmail } from '../../../machines/model/account/email.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';
import { shopNow } from '../../base/clock/time.ts';

/** Maximum number of listed gifts; older ones are in the customer's data export. */
const MAX_LISTED_GIFTS = 200;

/** Returns the text of a gift's e-mail, without storing the gift. */
export async function giftPreview(call: CustomerCall<'giftPreview'>): Answer<'giftPreview'> {
  const { services, store, customer, spoken, body } = call;
  await requireGiving(services.db, { storeId: store.id, userId: customer.id });
  const titles: string[] = [];
  for (const id of body.titleIds ?? [body.titleId ?? '']) {
    const title = await findTitle(services.db, store.id, { id });
    if (!title) throw notFound('title');
    requireFirstPrice(title);
    titles.push(title.name);
  }
  const { name, message } = readGift(body.giftInfo);
  const shop = await readShopName(services.db, store.id, spoken);
  const giver = await readGiverName(services.db, store.id, customer.id);
  return formatGiftEmail({ language: spoken.language, shop, giver, name, titles, message });
}

/** Selects a giver's gifts, except for gifts that are not paid yet. */
const selectGifts = (db: Database, storeId: string, giverId: string) =>
  db
    .selectFrom('gifts')
    .leftJoin('letters', (join) =>
      join.onRef('letters.store_id', '=', 'gifts.store_id').onRef('letters.gift_id', '=', 'gifts.id'),
    )
    .leftJoin('redemptions', (join) =>
      join.onRef('redemptions.store_id', '=', 'gifts.store_id').onRef('redemptions.code', '=', 'gifts.code'),
    )
    .select(['gifts.id', 'gifts.title_id', 'gifts.transaction_id', 'gifts.created_at'])
    .select(['gifts.recipient_name', 'gifts.recipient_email', 'gifts.deliver_on', 'gifts.sent_at', 'gifts.failed_at'])
    .leftJoin('codes', (join) => join.onRef('codes.store_id', '=', 'gifts.store_id').onRef('codes.code', '=', 'gifts.code'))
    .select(['codes.expires_at', 'letters.due_at', 'letters.attempts', 'redemptions.redeemed_at'])
    .where('gifts.store_id', '=', storeId)
    .where('gifts.giver_id', '=', giverId)
    .where('gifts.code', 'is not', null);

type GiftRow = Awaited<ReturnType<ReturnType<typeof selectGifts>['execute']>>[number];

/**
 * `refunded`: unopened, and can no longer be opened; `scheduled`: its delivery is ahead; `sending`:
 * the e-mail is queued or being retried; `failed`: the e-mail was given up.
 */
type GiftStatus = 'redeemed' | 'refunded' | 'scheduled' | 'sending' | 'failed' | 'sent';

function toGiftStatus({ redeemed_at, expires_at, attempts, due_at, failed_at }: GiftRow): GiftStatus {
  if (redeemed_at !== null) return 'redeemed';
  if (isWithdrawn(expires_at)) return 'refunded';
  if (due_at !== null) return attempts === 0 && due_at.getTime() > shopNow().getTime() ? 'scheduled' : 'sending';
  return failed_at === null ? 'sent' : 'failed';
}

const toSentGift = (row: GiftRow, titles: { titleId: string; name: string }[]) => ({
  giftId: row.id,
  titleId: titles[0]?.titleId ?? '',
  name: titles[0]?.name ?? '',
  ...(titles.length > 1 ? { titles } : {}),
  transId: row.transaction_id ?? row.id,
  givenAt: row.created_at.toISOString(),
  recipientName: row.recipient_name,
  recipientEmail: row.recipient_email,
  deliverOn: row.deliver_on,
  sentAt: row.sent_at?.toISOString() ?? null,
  redeemedAt: row.redeemed_at?.toISOString() ?? null,
  status: toGiftStatus(row),
});

/** Converts gifts to their wire format, each with its titles. */
async function toSentGifts(db: Database, storeId: string, rows: GiftRow[]) {
  const titles = await readGiftTitles(db, storeId, rows);
  return rows.map((row) => toSentGift(row, titles(row)));
}

/** Returns the customer's latest gifts to others, the latest first. */
export async function userGifts({ services, store, customer }: CustomerCall<'userGifts'>): Answer<'userGifts'> {
  const rows = await selectGifts(services.db, store.id, customer.id)
    .orderBy('gifts.created_at', 'desc')
    .orderBy('gifts.id')
    .limit(MAX_LISTED_GIFTS)
    .execute();
  return { gifts: await toSentGifts(services.db, store.id, rows) };
}

/** Finds a gift by its transaction's id, or by its own id if it had no payment. */
export async function readBoughtGift(db: Database, owner: { storeId: string; userId: string }, transId: string) {
  const rows = await selectGifts(db, owner.storeId, owner.userId)
    .where((eb) => eb.or([eb('gifts.transaction_id', '=', transId), eb('gifts.id', '=', transId)]))
    .execute();
  return (await toSentGifts(db, owner.storeId, rows))[0];
}

/** Sends a gift again, to the same or another address. */
export async function resendGift(call: CustomerCall<'resendGift'>): Answer<'resendGift'> {
  const { services, store, customer, request, body } = call;
  const email = body.email?.trim();
  if (email !== undefined && !isEmail(email))
    throw new DomainError('bad_request', 'Invalid email address of the recipient.', { code: 'gift_info' });
  await resendGiftEmail(services.db, { storeId: store.id, userId: customer.id, address: request.ip }, body.giftId, email);
  const rows = await selectGifts(services.db, store.id, customer.id).where('gifts.id', '=', body.giftId).execute();
  const [gift] = await toSentGifts(services.db, store.id, rows);
  if (!gift) throw notFound('gift');
  return gift;
}
