import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendQueuedEmails } from '../../../server/jobs/send-queued-emails.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import {
  getCodeFromEmail,
  buyGift,
  makeGift,
  type GiftInfo,
  readGifts,
  createGiftStore,
  readGiftEmails,
  resendGift,
} from '../support/gifts.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let giver: Customer;
let gift: GiftInfo;
beforeAll(async () => {
  shop = await openShop();
});
beforeEach(async () => {
  giver = await createCustomer(shop, await createGiftStore(shop));
  gift = makeGift();
});
afterAll(() => shop.close());

const giveFreeTitle = (info: GiftInfo) =>
  shop.call('purchaseFreeTitle', '/purchase/free', {
    query: { ...giver.query, titleId: 'gratis', giftInfo: JSON.stringify(info) },
  });

describe('limits of free gifts', () => {
  const limitError = { status: 429, code: 'free_gifts_used' };
  const countAcceptedGifts = async (count: number) => {
    const gifts = Array.from({ length: count }, () => makeGift());
    return (await Promise.all(gifts.map(giveFreeTitle))).filter(({ status }) => status === 200).length;
  };
  const setAccount = (values: { created_at?: Date; email_verified_at?: Date }) =>
    shop.db.updateTable('users').set(values).where('id', '=', giver.id).execute();
  const yesterday = () => new Date(Date.now() - 25 * 3_600_000);

  test('a new account can send three free gifts a day; repeated requests for a gift are not counted', async () => {
    expect((await giveFreeTitle(gift)).status).toBe(200);
    expect(await countAcceptedGifts(5)).toBe(2);
    const refusal = await giveFreeTitle(makeGift());
    expect(refusal.value).toMatchObject(limitError);
    const waitSeconds = Number(refusal.headers['retry-after']);
    expect(waitSeconds).toBeGreaterThan(86_000);
    // An hour later, an hour less of the window remains.
    await shop.db
      .updateTable('rate_limit_counters')
      .set((eb) => ({ window_ends_at: sql<Date>`${eb.ref('window_ends_at')} - interval '1 hour'` }))
      .where('subject', '=', `free-gift:${giver.id}`)
      .execute();
    const laterWaitSeconds = Number((await giveFreeTitle(makeGift())).headers['retry-after']);
    expect(waitSeconds - laterWaitSeconds).toBeGreaterThanOrEqual(3600);
    expect(waitSeconds - laterWaitSeconds).toBeLessThan(3700);
    expect((await giveFreeTitle(gift)).status).toBe(200);
  });

  test.each<[string, { created_at?: Date; email_verified_at?: Date }]>([
    ['with a verified address, younger than a day', { email_verified_at: new Date() }],
    ['a day old, without a verified address', { created_at: yesterday() }],
  ])('an account %s can send three free gifts a day', async (_account, values) => {
    await setAccount(values);
    expect(await countAcceptedGifts(5)).toBe(3);
  });

  test('an account a day old with a verified address can send ten free gifts a day', async () => {
    await setAccount({ created_at: yesterday(), email_verified_at: new Date() });
    expect(await countAcceptedGifts(12)).toBe(10);
  });

  test('sending a free gift again counts towards the limit; sending a paid gift again does not', async () => {
    const paidGift = makeGift();
    await buyGift(shop, giver, paidGift);
    await readGiftEmails(shop, paidGift);
    const resendToOther = (GiftId: string | undefined) =>
      resendGift(shop, giver, { giftId: GiftId, email: makeGift().RecipientEmail });
    const resendAndDeliver = async (resentGift: GiftInfo) => {
      const response = await resendToOther(resentGift.GiftId);
      await sendQueuedEmails(shop.services);
      return response;
    };
    await giveFreeTitle(gift);
    await readGiftEmails(shop, gift);
    const statuses = [];
    for (let attempt = 0; attempt < 3; attempt += 1) statuses.push((await resendAndDeliver(gift)).value);
    expect(statuses).toMatchObject([{ giftId: gift.GiftId }, { giftId: gift.GiftId }, limitError]);
    expect(await readGifts(shop, giver)).toMatchObject([{ giftId: gift.GiftId, status: 'sent' }, {}]);
    for (let attempt = 0; attempt < 4; attempt += 1) expect((await resendAndDeliver(paidGift)).status).toBe(200);
  });

  /** Gives a free title from a network address. @returns the response's status */
  const giveFrom = async (sender: Customer, remoteAddress: string, info: GiftInfo = makeGift()) => {
    const query = new URLSearchParams({ ...sender.query, titleId: 'gratis', giftInfo: JSON.stringify(info) });
    return (await shop.app.inject({ url: `/api/purchase/free?${query.toString()}`, remoteAddress })).statusCode;
  };
  const countSuccesses = async (statuses: Promise<number>[]) =>
    (await Promise.all(statuses)).filter((status) => status === 200).length;

  test.each([
    ['an IPv4 address', '10.7.0.1', '10.7.0.1', '10.7.0.2'],
    ['an IPv6 /64', '2001:db8:7::1', '2001:db8:7::2', '2001:db8:7:1::1'],
  ])(
    'new accounts in %s can send twelve free gifts a day together; trusted accounts can send more',
    async (_network, firstAddress, sameNetworkAddress, otherNetworkAddress) => {
      const { store: storeId } = giver;
      const givers = await Promise.all(Array.from({ length: 5 }, () => createCustomer(shop, storeId)));
      const statuses = givers.flatMap((sender) => [
        giveFrom(sender, firstAddress),
        giveFrom(sender, sameNetworkAddress),
        giveFrom(sender, firstAddress),
      ]);
      expect(await countSuccesses(statuses)).toBe(12);
      expect(await giveFrom(giver, sameNetworkAddress)).toBe(429);
      expect(await giveFrom(giver, otherNetworkAddress)).toBe(200);
      await setAccount({ created_at: yesterday(), email_verified_at: new Date() });
      expect(await giveFrom(giver, sameNetworkAddress)).toBe(200);
    },
  );

  test('a recipient is sent at most three free gifts a day by all givers, in upper or lower case of the address', async () => {
    const recipientEmail = `${randomUUID()}@example.org`;
    const givers = await Promise.all(Array.from({ length: 5 }, () => createCustomer(shop, giver.store)));
    await shop.db
      .updateTable('users')
      .set({ created_at: yesterday(), email_verified_at: new Date() })
      .where('store_id', '=', giver.store)
      .execute();
    const statuses = givers.map((sender, index) =>
      giveFrom(
        sender,
        `10.7.1.${index}`,
        makeGift({ RecipientEmail: index % 2 === 0 ? recipientEmail : recipientEmail.toUpperCase() }),
      ),
    );
    expect(await countSuccesses(statuses)).toBe(3);
  });

  test('a free gift redirected to another address counts for that address, before and after the e-mail is sent', async () => {
    const recipientEmail = `${randomUUID()}@example.org`;
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const scheduledGifts = [makeGift({ DeliverOn: day }), makeGift({ DeliverOn: day })];
    for (const info of [...scheduledGifts, gift]) expect((await giveFreeTitle(info)).status).toBe(200);
    await readGiftEmails(shop, gift);
    await setAccount({ created_at: yesterday(), email_verified_at: new Date() });
    const redirectGift = async ({ GiftId }: GiftInfo) =>
      (await resendGift(shop, giver, { giftId: GiftId, email: recipientEmail })).value;
    const responses = [];
    for (const info of [...scheduledGifts, gift]) responses.push(await redirectGift(info));
    expect(responses).toMatchObject([{ recipientEmail }, { recipientEmail }, { recipientEmail }]);
    const lastGift = makeGift();
    expect((await giveFreeTitle(lastGift)).status).toBe(200);
    expect(await redirectGift(lastGift)).toMatchObject(limitError);
    expect((await readGifts(shop, giver)).find(({ giftId }) => giftId === lastGift.GiftId)?.recipientEmail).toBe(
      lastGift.RecipientEmail,
    );
  });
});

describe('gifts with a link, stored before links were refused', () => {
  const textWithLink = 'Claim it at evil.example/x';
  const texts = [
    { recipient_name: textWithLink, message: '' },
    { recipient_name: 'Bo', message: textWithLink },
  ];
  const storeText = (text: { recipient_name: string; message: string }) =>
    shop.db.updateTable('gifts').set(text).where('giver_id', '=', giver.id).execute();

  test.each(texts)(
    'a gift with a link is not sent again, to the same or another address: $recipient_name, $message',
    async (text) => {
      await buyGift(shop, giver, gift);
      await readGiftEmails(shop, gift);
      await storeText(text);
      for (const email of [undefined, 'other@example.org']) {
        const { value } = await resendGift(shop, giver, { giftId: gift.GiftId, email });
        expect(value).toMatchObject({ status: 409, code: 'gift_link' });
      }
      expect(await readGifts(shop, giver)).toMatchObject([{ recipientEmail: gift.RecipientEmail, status: 'sent' }]);
    },
  );

  test.each(texts)('a free gift with a link is sent without the link: $recipient_name, $message', async (text) => {
    await giveFreeTitle(gift);
    await storeText(text);
    const [message] = await readGiftEmails(shop, gift);
    expect(`${message?.subject} ${message?.text} ${message?.html}`).not.toContain('evil');
    expect(message?.text).toContain(`Hello ${text.recipient_name === textWithLink ? gift.RecipientEmail : 'Bo'},`);
    expect(getCodeFromEmail(message)).not.toBe('');
  });

  test.each(texts)('a paid gift with a link is sent unchanged: $recipient_name, $message', async (text) => {
    await buyGift(shop, giver, gift);
    await storeText(text);
    expect((await readGiftEmails(shop, gift))[0]?.text).toContain(textWithLink);
  });
});
