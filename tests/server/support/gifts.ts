import { randomUUID } from 'node:crypto';
import type { Email } from 'postal-mime';
import { linkIn } from '../../../tools/shop/letters.ts';
import type { Customer } from './customers.ts';
import { sentTo } from './outbox.ts';
import { CARDS, confirm, pay, type Session } from './paying.ts';
import type { Asked, Shop } from './shop.ts';

export type GiftInfo = {
  GiftId?: string;
  RecipientName: string;
  RecipientEmail: string;
  RecipientMessage?: string;
  DeliverOn?: string;
  TimeZone?: string;
};

/** A gift for somebody whom nobody has written to before. */
export const giftFor = (more: Partial<GiftInfo> = {}): GiftInfo & { GiftId: string } => ({
  GiftId: randomUUID(),
  RecipientName: 'Bo',
  RecipientEmail: `${randomUUID()}@example.org`,
  RecipientMessage: 'Happy birthday!\nYours, A.',
  ...more,
});

/** A store with gifts. */
export const giftStore = (shop: Shop): Promise<string> => shop.store({ properties: { EnableGiftingTitle: true } });

export const giftSession = (shop: Shop, { query }: Customer, gift: object, more: Asked['query'] = {}, headers = {}) =>
  shop.ask('paymentSession', '/payment/session', {
    query: { ...query, titleId: 'book', giftInfo: JSON.stringify(gift), ...more },
    headers,
  });

/** A gift that the giver's bank has authorised and nobody has confirmed yet. */
export async function authorizedGift(shop: Shop, giver: Customer, gift: object): Promise<Session> {
  const { status, value, text } = await giftSession(shop, giver, gift);
  if (status !== 200) throw new Error(`No session: ${text}`);
  const answer = await pay((value as Session).url, CARDS.good);
  if (answer.status !== 303) throw new Error(`Not authorised: ${await answer.text()}`);
  return value as Session;
}

/** Pays for a gift. @returns its transaction */
export async function give(shop: Shop, giver: Customer, gift: object): Promise<string> {
  const { transId } = await authorizedGift(shop, giver, gift);
  const { status, text } = await confirm(shop, giver, transId);
  if (status !== 200) throw new Error(`Not paid: ${text}`);
  return transId;
}

export type ToldGift = {
  giftId: string;
  status: string;
  recipientEmail: string;
  sentAt: string | null;
  deliverOn: string | null;
};

/** What the giver's account says of their gifts, the latest first. */
export const giftsOf = async (shop: Shop, { query }: Customer): Promise<ToldGift[]> =>
  ((await shop.ask('userGifts', '/user/gifts', { query })).value as { gifts: ToldGift[] }).gifts;

export const resend = async (shop: Shop, { query }: Customer, body: object) => {
  const answer = await shop.ask('resendGift', '/user/gifts/resend', { query, body });
  return { ...answer, value: answer.value as ToldGift & { code?: string } };
};

/** The letters that a gift's recipient has got, once what is due is sent. */
export const lettersOf = (shop: Shop, { RecipientEmail }: GiftInfo): Promise<Email[]> => sentTo(shop, RecipientEmail);

/** The code in a letter's link. */
export const codeInLetter = (letter: Email | undefined): string =>
  decodeURIComponent(new URL(linkIn(letter)).pathname.replace('/redeem/', ''));
