import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Customer, createCustomer } from '../support/customers.ts';
import { buyGift, makeGift, type GiftInfo, startGiftSession, createGiftStore, readGiftEmails } from '../support/gifts.ts';
import { authorizePayment, CARD_NUMBERS, countCharges, confirmPayment, submitCardForm, type Session } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
let giver: Customer;
let gift: GiftInfo;
beforeAll(async () => {
  shop = await openShop();
  store = await createGiftStore(shop);
});
beforeEach(async () => {
  giver = await createCustomer(shop, store);
  gift = makeGift();
});
afterAll(() => shop.close());

describe('refused gift details', () => {
  const dateInDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

  test.each<[string, object | string, number, string]>([
    ['invalid JSON', 'Bo', 400, 'gift_info'],
    ['a list instead of an object', [], 400, 'gift_info'],
    ['no name', { RecipientName: ' \u0007 ' }, 400, 'gift_info'],
    ['a long name', { RecipientName: 'B'.repeat(81) }, 400, 'gift_info'],
    ['a number as a name', { RecipientName: 7 }, 400, 'gift_info'],
    ['an invalid address', { RecipientEmail: '' }, 400, 'gift_info'],
    ['two addresses', { RecipientEmail: 'a@example.org, b@example.org' }, 400, 'gift_info'],
    ['a long message', { RecipientMessage: 'x'.repeat(501) }, 400, 'gift_info'],
    ['an invalid id', { GiftId: '../1' }, 400, 'gift_info'],
    ['an invalid day', { DeliverOn: '2027-02-30' }, 400, 'gift_info'],
    ['an invalid time zone', { DeliverOn: dateInDays(3), TimeZone: 'Moon/Base' }, 400, 'gift_info'],
    ['a day in the past', { DeliverOn: dateInDays(-2) }, 409, 'gift_day'],
    ['a day more than a year away', { DeliverOn: dateInDays(368) }, 409, 'gift_day'],
  ])('gift details with %s are refused, and no payment starts', async (_case, invalidDetails, status, code) => {
    const giftInfo =
      typeof invalidDetails === 'string'
        ? invalidDetails
        : JSON.stringify(Array.isArray(invalidDetails) ? invalidDetails : { ...gift, ...invalidDetails });
    const response = await shop.call('paymentSession', '/payment/session', {
      query: { ...giver.query, titleId: 'book', giftInfo },
    });
    expect(response.value).toMatchObject({ status, code });
    const transactions = await shop.db.selectFrom('transactions').select('id').where('user_id', '=', giver.id).execute();
    expect(transactions).toEqual([]);
  });

  const textWithLink = 'Claim it at evil.example/x';
  const messages = ['https://evil.example', 'www.evil', 'evil.example/x', 'write to me@evil.example', 'ｅｖｉｌ．ｃｏｍ'];

  test.each(messages)(
    'a gift’s message with “%s” is refused by the payment session, the free purchase and the preview',
    async (RecipientMessage) => {
      const info = { ...gift, RecipientMessage };
      const refusal = { status: 400, code: 'gift_link' };
      const { query } = giver;
      const giftInfo = JSON.stringify(info);
      expect((await startGiftSession(shop, giver, info)).value).toMatchObject(refusal);
      const freeTitleQuery = { ...query, titleId: 'gratis', giftInfo };
      expect((await shop.call('purchaseFreeTitle', '/purchase/free', { query: freeTitleQuery })).value).toMatchObject(refusal);
      const previewBody = { titleId: 'book', giftInfo: info };
      expect((await shop.call('giftPreview', '/gift/preview', { query, body: previewBody })).value).toMatchObject(refusal);
      expect(await readGiftEmails(shop, gift)).toEqual([]);
    },
  );

  test('a recipient’s name with a link is refused', async () => {
    const response = await startGiftSession(shop, giver, { ...gift, RecipientName: textWithLink });
    expect(response.value).toMatchObject({ status: 400, code: 'gift_link', error: expect.stringContaining('RecipientName') });
  });

  test('a giver’s own name with a link is refused', async () => {
    await shop.db.updateTable('users').set({ name: 'Your bank, evil.example' }).where('id', '=', giver.id).execute();
    const body = { titleId: 'book', giftInfo: gift };
    const preview = await shop.call('giftPreview', '/gift/preview', { query: giver.query, body });
    expect(preview.value).toMatchObject({ status: 409, code: 'giver_link' });
    expect((await startGiftSession(shop, giver, gift)).value).toMatchObject({ status: 409, code: 'giver_link' });
  });

  test('a store without gifts refuses the payment and the preview of a gift', async () => {
    const giftlessStore = await shop.store();
    const customer = await createCustomer(shop, giftlessStore);
    expect((await startGiftSession(shop, customer, gift)).value).toMatchObject({ status: 409, code: 'gifting_off' });
    const body = { titleId: 'book', giftInfo: gift };
    const preview = await shop.call('giftPreview', '/gift/preview', { query: customer.query, body });
    expect(preview.value).toMatchObject({ status: 409, code: 'gifting_off' });
  });

  test('the payment of a title is not confirmed as a gift', async () => {
    const { transId } = await authorizePayment(shop, giver, 'book');
    const query = { ...giver.query, transactonId: transId, giftInfo: JSON.stringify(gift) };
    expect((await shop.call('confirmTitlePurchase', '/purchase/title/confirm', { query })).status).toBe(400);
    expect(await countCharges(shop, transId)).toBe(0);
  });
});

describe('the preview of a gift', () => {
  test.each(['en', 'fr', 'es', 'it', 'zh'])(
    'the preview has the text of the gift’s e-mail in the language %s',
    async (language) => {
      const headers = { 'accept-language': language };
      const body = { titleId: 'book', giftInfo: gift };
      const preview = await shop.call('giftPreview', '/gift/preview', { query: giver.query, body, headers });
      const { subject, before, link, after } = preview.value as {
        subject: string;
        before: string[];
        link: string;
        after: string[];
      };
      const { transId, url } = (await startGiftSession(shop, giver, gift, {}, headers)).value as Session;
      await submitCardForm(url, CARD_NUMBERS.good);
      await confirmPayment(shop, giver, transId);
      const [message] = await readGiftEmails(shop, gift);
      expect(message?.subject).toBe(subject);
      for (const paragraph of [...before, ...after]) expect(message?.text).toContain(paragraph);
      expect(message?.html).toContain(link);
      expect(before.join()).toContain('Bo');
    },
  );

  test('placeholders in a recipient’s name are not replaced', async () => {
    const body = { titleId: 'book', giftInfo: { ...gift, RecipientName: '{shop} $& {giver}' } };
    const { value } = await shop.call('giftPreview', '/gift/preview', { query: giver.query, body });
    expect((value as { before: string[] }).before[0]).toBe('Hello {shop} $& {giver},');
  });
});

test('a giver’s name that becomes a link after the payment is left out of the e-mail', async () => {
  await buyGift(shop, giver, gift);
  await shop.db.updateTable('users').set({ name: 'evil.example/x' }).where('id', '=', giver.id).execute();
  const [message] = await readGiftEmails(shop, gift);
  expect(message?.subject).toBe(`${store}: A friend has sent you a gift`);
  expect(`${message?.text}${message?.html}`).not.toContain('evil.example');
});
