import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Customer, customerOf } from '../support/customers.ts';
import { give, giftFor, type GiftInfo, giftSession, giftStore, lettersOf } from '../support/gifts.ts';
import { authorized, CARDS, chargesOf, confirm, pay, type Session } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
let giver: Customer;
let gift: GiftInfo;
beforeAll(async () => {
  shop = await openShop();
  store = await giftStore(shop);
});
beforeEach(async () => {
  giver = await customerOf(shop, store);
  gift = giftFor();
});
afterAll(() => shop.close());

describe('what does not fit is refused, and nothing is begun', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

  test.each<[string, object | string, number, string]>([
    ['no JSON', 'Bo', 400, 'gift_info'],
    ['a list', [], 400, 'gift_info'],
    ['no name', { RecipientName: ' \u0007 ' }, 400, 'gift_info'],
    ['a long name', { RecipientName: 'B'.repeat(81) }, 400, 'gift_info'],
    ['a number for a name', { RecipientName: 7 }, 400, 'gift_info'],
    ['no address', { RecipientEmail: '' }, 400, 'gift_info'],
    ['two addresses', { RecipientEmail: 'a@example.org, b@example.org' }, 400, 'gift_info'],
    ['a long message', { RecipientMessage: 'x'.repeat(501) }, 400, 'gift_info'],
    ['an id that is none', { GiftId: '../1' }, 400, 'gift_info'],
    ['a day that is none', { DeliverOn: '2027-02-30' }, 400, 'gift_info'],
    ['a zone that is none', { DeliverOn: inDays(3), TimeZone: 'Moon/Base' }, 400, 'gift_info'],
    ['a day that has passed', { DeliverOn: inDays(-2) }, 409, 'gift_day'],
    ['a day beyond a year', { DeliverOn: inDays(368) }, 409, 'gift_day'],
  ])('%s', async (_what, wrong, status, code) => {
    const giftInfo = typeof wrong === 'string' ? wrong : JSON.stringify(Array.isArray(wrong) ? wrong : { ...gift, ...wrong });
    const answer = await shop.ask('paymentSession', '/payment/session', { query: { ...giver.query, titleId: 'book', giftInfo } });
    expect(answer.value).toMatchObject({ status, code });
    const begun = await shop.db.selectFrom('transactions').select('id').where('user_id', '=', giver.id).execute();
    expect(begun).toEqual([]);
  });

  const bait = 'Claim it at evil.example/x';
  const messages = ['https://evil.example', 'www.evil', 'evil.example/x', 'write to me@evil.example', 'ｅｖｉｌ．ｃｏｍ'];

  test.each(messages)('a message with “%s”, for each way to pay for a gift', async (RecipientMessage) => {
    const info = { ...gift, RecipientMessage };
    const refused = { status: 400, code: 'gift_link' };
    const { query } = giver;
    const giftInfo = JSON.stringify(info);
    expect((await giftSession(shop, giver, info)).value).toMatchObject(refused);
    const free = { ...query, titleId: 'gratis', giftInfo };
    expect((await shop.ask('purchaseFreeTitle', '/purchase/free', { query: free })).value).toMatchObject(refused);
    const preview = { titleId: 'book', giftInfo: info };
    expect((await shop.ask('giftPreview', '/gift/preview', { query, body: preview })).value).toMatchObject(refused);
    expect(await lettersOf(shop, gift)).toEqual([]);
  });

  test('a recipient’s name with a link', async () => {
    const answer = await giftSession(shop, giver, { ...gift, RecipientName: bait });
    expect(answer.value).toMatchObject({ status: 400, code: 'gift_link', error: expect.stringContaining('RecipientName') });
  });

  test('a giver’s own name with a link', async () => {
    await shop.db.updateTable('users').set({ name: 'Your bank, evil.example' }).where('id', '=', giver.id).execute();
    const body = { titleId: 'book', giftInfo: gift };
    const preview = await shop.ask('giftPreview', '/gift/preview', { query: giver.query, body });
    expect(preview.value).toMatchObject({ status: 409, code: 'giver_link' });
    expect((await giftSession(shop, giver, gift)).value).toMatchObject({ status: 409, code: 'giver_link' });
  });

  test('a store without gifts', async () => {
    const other = await shop.store();
    const customer = await customerOf(shop, other);
    expect((await giftSession(shop, customer, gift)).value).toMatchObject({ status: 409, code: 'gifting_off' });
    const body = { titleId: 'book', giftInfo: gift };
    const preview = await shop.ask('giftPreview', '/gift/preview', { query: customer.query, body });
    expect(preview.value).toMatchObject({ status: 409, code: 'gifting_off' });
  });

  test('what is no gift is not confirmed as one', async () => {
    const { transId } = await authorized(shop, giver, 'book');
    const query = { ...giver.query, transactonId: transId, giftInfo: JSON.stringify(gift) };
    expect((await shop.ask('confirmTitlePurchase', '/purchase/title/confirm', { query })).status).toBe(400);
    expect(await chargesOf(shop, transId)).toBe(0);
  });
});

describe('the preview says what the letter will say', () => {
  test.each(['en', 'fr', 'es', 'it', 'zh'])('%s', async (language) => {
    const asked = { ...giver, query: giver.query };
    const headers = { 'accept-language': language };
    const body = { titleId: 'book', giftInfo: gift };
    const preview = await shop.ask('giftPreview', '/gift/preview', { query: asked.query, body, headers });
    const { subject, before, link, after } = preview.value as {
      subject: string;
      before: string[];
      link: string;
      after: string[];
    };
    const { transId, url } = (await giftSession(shop, giver, gift, {}, headers)).value as Session;
    await pay(url, CARDS.good);
    await confirm(shop, giver, transId);
    const [letter] = await lettersOf(shop, gift);
    expect(letter?.subject).toBe(subject);
    for (const paragraph of [...before, ...after]) expect(letter?.text).toContain(paragraph);
    expect(letter?.html).toContain(link);
    expect(before.join()).toContain('Bo');
  });

  test('what is put in is never read as a place to put something in', async () => {
    const body = { titleId: 'book', giftInfo: { ...gift, RecipientName: '{shop} $& {giver}' } };
    const { value } = await shop.ask('giftPreview', '/gift/preview', { query: giver.query, body });
    expect((value as { before: string[] }).before[0]).toBe('Hello {shop} $& {giver},');
  });
});

test('a giver’s name that becomes a link once the gift is paid for is left out of the e-mail', async () => {
  await give(shop, giver, gift);
  await shop.db.updateTable('users').set({ name: 'evil.example/x' }).where('id', '=', giver.id).execute();
  const [letter] = await lettersOf(shop, gift);
  expect(letter?.subject).toBe(`${store}: A friend has sent you a gift`);
  expect(`${letter?.text}${letter?.html}`).not.toContain('evil.example');
});
