import { afterEach, expect, test } from 'vitest';
import { toTax } from '../../machines/model/buying/tax.ts';
import { toConfirmedTax, toTaxQuery, fetchTaxAtResidence } from '../../src/client/payment/tax.ts';
import { safeLocalStorage } from '../../src/storage/storage.ts';
import { json, catchRejection, createFakeServer } from '../support/client/fake-environment.ts';

const signal = new AbortController().signal;
const price = { amount: 9.9, currency: 'EUR', symbol: '€' };
const request = { titleId: 't1', price, code: 'HALF', place: null };
const quote = {
  price: 9.9,
  taxPrice: 0.54,
  priceWithTax: 10.44,
  taxRates: [{ name: 'TVA', percent: 5.5, amount: 0.54 }],
  country: 'FR',
  region: null,
  countries: [],
  regions: [],
};
const quoteResponse = (moreFields: object = {}) => json({ currency: 'EUR', ...quote, ...moreFields });
const refusedResponse = (code: string) => json({ error: 'No.', status: 409, code }, 409);

afterEach(() => safeLocalStorage.removeItem('colophon.place.'));

test('tax is requested for the displayed price and the country that the customer last chose', async () => {
  const { api, requests } = createFakeServer([
    quoteResponse({ country: null, needs: 'country' }),
    quoteResponse(),
    quoteResponse(),
  ]);
  expect(await fetchTaxAtResidence(api, request, signal)).toMatchObject({ needs: 'country' });
  expect(requests[0]).toMatchObject({ path: '/api/tax', query: { titleid: 't1', price: '9.9', currency: 'EUR', code: 'HALF' } });
  expect(requests[0]?.query).not.toHaveProperty('country');
  expect(await fetchTaxAtResidence(api, { ...request, place: { country: 'FR', region: null } }, signal)).toEqual(quote);
  await fetchTaxAtResidence(api, request, signal);
  expect(requests[2]?.query).toMatchObject({ country: 'FR' });
});

test('a country where the store no longer sells must be chosen again; other refusals are shown', async () => {
  const { api, requests } = createFakeServer([
    quoteResponse(),
    refusedResponse('country_not_served'),
    quoteResponse({ country: null, needs: 'country' }),
    refusedResponse('price_changed'),
  ]);
  await fetchTaxAtResidence(api, { ...request, place: { country: 'FR', region: null } }, signal);
  expect(await fetchTaxAtResidence(api, request, signal)).toMatchObject({ needs: 'country' });
  expect(requests[2]?.query).not.toHaveProperty('country');
  expect(await catchRejection(fetchTaxAtResidence(api, request, signal))).toMatchObject({ code: 'price_changed' });
});

test('the displayed tax is sent with the payment and its confirmation; nothing is sent without tax', () => {
  const tax = {
    place: { country: 'US', region: 'CA' },
    taxPrice: 0.72,
    priceWithTax: 10.62,
    rates: [{ name: 'Sales tax', percent: 7.25, amount: 0.72 }],
  };
  expect(toTaxQuery(tax)).toEqual({ country: 'US', region: 'CA', taxPrice: 0.72, priceWithTax: 10.62 });
  expect(toConfirmedTax(tax)).toEqual({
    country: 'US',
    cardCountry: 'US',
    cardState: 'CA',
    taxPrice: 0.72,
    priceWithTax: 10.62,
    taxRates: '[{"name":"Sales tax","percent":7.25}]',
  });
  expect([toTaxQuery(null), toConfirmedTax(undefined)]).toEqual([{}, {}]);
});

const partialResponse = (moreFields: object) => json({ price: 9.9, ...moreFields });
const place = { country: 'FR', region: null };
const rate = { name: 'TVA', percent: 5.5 };
const expectedRequest = { ...request, place };

test.each([
  ['a rate without its amount', { ...quote, taxRates: [rate] }, {}],
  ['no price', { ...quote, price: undefined }, {}],
  ['no country', { ...quote, country: undefined }, {}],
  ['no total tax', { ...quote, taxPrice: undefined }, {}],
  ['neither a total tax nor amounts', { ...quote, taxPrice: undefined, taxRates: [rate] }, {}],
  ['no price with tax', { ...quote, priceWithTax: undefined }, {}],
  ['rates alone', { taxRates: [rate] }, {}],
  ['no rates', { ...quote, taxRates: undefined }, { taxRates: [] }],
  ['a rate without a name', { taxRates: [{ percent: 5.5 }] }, { taxRates: [] }],
  ['a rate without a percentage', { ...quote, taxRates: [{ name: 'TVA' }] }, { taxRates: [] }],
])('a tax quote with %s is completed', async (_, quoteFields, moreFields) => {
  const { api } = createFakeServer([partialResponse(quoteFields)]);
  expect(await fetchTaxAtResidence(api, expectedRequest, signal)).toMatchObject({
    price: 9.9,
    taxPrice: 0.54,
    priceWithTax: 10.44,
    taxRates: [{ ...rate, amount: 0.54 }],
    country: 'FR',
    ...moreFields,
  });
});

test('amounts at several rates add up to the tax, in the decimals of the currency', async () => {
  const quoteFields = {
    price: 1001,
    taxPrice: 101,
    priceWithTax: 1102,
    taxRates: [
      { name: 'A', percent: 8 },
      { name: 'B', percent: 2 },
    ],
  };
  const { api } = createFakeServer([json(quoteFields)]);
  const priceInYen = { amount: 1001, currency: 'JPY', symbol: '¥' };
  const { taxRates } = await fetchTaxAtResidence(api, { ...expectedRequest, price: priceInYen }, signal);
  expect(taxRates.map(({ amount }) => amount)).toEqual([80, 21]);
});

test('tax from a server without countries is accepted', async () => {
  const { api } = createFakeServer([json({ taxPrice: 1, priceWithTax: 10.9 })]);
  expect(toTax(await fetchTaxAtResidence(api, request, signal))).toMatchObject({ taxPrice: 1, priceWithTax: 10.9 });
});
