import { beforeEach, expect, test } from 'vitest';
import { freeGift, giftLetter, infoOf } from '../../../src/flows/purchase/calls/gift.ts';
import { paymentSession, purchaseTitle } from '../../../src/flows/purchase/calls/title.ts';
import type { Api } from '../../../src/client/wire/client.ts';
import { giftDays, giftInfoOf } from '../../../src/client/payment/gift-info.ts';
import { forgetDraft, giftDraft, keepDraft } from '../../../src/client/payment/gift-draft.ts';
import { json, world } from '../../support/client/world.ts';
import { form, letter } from '../../support/purchase.ts';

const price = { amount: 9.99, currency: 'USD', symbol: '$' };
const giving = { titleId: '1001', giftId: 'g1', form };
/** A payment by which the title is given. */
const given = (api: Api) => ({ titleId: '1001', price, key: null, code: '', tax: null, giftInfo: infoOf(api, giving) });
const info = {
  RecipientName: 'Bo Quay',
  RecipientEmail: 'bo@example.com',
  RecipientMessage: 'Happy birthday!',
  GiftId: 'g1',
};
const infoIn = (query: Record<string, string> | undefined): unknown => JSON.parse(query?.['giftInfo'] ?? '');

test('a session says for whom it is, for how much, and which gift it is [S3.gift]', async () => {
  const answer = { transId: 'tr1', provider: 'test', url: 'https://pay.test/p/1' };
  const { api, asked } = world([json(answer)]);
  expect(await paymentSession(api, { ...given(api), method: null })).toEqual(answer);
  expect(asked[0]?.query).toMatchObject({ titleId: '1001', price: '9.99', currency: 'USD', method: 'card' });
  expect(infoIn(asked[0]?.query)).toEqual(info);
});

test.each(['wallet', 'cash'])('a session says in which way it is paid, by card in one that is not known: %s', async (method) => {
  const { api, asked } = world([json({ transId: 'tr1', provider: 'test', url: 'https://pay.test/p/1' })]);
  await paymentSession(api, { ...given(api), method });
  expect(asked[0]?.query).toMatchObject({ method: method === 'wallet' ? 'wallet' : 'card' });
});

test('a kept card pays for the same gift', async () => {
  const answer = { transId: 'tr1', titleId: '1001', status: 'paid', intentId: 'in1', url: null, reason: null };
  const { api, asked } = world([json(answer)]);
  expect(await purchaseTitle(api, { ...given(api), cardId: 'c1', country: undefined })).toEqual(answer);
  expect(asked[0]?.query).toMatchObject({ titleId: '1001', cardId: 'c1', Price: '9.99' });
  expect(infoIn(asked[0]?.query)).toEqual(info);
});

test('a free one is sent by the same name', async () => {
  const answer = { transId: 'g1', titleId: '1001', instanceId: 'g1', status: 'paid' };
  const { api, asked } = world([json(answer)]);
  expect(await freeGift(api, giving)).toMatchObject({ transId: 'g1' });
  expect(infoIn(asked[0]?.query)).toEqual(info);
});

test('the letter is asked for without a name for the gift', async () => {
  const { api, asked } = world([json(letter)]);
  expect(await giftLetter(api, { titleId: '1001', titleIds: null, form })).toEqual(letter);
  expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
    titleId: '1001',
    giftInfo: { RecipientName: 'Bo Quay', RecipientEmail: 'bo@example.com', RecipientMessage: 'Happy birthday!' },
  });
});

test('a letter that cannot be read is none', async () => {
  const { api } = world([json({ subject: 'A gift', before: ['Hello'], after: [] })]);
  expect(await giftLetter(api, { titleId: '1001', titleIds: null, form })).toBeNull();
});

test('the days are those of this device’s calendar, and a gift for today goes out at once', () => {
  const now = new Date(2028, 1, 29, 23, 59);
  expect(giftDays(now)).toEqual({ today: '2028-02-29', lastDay: '2029-03-01' });
  expect(giftInfoOf({ ...form, day: '2028-02-29' }, now, 'g1')).toEqual(info);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  expect(giftInfoOf({ ...form, day: '2028-03-01' }, now, 'g1')).toEqual({ ...info, DeliverOn: '2028-03-01', TimeZone: timeZone });
});

beforeEach(forgetDraft);

test('what was written stays in the tab for its title, until it is forgotten', () => {
  expect(giftDraft('1001')).toBeNull();
  keepDraft('1001', form);
  expect([giftDraft('1001'), giftDraft('1002')]).toEqual([form, null]);
  forgetDraft();
  expect(giftDraft('1001')).toBeNull();
});
