import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendLetters } from '../../../server/jobs/send-letters.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { codeInLetter, give, giftFor, type GiftInfo, giftsOf, giftStore, lettersOf, resend } from '../support/gifts.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let giver: Customer;
let gift: GiftInfo;
beforeAll(async () => {
  shop = await openShop();
});
beforeEach(async () => {
  giver = await customerOf(shop, await giftStore(shop));
  gift = giftFor();
});
afterAll(() => shop.close());

const giveFree = (info: GiftInfo) =>
  shop.ask('purchaseFreeTitle', '/purchase/free', {
    query: { ...giver.query, titleId: 'gratis', giftInfo: JSON.stringify(info) },
  });

describe('e-mails with free gifts', () => {
  const used = { status: 429, code: 'free_gifts_used' };
  const given = async (count: number) => {
    const gifts = Array.from({ length: count }, () => giftFor());
    return (await Promise.all(gifts.map(giveFree))).filter(({ status }) => status === 200).length;
  };
  const setAccount = (values: { created_at?: Date; email_verified_at?: Date }) =>
    shop.db.updateTable('users').set(values).where('id', '=', giver.id).execute();
  const yesterday = () => new Date(Date.now() - 25 * 3_600_000);

  test('are three a day from a new account, also at the same moment, and repetitions are not counted', async () => {
    expect((await giveFree(gift)).status).toBe(200);
    expect(await given(5)).toBe(2);
    const refused = await giveFree(giftFor());
    expect(refused.value).toMatchObject(used);
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThan(86_000);
    // An hour later an hour less is left of the window.
    await shop.db
      .updateTable('rate_limit_counters')
      .set((eb) => ({ window_ends_at: sql<Date>`${eb.ref('window_ends_at')} - interval '1 hour'` }))
      .where('subject', '=', `free-gift:${giver.id}`)
      .execute();
    const later = Number((await giveFree(giftFor())).headers['retry-after']);
    expect(wait - later).toBeGreaterThanOrEqual(3600);
    expect(wait - later).toBeLessThan(3700);
    expect((await giveFree(gift)).status).toBe(200);
  });

  test.each<[string, { created_at?: Date; email_verified_at?: Date }]>([
    ['whose address is verified and younger than a day', { email_verified_at: new Date() }],
    ['a day old whose address was never verified', { created_at: yesterday() }],
  ])('are three a day from an account %s', async (_which, values) => {
    await setAccount(values);
    expect(await given(5)).toBe(3);
  });

  test('are ten a day from an account a day old whose address is verified', async () => {
    await setAccount({ created_at: yesterday(), email_verified_at: new Date() });
    expect(await given(12)).toBe(10);
  });

  test('are counted when a free gift is sent again, and not when a paid one is', async () => {
    const paid = giftFor();
    await give(shop, giver, paid);
    await lettersOf(shop, paid);
    const to = (GiftId: string | undefined) => resend(shop, giver, { giftId: GiftId, email: giftFor().RecipientEmail });
    const sendsAgain = async (of: GiftInfo) => {
      const answer = await to(of.GiftId);
      await sendLetters(shop.services);
      return answer;
    };
    await giveFree(gift);
    await lettersOf(shop, gift);
    const statuses = [];
    for (let at = 0; at < 3; at += 1) statuses.push((await sendsAgain(gift)).value);
    expect(statuses).toMatchObject([{ giftId: gift.GiftId }, { giftId: gift.GiftId }, used]);
    expect(await giftsOf(shop, giver)).toMatchObject([{ giftId: gift.GiftId, status: 'sent' }, {}]);
    for (let at = 0; at < 4; at += 1) expect((await sendsAgain(paid)).status).toBe(200);
  });

  /** Gives a free title. @returns the status */
  const giveFrom = async (from: Customer, remoteAddress: string, info: GiftInfo = giftFor()) => {
    const query = new URLSearchParams({ ...from.query, titleId: 'gratis', giftInfo: JSON.stringify(info) });
    return (await shop.app.inject({ url: `/api/purchase/free?${query.toString()}`, remoteAddress })).statusCode;
  };
  const countGiven = async (statuses: Promise<number>[]) =>
    (await Promise.all(statuses)).filter((status) => status === 200).length;

  test.each([
    ['an IPv4 address', '10.7.0.1', '10.7.0.1', '10.7.0.2'],
    ['an IPv6 /64', '2001:db8:7::1', '2001:db8:7::2', '2001:db8:7:1::1'],
  ])('are twelve a day from all new accounts in %s, and a trusted one has its own', async (_network, first, second, other) => {
    const { store: shelf } = giver;
    const givers = await Promise.all(Array.from({ length: 5 }, () => customerOf(shop, shelf)));
    const each = givers.flatMap((from) => [giveFrom(from, first), giveFrom(from, second), giveFrom(from, first)]);
    expect(await countGiven(each)).toBe(12);
    expect(await giveFrom(giver, second)).toBe(429);
    expect(await giveFrom(giver, other)).toBe(200);
    await setAccount({ created_at: yesterday(), email_verified_at: new Date() });
    expect(await giveFrom(giver, second)).toBe(200);
  });

  test('are three a day to one address from all givers, also trusted ones, in any spelling', async () => {
    const to = `${randomUUID()}@example.org`;
    const givers = await Promise.all(Array.from({ length: 5 }, () => customerOf(shop, giver.store)));
    await shop.db
      .updateTable('users')
      .set({ created_at: yesterday(), email_verified_at: new Date() })
      .where('store_id', '=', giver.store)
      .execute();
    const each = givers.map((from, at) =>
      giveFrom(from, `10.7.1.${at}`, giftFor({ RecipientEmail: at % 2 === 0 ? to : to.toUpperCase() })),
    );
    expect(await countGiven(each)).toBe(3);
  });

  test('are counted for an address that they are turned to, before and after the e-mail goes out', async () => {
    const to = `${randomUUID()}@example.org`;
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const waiting = [giftFor({ DeliverOn: day }), giftFor({ DeliverOn: day })];
    for (const info of [...waiting, gift]) expect((await giveFree(info)).status).toBe(200);
    await lettersOf(shop, gift);
    await setAccount({ created_at: yesterday(), email_verified_at: new Date() });
    const turn = async ({ GiftId }: GiftInfo) => (await resend(shop, giver, { giftId: GiftId, email: to })).value;
    const turned = [];
    for (const info of [...waiting, gift]) turned.push(await turn(info));
    expect(turned).toMatchObject([{ recipientEmail: to }, { recipientEmail: to }, { recipientEmail: to }]);
    const last = giftFor();
    expect((await giveFree(last)).status).toBe(200);
    expect(await turn(last)).toMatchObject(used);
    expect((await giftsOf(shop, giver)).find(({ giftId }) => giftId === last.GiftId)?.recipientEmail).toBe(last.RecipientEmail);
  });
});

describe('a gift of before links were refused', () => {
  const bait = 'Claim it at evil.example/x';
  const texts = [
    { recipient_name: bait, message: '' },
    { recipient_name: 'Bo', message: bait },
  ];
  const writeOld = (text: { recipient_name: string; message: string }) =>
    shop.db.updateTable('gifts').set(text).where('giver_id', '=', giver.id).execute();

  test.each(texts)('is not sent again, to the same or another address: $recipient_name, $message', async (text) => {
    await give(shop, giver, gift);
    await lettersOf(shop, gift);
    await writeOld(text);
    for (const email of [undefined, 'other@example.org']) {
      const { value } = await resend(shop, giver, { giftId: gift.GiftId, email });
      expect(value).toMatchObject({ status: 409, code: 'gift_link' });
    }
    expect(await giftsOf(shop, giver)).toMatchObject([{ recipientEmail: gift.RecipientEmail, status: 'sent' }]);
  });

  test.each(texts)('goes out without the link where it was free: $recipient_name, $message', async (text) => {
    await giveFree(gift);
    await writeOld(text);
    const [letter] = await lettersOf(shop, gift);
    expect(`${letter?.subject} ${letter?.text} ${letter?.html}`).not.toContain('evil');
    expect(letter?.text).toContain(`Hello ${text.recipient_name === bait ? gift.RecipientEmail : 'Bo'},`);
    expect(codeInLetter(letter)).not.toBe('');
  });

  test.each(texts)('goes out as it was paid for: $recipient_name, $message', async (text) => {
    await give(shop, giver, gift);
    await writeOld(text);
    expect((await lettersOf(shop, gift))[0]?.text).toContain(bait);
  });
});
