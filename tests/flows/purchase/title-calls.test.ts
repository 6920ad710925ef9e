import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isOutcomeUnknown, type Problem } from '../../../machines/model/problem.ts';
import { fetchCodePrices, startTitlePayment, buyTitleByCard } from '../../../src/flows/purchase/calls/title.ts';
import { confirmPurchase, fetchReturnedStatus, fetchSessionStatus } from '../../../src/client/payment/payment-status.ts';
import { payStartedByCard, saveStartedPayment } from '../../../src/client/payment/started-payments.ts';
import { createBillingAddresses } from '../../../src/client/payment/billing-addresses.ts';
import { fetchCards } from '../../../src/client/payment/cards.ts';
import type { Api } from '../../../src/client/wire/client.ts';
import { createScope } from '../../../src/client/environment/scope.ts';
import { removeGiftDraft, saveGiftDraft } from '../../../src/client/payment/gift-draft.ts';
import { removePendingPayments, savePendingPayment } from '../../../src/client/payment/pending-payments.ts';
import { safeLocalStorage } from '../../../src/storage/storage.ts';
import { fetchReceipt } from '../../../src/flows/receipt/calls.ts';
import { purchaseFreeTitle } from '../../../src/client/catalogue/free-title.ts';
import { fetchOwnCopyId } from '../../../src/client/library/ownership.ts';
import { config, json, catchRejection, environment, xml } from '../../support/client/fake-environment.ts';

const key = 'attempt-0001';
const price = { amount: 9.9, currency: 'USD', symbol: '$' };
const titleRequest = { titleId: 't1', price, key, code: '', tax: null, giftInfo: undefined };
const session = { ...titleRequest, method: null };
const cardRequest = { ...titleRequest, cardId: 'card1', country: undefined };
const grant = { transId: 'tr1', titleId: 't1', instanceId: 'i1' };

test('a payment session [S7.payment/session]', async () => {
  const answer = { transId: 'tr1', provider: 'test', url: 'https://pay.test/p/1' };
  const { api, asked } = environment([json({ ...answer, unknown: 1 })]);
  expect(await startTitlePayment(api, session)).toEqual(answer);
  expect(asked[0]).toMatchObject({
    path: '/api/payment/session',
    query: { titleId: 't1', price: '9.9', currency: 'USD', method: 'card', shelfid: 'demo' },
    headers: { 'idempotency-key': key },
  });
});

test('a code is sent with the payment, and the discounted prices are looked up [S7.redeem/apply]', async () => {
  const prices =
    '<Prices><Price><Amount>7.92</Amount><Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol></Price></Prices>';
  const { api, asked } = environment([
    xml(`<Redemption><Kind>discount</Kind><Redeemed>false</Redeemed>${prices}</Redemption>`),
    xml(`<Redemption><Kind>discount</Kind><Redeemed>true</Redeemed>${prices}</Redemption>`),
    xml('<Redemption><Kind>title</Kind></Redemption>'),
    json({ transId: 'tr1', provider: 'test', url: 'https://pay.test/p/1' }),
    json({ transId: 'tr1', titleId: 't1', status: 'paid' }),
  ]);
  const wanted = { code: 'HALF', titleId: 't1', prices: [price] };
  expect(await fetchCodePrices(api, wanted)).toEqual([{ amount: 7.92, currency: 'EUR', symbol: '€' }]);
  const refusals = [await catchRejection(fetchCodePrices(api, wanted)), await catchRejection(fetchCodePrices(api, wanted))];
  expect(refusals.map((problem) => Reflect.get(problem as object, 'code') as string).toSorted()).toEqual([
    'code_misfit',
    'code_used',
  ]);
  await startTitlePayment(api, { ...session, code: 'HALF' });
  await buyTitleByCard(api, { ...cardRequest, code: 'HALF' });
  expect(asked[0]?.query).toMatchObject({ code: 'HALF', titleid: 't1' });
  expect(asked.slice(-2)).toMatchObject([{ query: { code: 'HALF' } }, { query: { RedeemPin: 'HALF' } }]);
});

test.each([
  [20, 'EUR', 9.99, 7.99],
  [50, 'JPY', 501, 251],
  [100, 'EUR', 9.99, 0],
])('a code with only %d%% off reduces a price in %s by that much', async (percent, currency, amount, left) => {
  const { api } = environment([xml(`<Redemption><PercentOff>${percent}</PercentOff></Redemption>`)]);
  const prices = [{ amount, currency, symbol: '' }];
  expect(await fetchCodePrices(api, { code: 'OFF', titleId: 't1', prices })).toEqual([{ amount: left, currency, symbol: '' }]);
});

test('a code without a discount does not apply to the title', async () => {
  const { api } = environment([xml('<Redemption><PercentOff>0</PercentOff></Redemption>')]);
  const problem = await catchRejection(fetchCodePrices(api, { code: 'OFF', titleId: 't1', prices: [price] }));
  expect(problem).toMatchObject({ kind: 'refused', code: 'code_misfit' });
});

test('a card pays with the country of its billing address [S7.purchase/title]', async () => {
  const { api, asked } = environment([json({ transId: 'tr1', titleId: 't1', status: 'paid' })]);
  await buyTitleByCard(api, { ...cardRequest, country: 'NO' });
  expect(asked[0]?.query).toMatchObject({ country: 'NO' });
});

test.each([
  ['url', { transId: 'tr1', provider: 'test', url: 'javascript:alert(1)' }],
  ['transId', { transId: '', provider: 'test', url: 'https://pay.test/' }],
])('a payment session with a wrong %s', async (field, answer) => {
  const problem = await catchRejection(startTitlePayment(environment([json(answer)]).api, session));
  expect(problem).toMatchObject({ kind: 'malformed', call: 'payment/session', field });
});

test('a free title [S7.purchase/free]', async () => {
  const { api, asked } = environment([json({ ...grant, status: 'paid' })]);
  expect(await purchaseFreeTitle(api, { titleId: 't1', key })).toEqual(grant);
  expect(asked[0]).toMatchObject({ path: '/api/purchase/free', query: { titleId: 't1' }, headers: { 'idempotency-key': key } });
});

test('a saved card [S7.purchase/title]', async () => {
  const state = { transId: 'tr1', titleId: 't1', status: 'pending', url: 'https://pay.test/challenge' };
  const { api, asked } = environment([json(state)]);
  const bought = await buyTitleByCard(api, cardRequest);
  expect(bought).toEqual({ ...state, intentId: null, reason: null });
  expect(asked[0]?.query).toEqual({ titleId: 't1', cardId: 'card1', Price: '9.9', currency: 'USD', shelfid: 'demo' });
});

describe('confirming', () => {
  const confirm = { transId: 'tr1', intentId: 'in1' };
  const worldOf = (api: Api) => createScope({ api: async () => api, address: () => ({ search: '' }) });
  beforeEach(() => {
    safeLocalStorage.removeItem('colophon.begun-payments.');
    removePendingPayments({ of: 'gift', titleId: 't1' });
    removeGiftDraft();
  });

  test('sends the names as the wire spells them [S7.purchase/title/confirm]', async () => {
    const { api, asked } = environment([json({ ...grant, status: 'paid' })]);
    expect(await confirmPurchase(worldOf(api), confirm)).toEqual(grant);
    expect(asked[0]).toMatchObject({
      path: '/api/purchase/title/confirm',
      headers: { 'idempotency-key': 'confirm-tr1-in1' },
    });
    expect(asked[0]?.query).toEqual({ transactonId: 'tr1', intentId: 'in1', shelfid: 'demo' });
  });

  test('reads the card’s address after a bank’s page, and continues without it when that fails', async () => {
    saveStartedPayment({ transId: 'tr1', paidFor: 'title', price, code: '', cardId: 'c1' });
    for (const [cards, city] of [
      [xml('<Cards><Card><CardId>c1</CardId><City>Brest</City></Card></Cards>'), 'Brest'],
      [new Response('', { status: 404 }), undefined],
    ] as const) {
      const { api, asked } = environment([cards, json({ ...grant, status: 'paid' })]);
      await confirmPurchase(worldOf(api), confirm);
      expect(asked.map(({ path }) => path)).toEqual(['/api/card/all', '/api/purchase/title/confirm']);
      expect(asked[1]?.query).toMatchObject({ cardId: 'c1', ...(city === undefined ? {} : { cardCity: city }) });
    }
  });

  test('sends all that the page knows of the payment [S7.purchase/title/confirm]', async () => {
    const card = '<AddressLine1>1 Quay</AddressLine1><AddressLine2>Loft</AddressLine2><City>Brest</City><State>BRE</State>';
    const { api, asked } = environment([
      xml(`<Cards><Card><CardId>c1</CardId><Address>${card}<Country>FR</Country></Address></Card></Cards>`),
      json({ ...grant, status: 'paid' }),
    ]);
    const shop = worldOf(api);
    await fetchCards(api, new AbortController().signal, shop.scoped(createBillingAddresses));
    const rates = [{ name: 'TVA', percent: 5.5, amount: 0.54 }];
    const tax = { place: { country: 'FR', region: null }, taxPrice: 0.54, priceWithTax: 10.44, rates };
    saveStartedPayment({ transId: 'tr1', paidFor: 'gift', price, code: 'HALF', cardId: 'c1', tax });
    savePendingPayment({ of: 'gift', titleId: 't1', titleIds: null, price }, { key: 'g1', transId: 'tr1', code: '' });
    saveGiftDraft('t1', { name: 'Bo Quay', email: 'bo@example.com', message: 'Hello', day: '' });
    await confirmPurchase(shop, confirm);
    const { giftInfo, ...query } = asked[1]?.query ?? {};
    expect(query).toEqual({
      transactonId: 'tr1',
      intentId: 'in1',
      cardId: 'c1',
      currency: 'USD',
      RedeemPin: 'HALF',
      country: 'FR',
      addressLine1: '1 Quay',
      addressLine2: 'Loft',
      cardCity: 'Brest',
      cardState: 'BRE',
      cardCountry: 'FR',
      taxPrice: '0.54',
      priceWithTax: '10.44',
      taxRates: '[{"name":"TVA","percent":5.5}]',
      shelfid: 'demo',
    });
    expect(JSON.parse(giftInfo ?? '')).toEqual({
      RecipientName: 'Bo Quay',
      RecipientEmail: 'bo@example.com',
      RecipientMessage: 'Hello',
      GiftId: 'g1',
    });
  });

  test.each([
    ['a lost answer', new TypeError('Failed to fetch'), true],
    ['a gateway without an answer', json({ error: 'x', status: 502, code: 'payment_unknown' }, 502), true],
    ['a broken server', json({ error: 'x', status: 500, code: 'internal' }, 500), true],
    ['an unreadable answer', json({ transId: 'tr1' }), true],
    ['a declined card', json({ error: 'x', status: 402, code: 'card_declined' }, 402), false],
    ['an expired session', json({ error: 'x', status: 401, code: 'unauthorized' }, 401), false],
  ])('%s is sent once', async (_, reply, happened) => {
    const { api, asked } = environment([reply]);
    const problem = (await catchRejection(confirmPurchase(worldOf(api), confirm))) as Problem;
    expect(isOutcomeUnknown(problem)).toBe(happened);
    expect(asked).toHaveLength(1);
  });
});

test.each([
  ['no content', () => new Response(null, { status: 204 })],
  ['a bare success', () => json({ success: true })],
])('a free title that is answered with %s is in the library', async (_, done) => {
  const { api } = environment([done(), json({ hasTitle: true, instanceId: 'i1' })]);
  const problem = await catchRejection(purchaseFreeTitle(api, { titleId: 't1', key }));
  expect(problem).toMatchObject({ kind: 'refused', code: 'already_owned' });
  const without = environment([done(), json({ hasTitle: false })]);
  expect(await catchRejection(purchaseFreeTitle(without.api, { titleId: 't1', key }))).toMatchObject({ kind: 'malformed' });
});

describe('a card payment whose answer is lost', () => {
  const lost = () => new Response('', { status: 503 });
  const begun = { transId: 'tr1', paidFor: 'title' as const, price, code: '', cardId: 'c1' };
  const pending = () => json({ transId: 'tr1', status: 'pending' });
  const page = (api: Api) => ({ api: async () => api, address: () => ({ search: '' }) });
  const statusOf = (api: Api) => fetchReturnedStatus(page(api), 'tr1', AbortSignal.timeout(1000));
  const asks = (api: Api) =>
    payStartedByCard(api, 'tr1', () => buyTitleByCard(api, { ...cardRequest, cardId: 'c1', key: 'card-tr1-c1' }));

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    saveStartedPayment(begun);
  });
  afterEach(() => vi.useRealTimers());

  test('may have paid another transaction: for an hour its state is unknown', async () => {
    const { api } = environment([lost, pending, pending]);
    await catchRejection(asks(api));
    expect(await catchRejection(statusOf(api))).toMatchObject({ kind: 'refused', code: 'payment_unknown' });
    vi.setSystemTime(Date.now() + 3_600_001);
    expect(await statusOf(api)).toMatchObject({ status: 'pending' });
  });

  test('pays the pending transaction, if the server says so', async () => {
    const { api } = environment([lost, pending], { config: { ...config, additions: ['payment/session/card'] } });
    await catchRejection(asks(api));
    expect(await statusOf(api)).toMatchObject({ status: 'pending' });
  });

  test('has paid nothing if it is refused', async () => {
    const { api } = environment([json({ error: 'No', status: 402, code: 'card_declined' }, 402), pending]);
    await catchRejection(asks(api));
    expect(await statusOf(api)).toMatchObject({ status: 'pending' });
  });

  test('is known once the next call is answered', async () => {
    const { api } = environment([lost, json({ transId: 'tr1', status: 'authorized', intentId: 'in1' }), pending]);
    await catchRejection(asks(api));
    saveStartedPayment(begun);
    expect(await asks(api)).toMatchObject({ status: 'authorized' });
    expect(await statusOf(api)).toMatchObject({ status: 'pending' });
  });
});

describe('the session status', () => {
  const read = (answer: unknown) => fetchSessionStatus(environment([json(answer)]).api, 'tr1');
  test('missing fields are null [S7.checkout/session/status]', async () => {
    expect(await read({ transId: 'tr1', titleId: 't1', status: 'authorized', intentId: 'in1' })).toEqual({
      transId: 'tr1',
      titleId: 't1',
      status: 'authorized',
      intentId: 'in1',
      url: null,
      reason: null,
    });
  });
  test('an executable URL is dropped', async () => {
    expect(await read({ transId: 'tr1', titleId: 't1', status: 'pending', url: 'javascript:x' })).toMatchObject({ url: null });
  });
  test.each([
    ['requires_capture', 'authorized'],
    ['Confirmed', 'authorized'],
    ['settled', 'authorized'],
    ['In Progress', 'pending'],
    ['Rejected', 'failed'],
    ['voided', 'cancelled'],
    ['Succeeded', 'authorized'],
    ['COMPLETE', 'authorized'],
    ['Authorised', 'authorized'],
    ['requires-action', 'pending'],
    ['open', 'pending'],
    ['Canceled', 'cancelled'],
    ['expired', 'cancelled'],
    ['Declined', 'failed'],
    ['Paid', 'paid'],
  ])('with other words for a state: %s', async (word, status) => {
    const intentId = status === 'authorized' ? '' : null;
    expect(await read({ transId: 'tr1', titleId: 't1', status: word })).toMatchObject({ status, intentId });
  });
  test('an unknown word is malformed', async () => {
    expect(await catchRejection(read({ transId: 'tr1', titleId: 't1', status: 'perhaps' }))).toMatchObject({ field: 'status' });
  });
});

describe('owning', () => {
  test('of a title and of a transaction [S7.user/has-title]', async () => {
    const { api, asked } = environment([
      json({ hasTitle: true, titleId: 't1', instanceId: 'i1' }),
      json({ hasTitle: false, instanceId: 'i1' }),
    ]);
    expect(await fetchOwnCopyId(api, { titleId: 't1' })).toBe('i1');
    expect(await fetchOwnCopyId(api, { transId: 'tr1' })).toBeNull();
    expect(asked.map(({ query }) => query)).toEqual([
      { titleid: 't1', shelfid: 'demo' },
      { transId: 'tr1', shelfid: 'demo' },
    ]);
  });
});

test('a receipt [S7.purchase/info]', async () => {
  const receipt = { ...grant, name: 'Log', amount: 9.9, currency: 'USD', symbol: '$', paidAt: '2026-11-21T10:00:00Z' };
  const { api } = environment([json({ ...receipt, isGift: false })]);
  expect(await fetchReceipt(api, { transId: 'tr1', isGift: false })).toEqual(receipt);
});
