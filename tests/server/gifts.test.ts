import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendLetters } from '../../server/mail/letters.ts';
import { type PaymentPort, PaymentUnknown } from '../../server/payment/port.ts';
import { sweep } from '../../server/payment/sweep.ts';
import { keepCard } from './support/cards.ts';
import { lookUp, redeemTitle } from './support/codes.ts';
import { type Customer, customerOf } from './support/customers.ts';
import {
  authorizedGift,
  codeInLetter,
  give,
  giftFor,
  type GiftInfo,
  giftSession,
  giftsOf,
  giftStore,
  lettersOf,
  resend,
} from './support/gifts.ts';
import { authorized, CARDS, chargesOf, confirm, holdings, pay, type Session, statusOf } from './support/paying.ts';
import { openShop, type Shop } from './support/shop.ts';

/** What goes wrong between the store and the gateway, until a test mends it. */
let trouble: Partial<PaymentPort> = {};
const troubled = (port: PaymentPort): PaymentPort => ({ ...port, capture: (id) => (trouble.capture ?? port.capture)(id) });
const silent = () => Promise.reject(new PaymentUnknown(new Error('silence')));

let shop: Shop;
let store: string;
let giver: Customer;
let friend: Customer;
let gift: GiftInfo;
beforeAll(async () => {
  shop = await openShop({ payment: troubled });
  store = await giftStore(shop);
});
beforeEach(async () => {
  giver = await customerOf(shop, store);
  friend = await customerOf(shop, store);
  gift = giftFor();
});
afterEach(() => {
  trouble = {};
});
afterAll(() => shop.close());

const has = async ({ query }: Customer) =>
  ((await shop.ask('userHasTitle', '/user/has-title', { query: { ...query, titleid: 'book' } })).value as { hasTitle: boolean })
    .hasTitle;
const codes = () =>
  shop.db
    .selectFrom('gifts')
    .innerJoin('codes', (join) => join.onRef('codes.store_id', '=', 'gifts.store_id').onRef('codes.code', '=', 'gifts.code'))
    .select('codes.code')
    .where('gifts.giver_id', '=', giver.id)
    .execute();
const giveFree = (info: GiftInfo) =>
  shop.ask('purchaseFreeTitle', '/purchase/free', {
    query: { ...giver.query, titleId: 'gratis', giftInfo: JSON.stringify(info) },
  });
const receiptOf = async ({ query }: Customer, transId: string) =>
  (await shop.ask('purchaseInfo', '/purchase/info', { query: { ...query, transId, isgift: true } })).value;

test('a gift is paid for, a letter brings it, and who gets that opens it [S3.gift]', async () => {
  const begun = await giftSession(shop, giver, gift, { price: 9.9, currency: 'EUR' });
  const { transId, url } = begun.value as Session;
  const back = new URL((await pay(url, CARDS.good)).headers.get('location') ?? '');
  expect([back.pathname, back.searchParams.get('transId')]).toEqual(['/title/gift', transId]);
  expect([await lettersOf(shop, gift), await codes(), await chargesOf(shop, transId)]).toEqual([[], [], 0]);

  expect((await confirm(shop, giver, transId)).value).toMatchObject({ transId, titleId: 'book', status: 'paid' });
  expect(await chargesOf(shop, transId)).toBe(1);
  const [letter, ...more] = await lettersOf(shop, gift);
  expect(more).toEqual([]);
  expect(letter?.subject).toBe(`${store}: Ann & Co has sent you a gift`);
  expect(letter?.text).toContain('Hello Bo,');
  expect(letter?.text).toContain('“The Salt <Road> & Other "Ways"”');
  expect(letter?.text).toContain('Happy birthday!\nYours, A.');
  expect(letter?.html).toContain('Happy birthday!<br>Yours, A.');
  expect(letter?.html).toContain('The Salt &lt;Road&gt;');
  expect(await giftsOf(shop, giver)).toMatchObject([
    {
      giftId: gift.GiftId,
      transId,
      name: 'The Salt <Road> & Other "Ways"',
      recipientName: 'Bo',
      status: 'sent',
      redeemedAt: null,
    },
  ]);

  const code = codeInLetter(letter);
  expect((await lookUp(shop, friend, code)).value).toMatchObject({
    Kind: 'title',
    Titles: [{ TitleId: 'book' }],
    Giver: 'Ann & Co',
    Message: 'Happy birthday!\nYours, A.',
  });
  expect((await redeemTitle(shop, friend, code)).status).toBe(200);
  expect([await has(friend), await has(giver)]).toEqual([true, false]);
  expect(await giftsOf(shop, giver)).toMatchObject([{ status: 'redeemed' }]);
  expect((await redeemTitle(shop, await customerOf(shop, store), code)).value).toMatchObject({ Code: 'code_used' });
});

test('the receipt says that it is a gift, to whom and when it goes out', async () => {
  const transId = await give(shop, giver, gift);
  expect(await receiptOf(giver, transId)).toMatchObject({
    titleId: 'book',
    amount: 9.9,
    currency: 'EUR',
    isGift: true,
    gift: { recipientName: 'Bo', recipientEmail: gift.RecipientEmail, deliverOn: null },
  });
  expect(await receiptOf(friend, transId)).toMatchObject({ status: 404 });
});

describe('whom it may be given, and how often', () => {
  test('who owns the title gives it all the same, and twice', async () => {
    const { transId } = await authorized(shop, giver, 'book');
    await confirm(shop, giver, transId);
    const another = giftFor();
    const paid = [await give(shop, giver, gift), await give(shop, giver, another)];
    expect(new Set(paid).size).toBe(2);
    const letters = [...(await lettersOf(shop, gift)), ...(await lettersOf(shop, another))];
    expect(new Set(letters.map(codeInLetter)).size).toBe(2);
    expect(await holdings(shop, giver, 'book')).toEqual({ purchases: 3, copies: 1, paid: 3 });
  });

  test('a gift that is being charged keeps nobody from buying the title', async () => {
    const { transId } = await authorizedGift(shop, giver, gift);
    trouble = { capture: silent };
    expect((await confirm(shop, giver, transId)).value).toMatchObject({ code: 'payment_unknown' });
    trouble = {};
    const own = await authorized(shop, giver, 'book');
    expect((await confirm(shop, giver, own.transId)).status).toBe(200);
    expect(await has(giver)).toBe(true);
  });

  test('a kept card pays for it', async () => {
    const cardId = await keepCard(shop, giver);
    const query = { ...giver.query, titleId: 'book', cardId, giftInfo: JSON.stringify(gift) };
    const first = await shop.ask('purchaseTitle', '/purchase/title', { query });
    expect(first.value).toMatchObject({ status: 'paid', titleId: 'book' });
    const again = await shop.ask('purchaseTitle', '/purchase/title', { query });
    expect(again.value).toMatchObject({ status: 'paid', transId: (first.value as Session).transId });
    expect([await lettersOf(shop, gift), await codes()].map((each) => each.length)).toEqual([1, 1]);
  });

  test('a free title is given once for a gift, however often it is asked', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => giveFree(gift)));
    expect(answers.map(({ value }) => value)).toEqual(
      Array(3).fill({ transId: gift.GiftId, titleId: 'gratis', instanceId: gift.GiftId, status: 'paid' }),
    );
    expect(await lettersOf(shop, gift)).toHaveLength(1);
    expect(await receiptOf(giver, gift.GiftId ?? '')).toMatchObject({ amount: 0, isGift: true, gift: { recipientName: 'Bo' } });
    const paid = { ...giver.query, titleId: 'book', giftInfo: JSON.stringify(giftFor()) };
    expect((await shop.ask('purchaseFreeTitle', '/purchase/free', { query: paid })).value).toMatchObject({ code: 'not_free' });
  });
});

describe('nothing twice, nothing lost', () => {
  test('the same gift asked for at once is one payment, and one code however often it is confirmed', async () => {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => giftSession(shop, giver, gift)));
    const [first, ...others] = new Set(sessions.map(({ value }) => (value as Session).transId));
    expect(others).toEqual([]);
    const [session] = sessions.map(({ value }) => value as Session);
    await pay(session?.url ?? '', CARDS.good);
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(shop, giver, first ?? '')));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect([await lettersOf(shop, gift), await codes()].map((each) => each.length)).toEqual([1, 1]);
    expect(await chargesOf(shop, first ?? '')).toBe(1);
  });

  test('of a shop that ended after the charge the sweep sends the gift, once', async () => {
    const { transId } = await authorizedGift(shop, giver, gift);
    const found = await shop.db.selectFrom('transactions').selectAll().where('id', '=', transId).executeTakeFirstOrThrow();
    await shop.db.updateTable('transactions').set({ status: 'capturing' }).where('id', '=', transId).execute();
    await shop.gateway.port.capture(found.intent_id ?? '');
    expect(await lettersOf(shop, gift)).toEqual([]);
    await sweep(shop.services);
    await sweep(shop.services);
    expect(await statusOf(shop, giver, transId)).toMatchObject({ status: 'paid' });
    expect([await lettersOf(shop, gift), await codes()].map((each) => each.length)).toEqual([1, 1]);
  });

  test('what is said last before it is paid counts, and nothing after that', async () => {
    const { transId } = await authorizedGift(shop, giver, gift);
    const corrected = { ...gift, RecipientName: 'Bob' };
    expect((await giftSession(shop, giver, corrected)).value).toMatchObject({ transId });
    await confirm(shop, giver, transId);
    expect((await giftSession(shop, giver, { ...gift, RecipientName: 'Eve' })).value).toMatchObject({ transId });
    expect((await lettersOf(shop, gift))[0]?.text).toContain('Hello Bob,');
    expect(await giftsOf(shop, giver)).toMatchObject([{ recipientName: 'Bob' }]);
  });

  test('a payment that was cancelled is followed by another one for the same gift', async () => {
    const { transId } = (await giftSession(shop, giver, gift)).value as Session;
    await shop.db.updateTable('transactions').set({ status: 'cancelled' }).where('id', '=', transId).execute();
    const second = await give(shop, giver, gift);
    expect(second).not.toBe(transId);
    expect(await lettersOf(shop, gift)).toHaveLength(1);
  });

  test('another price is another payment, and the first is released', async () => {
    const { transId } = await authorizedGift(shop, giver, gift);
    const price = (amount: number) =>
      shop.db
        .updateTable('prices')
        .set({ amount_minor: amount })
        .where('store_id', '=', store)
        .where('title_id', '=', 'book')
        .where('currency', '=', 'EUR')
        .execute();
    await price(1990);
    const second = (await giftSession(shop, giver, gift)).value as Session;
    await price(990);
    expect(second.transId).not.toBe(transId);
    expect(await statusOf(shop, giver, transId)).toMatchObject({ status: 'cancelled' });
    expect(await chargesOf(shop, transId)).toBe(0);
  });

  test('the id of a gift is its giver’s, and its title’s', async () => {
    await giftSession(shop, giver, gift);
    expect((await giftSession(shop, friend, gift)).value).toMatchObject({ status: 409, code: 'conflict' });
    expect((await giftSession(shop, giver, gift, { titleId: 'sound' })).value).toMatchObject({ status: 409, code: 'conflict' });
  });
});

test('a code of a gift is taken where the store takes no other codes', async () => {
  const strict = await shop.store({ properties: { EnableGiftingTitle: true, EnableWebTitleRedeem: false } });
  const [from, to] = [await customerOf(shop, strict), await customerOf(shop, strict)];
  await give(shop, from, gift);
  const code = codeInLetter((await lettersOf(shop, gift))[0]);
  expect((await redeemTitle(shop, to, code)).status).toBe(200);
});

describe('e-mails with free gifts', () => {
  const used = { status: 429, code: 'free_gifts_used' };
  beforeEach(async () => {
    giver = await customerOf(shop, await giftStore(shop));
  });
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
    expect(refused.headers['retry-after']).toBe('86400');
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
    const to = `${crypto.randomUUID()}@example.org`;
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
    const to = `${crypto.randomUUID()}@example.org`;
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
