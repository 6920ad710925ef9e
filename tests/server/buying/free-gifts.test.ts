import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendQueuedEmails } from '../../../server/jobs/send-queued-emails.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import {
  codeInEmail,
  buyGift,
  makeGift,
  type GiftInfo,
  readGifts,
  createGiftStore,
  emailsOf,
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
  shop.ask('purchaseFreeTitle', '/purchase/free', {
    query: { ...giver.query, titleId: 'gratis', giftInfo: JSON.stringify(info) },
  });

describe('e-mails with free gifts', () => {
  const used = { status: 429, code: 'free_gifts_used' };
  const given = async (count: number) => {
    const gifts = Array.from({ length: count }, () => makeGift());
    return (await Promise.all(gifts.map(giveFreeTitle))).filter(({ status }) => status === 200).length;
  };
  const setAccount = (values: { created_at?: Date; email_verified_at?: Date }) =>
    shop.db.updateTable('users').set(values).where('id', '=', giver.id).execute();
  const yesterday = () => new Date(Date.now() - 25 * 3_600_000);

  test('are limited to three a day from a new account, also concurrent ones; repetitions are not counted', async () => {
    expect((await giveFreeTitle(gift)).status).toBe(200);
    expect(await given(5)).toBe(2);
    const refused = await giveFreeTitle(makeGift());
    expect(refused.value).toMatchObject(used);
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThan(86_000);
    // An hour later, an hour less of the window remains.
    await shop.db
      .updateTable('rate_limit_counters')
      .set((eb) => ({ window_ends_at: sql<Date>`${eb.ref('window_ends_at')} - interval '1 hour'` }))
      .where('subject', '=', `free-gift:${giver.id}`)
      .execute();
    const later = Number((await giveFreeTitle(makeGift())).headers['retry-after']);
    expect(wait - later).toBeGreaterThanOrEqual(3600);
    expect(wait - later).toBeLessThan(3700);
    expect((await giveFreeTitle(gift)).status).toBe(200);
  });

  test.each<[string, { created_at?: Date; email_verified_at?: Date }]>([
    ['with a verified address, younger than a day', { email_verified_at: new Date() }],
    ['a day old, without a verified address', { created_at: yesterday() }],
  ])('are limited to three a day from an account %s', async (_which, values) => {
    await setAccount(values);
    expect(await given(5)).toBe(3);
  });

  test('are limited to ten a day from an account a day old with a verified address', async () => {
    await setAccount({ created_at: yesterday(), email_verified_at: new Date() });
    expect(await given(12)).toBe(10);
  });

  test('are counted when a free gift is sent again, but not when a paid one is', async () => {
    const paid = makeGift();
    await buyGift(shop, giver, paid);
    await emailsOf(shop, paid);
    const to = (GiftId: string | undefined) => resendGift(shop, giver, { giftId: GiftId, email: makeGift().RecipientEmail });
    const sendsAgain = async (of: GiftInfo) => {
      const answer = await to(of.GiftId);
      await sendQueuedEmails(shop.services);
      return answer;
    };
    await giveFreeTitle(gift);
    await emailsOf(shop, gift);
    const statuses = [];
    for (let at = 0; at < 3; at += 1) statuses.push((await sendsAgain(gift)).value);
    expect(statuses).toMatchObject([{ giftId: gift.GiftId }, { giftId: gift.GiftId }, used]);
    expect(await readGifts(shop, giver)).toMatchObject([{ giftId: gift.GiftId, status: 'sent' }, {}]);
    for (let at = 0; at < 4; at += 1) expect((await sendsAgain(paid)).status).toBe(200);
  });

  /** Gives a free title. @returns the status */
  const giveFrom = async (from: Customer, remoteAddress: string, info: GiftInfo = makeGift()) => {
    const query = new URLSearchParams({ ...from.query, titleId: 'gratis', giftInfo: JSON.stringify(info) });
    return (await shop.app.inject({ url: `/api/purchase/free?${query.toString()}`, remoteAddress })).statusCode;
  };
  const countGiven = async (statuses: Promise<number>[]) =>
    (await Promise.all(statuses)).filter((status) => status === 200).length;

  test.each([
    ['an IPv4 address', '10.7.0.1', '10.7.0.1', '10.7.0.2'],
    ['an IPv6 /64', '2001:db8:7::1', '2001:db8:7::2', '2001:db8:7:1::1'],
  ])('are limited to twelve a day from new accounts in %s, not from trusted ones', async (_network, first, second, other) => {
    const { store: shelf } = giver;
    const givers = await Promise.all(Array.from({ length: 5 }, () => createCustomer(shop, shelf)));
    const each = givers.flatMap((from) => [giveFrom(from, first), giveFrom(from, second), giveFrom(from, first)]);
    expect(await countGiven(each)).toBe(12);
    expect(await giveFrom(giver, second)).toBe(429);
    expect(await giveFrom(giver, other)).toBe(200);
    await setAccount({ created_at: yesterday(), email_verified_at: new Date() });
    expect(await giveFrom(giver, second)).toBe(200);
  });

  test('are limited to three a day to one address, from all givers and in any spelling', async () => {
    const to = `${randomUUID()}@example.org`;
    const givers = await Promise.all(Array.from({ length: 5 }, () => createCustomer(shop, giver.store)));
    await shop.db
      .updateTable('users')
      .set({ created_at: yesterday(), email_verified_at: new Date() })
      .where('store_id', '=', giver.store)
      .execute();
    const each = givers.map((from, at) =>
      giveFrom(from, `10.7.1.${at}`, makeGift({ RecipientEmail: at % 2 === 0 ? to : to.toUpperCase() })),
    );
    expect(await countGiven(each)).toBe(3);
  });

  test('are counted for an address that they are redirected to, before and after the e-mail is sent', async () => {
    const to = `${randomUUID()}@example.org`;
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const waiting = [makeGift({ DeliverOn: day }), makeGift({ DeliverOn: day })];
    for (const info of [...waiting, gift]) expect((await giveFreeTitle(info)).status).toBe(200);
    await emailsOf(shop, gift);
    await setAccount({ created_at: yesterday(), email_verified_at: new Date() });
    const turn = async ({ GiftId }: GiftInfo) => (await resendGift(shop, giver, { giftId: GiftId, email: to })).value;
    const turned = [];
    for (const info of [...waiting, gift]) turned.push(await turn(info));
    expect(turned).toMatchObject([{ recipientEmail: to }, { recipientEmail: to }, { recipientEmail: to }]);
    const last = makeGift();
    expect((await giveFreeTitle(last)).status).toBe(200);
    expect(await turn(last)).toMatchObject(used);
    expect((await readGifts(shop, giver)).find(({ giftId }) => giftId === last.GiftId)?.recipientEmail).toBe(last.RecipientEmail);
  });
});

describe('a gift with a link, from before links were refused,', () => {
  const bait = 'Claim it at evil.example/x';
  const texts = [
    { recipient_name: bait, message: '' },
    { recipient_name: 'Bo', message: bait },
  ];
  const writeOld = (text: { recipient_name: string; message: string }) =>
    shop.db.updateTable('gifts').set(text).where('giver_id', '=', giver.id).execute();

  test.each(texts)('is not sent again, to the same or another address: $recipient_name, $message', async (text) => {
    await buyGift(shop, giver, gift);
    await emailsOf(shop, gift);
    await writeOld(text);
    for (const email of [undefined, 'other@example.org']) {
      const { value } = await resendGift(shop, giver, { giftId: gift.GiftId, email });
      expect(value).toMatchObject({ status: 409, code: 'gift_link' });
    }
    expect(await readGifts(shop, giver)).toMatchObject([{ recipientEmail: gift.RecipientEmail, status: 'sent' }]);
  });

  test.each(texts)('is sent without the link when it was free: $recipient_name, $message', async (text) => {
    await giveFreeTitle(gift);
    await writeOld(text);
    const [message] = await emailsOf(shop, gift);
    expect(`${message?.subject} ${message?.text} ${message?.html}`).not.toContain('evil');
    expect(message?.text).toContain(`Hello ${text.recipient_name === bait ? gift.RecipientEmail : 'Bo'},`);
    expect(codeInEmail(message)).not.toBe('');
  });

  test.each(texts)('is sent unchanged when it was paid for: $recipient_name, $message', async (text) => {
    await buyGift(shop, giver, gift);
    await writeOld(text);
    expect((await emailsOf(shop, gift))[0]?.text).toContain(bait);
  });
});
