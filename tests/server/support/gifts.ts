import { randomUUID } from 'node:crypto';
import type { Email } from 'postal-mime';
import { getFirstLink } from '../../../tools/shop/emails.ts';
import type { Customer } from './customers.ts';
import { readEmailsTo } from './outbox.ts';
import { CARD_NUMBERS, confirmPayment, submitCardForm, type Session } from './paying.ts';
import type { CallParameters, Shop } from './shop.ts';

export type GiftInfo = {
  GiftId?: string;
  RecipientName: string;
  RecipientEmail: string;
  RecipientMessage?: string;
  DeliverOn?: string;
  TimeZone?: string;
};

/** A gift for a recipient at a new address. */
export const makeGift = (overrides: Partial<GiftInfo> = {}): GiftInfo & { GiftId: string } => ({
  GiftId: randomUUID(),
  RecipientName: 'Bo',
  RecipientEmail: `${randomUUID()}@example.org`,
  RecipientMessage: 'Happy birthday!\nYours, A.',
  ...overrides,
});

/** A store with gifts enabled. */
export const createGiftStore = (shop: Shop): Promise<string> => shop.store({ properties: { EnableGiftingTitle: true } });

export const startGiftSession = (
  shop: Shop,
  { query }: Customer,
  gift: object,
  extraQuery: CallParameters['query'] = {},
  headers = {},
) =>
  shop.call('paymentSession', '/payment/session', {
    query: { ...query, titleId: 'book', giftInfo: JSON.stringify(gift), ...extraQuery },
    headers,
  });

/** Authorises the payment of a gift without confirming it. */
export async function authorizeGift(shop: Shop, giver: Customer, gift: object): Promise<Session> {
  const { status, value, text } = await startGiftSession(shop, giver, gift);
  if (status !== 200) throw new Error(`No payment session for the gift: HTTP ${status} ${text}`);
  const response = await submitCardForm((value as Session).url, CARD_NUMBERS.good);
  if (response.status !== 303) throw new Error(`The card was not accepted: HTTP ${response.status} ${await response.text()}`);
  return value as Session;
}

/** Pays for a gift. @returns the id of its transaction */
export async function buyGift(shop: Shop, giver: Customer, gift: object): Promise<string> {
  const { transId } = await authorizeGift(shop, giver, gift);
  const { status, text } = await confirmPayment(shop, giver, transId);
  if (status !== 200) throw new Error(`The payment ${transId} was not confirmed: HTTP ${status} ${text}`);
  return transId;
}

export type ListedGift = {
  giftId: string;
  status: string;
  recipientEmail: string;
  sentAt: string | null;
  deliverOn: string | null;
};

/** The gifts in the giver's account, latest first. */
export const readGifts = async (shop: Shop, { query }: Customer): Promise<ListedGift[]> =>
  ((await shop.call('userGifts', '/user/gifts', { query })).value as { gifts: ListedGift[] }).gifts;

export const resendGift = async (shop: Shop, { query }: Customer, body: object) => {
  const response = await shop.call('resendGift', '/user/gifts/resend', { query, body });
  return { ...response, value: response.value as ListedGift & { code?: string } };
};

/** Sends the queued e-mails, then returns those to a gift's recipient. */
export const readGiftEmails = (shop: Shop, { RecipientEmail }: GiftInfo): Promise<Email[]> => readEmailsTo(shop, RecipientEmail);

/** The code in an e-mail's link. */
export const getCodeFromEmail = (message: Email | undefined): string =>
  decodeURIComponent(new URL(getFirstLink(message)).pathname.replace('/redeem/', ''));
