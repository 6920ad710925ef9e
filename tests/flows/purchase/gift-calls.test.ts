import { beforeEach, expect, test } from 'vitest';
import { sendFreeGift, fetchGiftPreview, toGiftInfoText } from '../../../src/flows/purchase/calls/gift.ts';
import { startTitlePayment, buyTitleByCard } from '../../../src/flows/purchase/calls/title.ts';
import type { Api } from '../../../src/client/wire/client.ts';
import { getGiftDays, toGiftInfo } from '../../../src/client/payment/gift-info.ts';
import { removeGiftDraft, readGiftDraft, saveGiftDraft } from '../../../src/client/payment/gift-draft.ts';
import { json, createFakeServer } from '../../support/client/fake-environment.ts';
import { giftForm, preview } from '../../support/purchase.ts';

const price = { amount: 9.99, currency: 'USD', symbol: '$' };
const giftRequest = { titleId: '1001', giftId: 'g1', form: giftForm };
/** A payment for a gift of the title. */
const createPaymentRequest = (api: Api) => ({
  titleId: '1001',
  price,
  key: null,
  code: '',
  tax: null,
  giftInfo: toGiftInfoText(api, giftRequest),
});
const wireGiftInfo = {
  RecipientName: 'Bo Quay',
  RecipientEmail: 'bo@example.com',
  RecipientMessage: 'Happy birthday!',
  GiftId: 'g1',
};
const parseGiftInfo = (query: Record<string, string> | undefined): unknown => JSON.parse(query?.['giftInfo'] ?? '');

test('a session has the recipient, the price and the id of the gift [S3.gift]', async () => {
  const response = { transId: 'tr1', provider: 'test', url: 'https://pay.test/p/1' };
  const { api, requests } = createFakeServer([json(response)]);
  expect(await startTitlePayment(api, { ...createPaymentRequest(api), method: null })).toEqual(response);
  expect(requests[0]?.query).toMatchObject({ titleId: '1001', price: '9.99', currency: 'USD', method: 'card' });
  expect(parseGiftInfo(requests[0]?.query)).toEqual(wireGiftInfo);
});

test.each(['wallet', 'cash'])('a session has its payment method, and “card” for an unknown method: %s', async (method) => {
  const { api, requests } = createFakeServer([json({ transId: 'tr1', provider: 'test', url: 'https://pay.test/p/1' })]);
  await startTitlePayment(api, { ...createPaymentRequest(api), method });
  expect(requests[0]?.query).toMatchObject({ method: method === 'wallet' ? 'wallet' : 'card' });
});

test('a saved card pays for the same gift', async () => {
  const response = { transId: 'tr1', titleId: '1001', status: 'paid', intentId: 'in1', url: null, reason: null };
  const { api, requests } = createFakeServer([json(response)]);
  expect(await buyTitleByCard(api, { ...createPaymentRequest(api), cardId: 'c1', country: undefined })).toEqual(response);
  expect(requests[0]?.query).toMatchObject({ titleId: '1001', cardId: 'c1', Price: '9.99' });
  expect(parseGiftInfo(requests[0]?.query)).toEqual(wireGiftInfo);
});

test('a free gift is sent with its recipient and its id', async () => {
  const response = { transId: 'g1', titleId: '1001', instanceId: 'g1', status: 'paid' };
  const { api, requests } = createFakeServer([json(response)]);
  expect(await sendFreeGift(api, giftRequest)).toMatchObject({ transId: 'g1' });
  expect(parseGiftInfo(requests[0]?.query)).toEqual(wireGiftInfo);
});

test('the e-mail preview is requested without an id for the gift', async () => {
  const { api, requests } = createFakeServer([json(preview)]);
  expect(await fetchGiftPreview(api, { titleId: '1001', titleIds: null, form: giftForm })).toEqual(preview);
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
    titleId: '1001',
    giftInfo: { RecipientName: 'Bo Quay', RecipientEmail: 'bo@example.com', RecipientMessage: 'Happy birthday!' },
  });
});

test('an unreadable e-mail preview counts as missing', async () => {
  const { api } = createFakeServer([json({ subject: 'A gift', before: ['Hello'], after: [] })]);
  expect(await fetchGiftPreview(api, { titleId: '1001', titleIds: null, form: giftForm })).toBeNull();
});

test('dates are those of this device’s calendar, and a gift for today is sent at once', () => {
  const now = new Date(2028, 1, 29, 23, 59);
  expect(getGiftDays(now)).toEqual({ today: '2028-02-29', lastDay: '2029-03-01' });
  expect(toGiftInfo({ ...giftForm, day: '2028-02-29' }, now, 'g1')).toEqual(wireGiftInfo);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  expect(toGiftInfo({ ...giftForm, day: '2028-03-01' }, now, 'g1')).toEqual({
    ...wireGiftInfo,
    DeliverOn: '2028-03-01',
    TimeZone: timeZone,
  });
});

beforeEach(removeGiftDraft);

test('the typed gift form stays in the tab for its title, until it is removed', () => {
  expect(readGiftDraft('1001')).toBeNull();
  saveGiftDraft('1001', giftForm);
  expect([readGiftDraft('1001'), readGiftDraft('1002')]).toEqual([giftForm, null]);
  removeGiftDraft();
  expect(readGiftDraft('1001')).toBeNull();
});
