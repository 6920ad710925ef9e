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
import { config, json, catchRejection, createFakeServer, xml } from '../../support/client/fake-environment.ts';

const key = 'attempt-0001';
const price = { amount: 9.9, currency: 'USD', symbol: '$' };
const titleRequest = { titleId: 't1', price, key, code: '', tax: null, giftInfo: undefined };
const session = { ...titleRequest, method: null };
const cardRequest = { ...titleRequest, cardId: 'card1', country: undefined };
const grant = { transId: 'tr1', titleId: 't1', instanceId: 'i1' };

test('a payment session is requested with the title, its price and a key [S7.payment/session]', async () => {
  const response = { transId: 'tr1', provider: 'test', url: 'https://pay.test/p/1' };
  const { api, requests } = createFakeServer([json({ ...response, unknown: 1 })]);
  expect(await startTitlePayment(api, session)).toEqual(response);
  expect(requests[0]).toMatchObject({
    path: '/api/payment/session',
    query: { titleId: 't1', price: '9.9', currency: 'USD', method: 'card', shelfid: 'demo' },
    headers: { 'idempotency-key': key },
  });
});

test('a code is sent with the payment, and the discounted prices are looked up [S7.redeem/apply]', async () => {
  const prices =
    '<Prices><Price><Amount>7.92</Amount><Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol></Price></Prices>';
  const { api, requests } = createFakeServer([
    xml(`<Redemption><Kind>discount</Kind><Redeemed>false</Redeemed>${prices}</Redemption>`),
    xml(`<Redemption><Kind>discount</Kind><Redeemed>true</Redeemed>${prices}</Redemption>`),
    xml('<Redemption><Kind>title</Kind></Redemption>'),
    json({ transId: 'tr1', provider: 'test', url: 'https://pay.test/p/1' }),
    json({ transId: 'tr1', titleId: 't1', status: 'paid' }),
  ]);
  const lookup = { code: 'HALF', titleId: 't1', prices: [price] };
  expect(await fetchCodePrices(api, lookup)).toEqual([{ amount: 7.92, currency: 'EUR', symbol: '€' }]);
  const refusals = [await catchRejection(fetchCodePrices(api, lookup)), await catchRejection(fetchCodePrices(api, lookup))];
  expect(refusals.map((problem) => Reflect.get(problem as object, 'code') as string).toSorted()).toEqual([
    'code_misfit',
    'code_used',
  ]);
  await startTitlePayment(api, { ...session, code: 'HALF' });
  await buyTitleByCard(api, { ...cardRequest, code: 'HALF' });
  expect(requests[0]?.query).toMatchObject({ code: 'HALF', titleid: 't1' });
  expect(requests.slice(-2)).toMatchObject([{ query: { code: 'HALF' } }, { query: { RedeemPin: 'HALF' } }]);
});

test.each([
  [20, 'EUR', 9.99, 7.99],
  [50, 'JPY', 501, 251],
  [100, 'EUR', 9.99, 0],
])('a code with only %d%% off reduces a price in %s by that much', async (percent, currency, amount, reducedAmount) => {
  const { api } = createFakeServer([xml(`<Redemption><PercentOff>${percent}</PercentOff></Redemption>`)]);
  const prices = [{ amount, currency, symbol: '' }];
  expect(await fetchCodePrices(api, { code: 'OFF', titleId: 't1', prices })).toEqual([
    { amount: reducedAmount, currency, symbol: '' },
  ]);
});

test('a code without a discount does not apply to the title', async () => {
  const { api } = createFakeServer([xml('<Redemption><PercentOff>0</PercentOff></Redemption>')]);
  const problem = await catchRejection(fetchCodePrices(api, { code: 'OFF', titleId: 't1', prices: [price] }));
  expect(problem).toMatchObject({ kind: 'refused', code: 'code_misfit' });
});

test('a card pays with the country of its billing address [S7.purchase/title]', async () => {
  const { api, requests } = createFakeServer([json({ transId: 'tr1', titleId: 't1', status: 'paid' })]);
  await buyTitleByCard(api, { ...cardRequest, country: 'NO' });
  expect(requests[0]?.query).toMatchObject({ country: 'NO' });
});

test.each([
  ['url', { transId: 'tr1', provider: 'test', url: 'javascript:alert(1)' }],
  ['transId', { transId: '', provider: 'test', url: 'https://pay.test/' }],
])('a payment session with an invalid %s is malformed', async (field, response) => {
  const problem = await catchRejection(startTitlePayment(createFakeServer([json(response)]).api, session));
  expect(problem).toMatchObject({ kind: 'malformed', call: 'payment/session', field });
});

test('a free title is granted by its own call [S7.purchase/free]', async () => {
  const { api, requests } = createFakeServer([json({ ...grant, status: 'paid' })]);
  expect(await purchaseFreeTitle(api, { titleId: 't1', key })).toEqual(grant);
  expect(requests[0]).toMatchObject({
    path: '/api/purchase/free',
    query: { titleId: 't1' },
    headers: { 'idempotency-key': key },
  });
});

test('a saved card pays for a title [S7.purchase/title]', async () => {
  const state = { transId: 'tr1', titleId: 't1', status: 'pending', url: 'https://pay.test/challenge' };
  const { api, requests } = createFakeServer([json(state)]);
  const result = await buyTitleByCard(api, cardRequest);
  expect(result).toEqual({ ...state, intentId: null, reason: null });
  expect(requests[0]?.query).toEqual({ titleId: 't1', cardId: 'card1', Price: '9.9', currency: 'USD', shelfid: 'demo' });
});

describe('confirming', () => {
  const confirmation = { transId: 'tr1', intentId: 'in1' };
  const createTestScope = (api: Api) => createScope({ api: async () => api, address: () => ({ search: '' }) });
  beforeEach(() => {
    safeLocalStorage.removeItem('colophon.begun-payments.');
    removePendingPayments({ of: 'gift', titleId: 't1' });
    removeGiftDraft();
  });

  test('a confirmation sends its fields as the API spells them [S7.purchase/title/confirm]', async () => {
    const { api, requests } = createFakeServer([json({ ...grant, status: 'paid' })]);
    expect(await confirmPurchase(createTestScope(api), confirmation)).toEqual(grant);
    expect(requests[0]).toMatchObject({
      path: '/api/purchase/title/confirm',
      headers: { 'idempotency-key': 'confirm-tr1-in1' },
    });
    expect(requests[0]?.query).toEqual({ transactonId: 'tr1', intentId: 'in1', shelfid: 'demo' });
  });

  test('a confirmation after a bank’s page sends the card’s address, if it can be read', async () => {
    saveStartedPayment({ transId: 'tr1', paidFor: 'title', price, code: '', cardId: 'c1' });
    for (const [cards, city] of [
      [xml('<Cards><Card><CardId>c1</CardId><City>Brest</City></Card></Cards>'), 'Brest'],
      [new Response('', { status: 404 }), undefined],
    ] as const) {
      const { api, requests } = createFakeServer([cards, json({ ...grant, status: 'paid' })]);
      await confirmPurchase(createTestScope(api), confirmation);
      expect(requests.map(({ path }) => path)).toEqual(['/api/card/all', '/api/purchase/title/confirm']);
      expect(requests[1]?.query).toMatchObject({ cardId: 'c1', ...(city === undefined ? {} : { cardCity: city }) });
    }
  });

  test('a confirmation sends all that the app knows of the payment [S7.purchase/title/confirm]', async () => {
    const card = '<AddressLine1>1 Quay</AddressLine1><AddressLine2>Loft</AddressLine2><City>Brest</City><State>BRE</State>';
    const { api, requests } = createFakeServer([
      xml(`<Cards><Card><CardId>c1</CardId><Address>${card}<Country>FR</Country></Address></Card></Cards>`),
      json({ ...grant, status: 'paid' }),
    ]);
    const scope = createTestScope(api);
    await fetchCards(api, new AbortController().signal, scope.scoped(createBillingAddresses));
    const rates = [{ name: 'TVA', percent: 5.5, amount: 0.54 }];
    const tax = { place: { country: 'FR', region: null }, taxPrice: 0.54, priceWithTax: 10.44, rates };
    saveStartedPayment({ transId: 'tr1', paidFor: 'gift', price, code: 'HALF', cardId: 'c1', tax });
    savePendingPayment({ of: 'gift', titleId: 't1', titleIds: null, price }, { key: 'g1', transId: 'tr1', code: '' });
    saveGiftDraft('t1', { name: 'Bo Quay', email: 'bo@example.com', message: 'Hello', day: '' });
    await confirmPurchase(scope, confirmation);
    const { giftInfo, ...query } = requests[1]?.query ?? {};
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
    ['a lost response', new TypeError('Failed to fetch'), true],
    ['a gateway that does not respond', json({ error: 'x', status: 502, code: 'payment_unknown' }, 502), true],
    ['a broken server', json({ error: 'x', status: 500, code: 'internal' }, 500), true],
    ['an unreadable response', json({ transId: 'tr1' }), true],
    ['a declined card', json({ error: 'x', status: 402, code: 'card_declined' }, 402), false],
    ['an expired session', json({ error: 'x', status: 401, code: 'unauthorized' }, 401), false],
  ])('a confirmation that ends with %s is sent once', async (_, reply, isUnknown) => {
    const { api, requests } = createFakeServer([reply]);
    const problem = (await catchRejection(confirmPurchase(createTestScope(api), confirmation))) as Problem;
    expect(isOutcomeUnknown(problem)).toBe(isUnknown);
    expect(requests).toHaveLength(1);
  });
});

test.each([
  ['no content', () => new Response(null, { status: 204 })],
  ['a bare success', () => json({ success: true })],
])('a free title that is answered with %s counts as owned if the library has it', async (_, createResponse) => {
  const { api } = createFakeServer([createResponse(), json({ hasTitle: true, instanceId: 'i1' })]);
  const problem = await catchRejection(purchaseFreeTitle(api, { titleId: 't1', key }));
  expect(problem).toMatchObject({ kind: 'refused', code: 'already_owned' });
  const noTitleServer = createFakeServer([createResponse(), json({ hasTitle: false })]);
  expect(await catchRejection(purchaseFreeTitle(noTitleServer.api, { titleId: 't1', key }))).toMatchObject({
    kind: 'malformed',
  });
});

describe('a card payment whose response is lost', () => {
  const createLostResponse = () => new Response('', { status: 503 });
  const startedPayment = { transId: 'tr1', paidFor: 'title' as const, price, code: '', cardId: 'c1' };
  const createPendingResponse = () => json({ transId: 'tr1', status: 'pending' });
  const createEnvironment = (api: Api) => ({ api: async () => api, address: () => ({ search: '' }) });
  const fetchStatus = (api: Api) => fetchReturnedStatus(createEnvironment(api), 'tr1', AbortSignal.timeout(1000));
  const payByCard = (api: Api) =>
    payStartedByCard(api, 'tr1', () => buyTitleByCard(api, { ...cardRequest, cardId: 'c1', key: 'card-tr1-c1' }));

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    saveStartedPayment(startedPayment);
  });
  afterEach(() => vi.useRealTimers());

  test('a lost card payment may have paid another transaction, and has an unknown state for an hour', async () => {
    const { api } = createFakeServer([createLostResponse, createPendingResponse, createPendingResponse]);
    await catchRejection(payByCard(api));
    expect(await catchRejection(fetchStatus(api))).toMatchObject({ kind: 'refused', code: 'payment_unknown' });
    vi.setSystemTime(Date.now() + 3_600_001);
    expect(await fetchStatus(api)).toMatchObject({ status: 'pending' });
  });

  test('a lost card payment is pending if the server supports payments of a pending transaction', async () => {
    const { api } = createFakeServer([createLostResponse, createPendingResponse], {
      config: { ...config, additions: ['payment/session/card'] },
    });
    await catchRejection(payByCard(api));
    expect(await fetchStatus(api)).toMatchObject({ status: 'pending' });
  });

  test('a refused card payment has paid nothing', async () => {
    const { api } = createFakeServer([json({ error: 'No', status: 402, code: 'card_declined' }, 402), createPendingResponse]);
    await catchRejection(payByCard(api));
    expect(await fetchStatus(api)).toMatchObject({ status: 'pending' });
  });

  test('a lost card payment has a known state once the next call succeeds', async () => {
    const { api } = createFakeServer([
      createLostResponse,
      json({ transId: 'tr1', status: 'authorized', intentId: 'in1' }),
      createPendingResponse,
    ]);
    await catchRejection(payByCard(api));
    saveStartedPayment(startedPayment);
    expect(await payByCard(api)).toMatchObject({ status: 'authorized' });
    expect(await fetchStatus(api)).toMatchObject({ status: 'pending' });
  });
});

describe('the session status', () => {
  const readStatus = (response: unknown) => fetchSessionStatus(createFakeServer([json(response)]).api, 'tr1');
  test('missing fields of a session status are null [S7.checkout/session/status]', async () => {
    expect(await readStatus({ transId: 'tr1', titleId: 't1', status: 'authorized', intentId: 'in1' })).toEqual({
      transId: 'tr1',
      titleId: 't1',
      status: 'authorized',
      intentId: 'in1',
      url: null,
      reason: null,
    });
  });
  test('an executable URL is dropped from a session status', async () => {
    expect(await readStatus({ transId: 'tr1', titleId: 't1', status: 'pending', url: 'javascript:x' })).toMatchObject({
      url: null,
    });
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
  ])('the session status “%s” of another server is understood', async (wireStatus, status) => {
    const intentId = status === 'authorized' ? '' : null;
    expect(await readStatus({ transId: 'tr1', titleId: 't1', status: wireStatus })).toMatchObject({ status, intentId });
  });
  test('an unknown session status is malformed', async () => {
    expect(await catchRejection(readStatus({ transId: 'tr1', titleId: 't1', status: 'perhaps' }))).toMatchObject({
      field: 'status',
    });
  });
});

describe('ownership', () => {
  test('the owned copy is requested by a title or a transaction, and is null without ownership [S7.user/has-title]', async () => {
    const { api, requests } = createFakeServer([
      json({ hasTitle: true, titleId: 't1', instanceId: 'i1' }),
      json({ hasTitle: false, instanceId: 'i1' }),
    ]);
    expect(await fetchOwnCopyId(api, { titleId: 't1' })).toBe('i1');
    expect(await fetchOwnCopyId(api, { transId: 'tr1' })).toBeNull();
    expect(requests.map(({ query }) => query)).toEqual([
      { titleid: 't1', shelfid: 'demo' },
      { transId: 'tr1', shelfid: 'demo' },
    ]);
  });
});

test('a receipt has the copy, the name and the amount paid [S7.purchase/info]', async () => {
  const receipt = { ...grant, name: 'Log', amount: 9.9, currency: 'USD', symbol: '$', paidAt: '2026-11-21T10:00:00Z' };
  const { api } = createFakeServer([json({ ...receipt, isGift: false })]);
  expect(await fetchReceipt(api, { transId: 'tr1', isGift: false })).toEqual(receipt);
});
