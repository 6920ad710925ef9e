import { afterEach, expect, test } from 'vitest';
import { toTax } from '../../machines/model/buying/tax.ts';
import { toConfirmedTax, toTaxQuery, fetchTaxAtResidence } from '../../src/client/payment/tax.ts';
import { safeLocalStorage } from '../../src/storage/storage.ts';
import { json, catchRejection, environment } from '../support/client/fake-environment.ts';

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
const quoteResponse = (more: object = {}) => json({ currency: 'EUR', ...quote, ...more });
const refusedResponse = (code: string) => json({ error: 'No.', status: 409, code }, 409);

afterEach(() => safeLocalStorage.removeItem('colophon.place.'));

test('tax is requested for the displayed price, and the customer’s place is remembered', async () => {
  const { api, asked } = environment([quoteResponse({ country: null, needs: 'country' }), quoteResponse(), quoteResponse()]);
  expect(await fetchTaxAtResidence(api, request, signal)).toMatchObject({ needs: 'country' });
  expect(asked[0]).toMatchObject({ path: '/api/tax', query: { titleid: 't1', price: '9.9', currency: 'EUR', code: 'HALF' } });
  expect(asked[0]?.query).not.toHaveProperty('country');
  expect(await fetchTaxAtResidence(api, { ...request, place: { country: 'FR', region: null } }, signal)).toEqual(quote);
  await fetchTaxAtResidence(api, request, signal);
  expect(asked[2]?.query).toMatchObject({ country: 'FR' });
});

test('a country where the store no longer sells must be chosen again; other refusals are shown', async () => {
  const { api, asked } = environment([
    quoteResponse(),
    refusedResponse('country_not_served'),
    quoteResponse({ country: null, needs: 'country' }),
    refusedResponse('price_changed'),
  ]);
  await fetchTaxAtResidence(api, { ...request, place: { country: 'FR', region: null } }, signal);
  expect(await fetchTaxAtResidence(api, request, signal)).toMatchObject({ needs: 'country' });
  expect(asked[2]?.query).not.toHaveProperty('country');
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

const partialResponse = (more: object) => json({ price: 9.9, ...more });
const place = { country: 'FR', region: null };
const rate = { name: 'TVA', percent: 5.5 };
const expectedRequest = { ...request, place };

test.each([
  ['a rate without its amount', { ...quote, taxRates: [rate] }, {}],
  ['no price', { ...quote, price: undefined }, {}],
  ['no country', { ...quote, country: undefined }, {}],
  ['no tax in all', { ...quote, taxPrice: undefined }, {}],
  ['neither tax nor amounts', { ...quote, taxPrice: undefined, taxRates: [rate] }, {}],
  ['no total', { ...quote, priceWithTax: undefined }, {}],
  ['rates alone', { taxRates: [rate] }, {}],
  ['no rates', { ...quote, taxRates: undefined }, { taxRates: [] }],
  ['a rate without a name', { taxRates: [{ percent: 5.5 }] }, { taxRates: [] }],
  ['a rate without a percentage', { ...quote, taxRates: [{ name: 'TVA' }] }, { taxRates: [] }],
])('an answer with %s means the same', async (_, said, more) => {
  const { api } = environment([partialResponse(said)]);
  expect(await fetchTaxAtResidence(api, expectedRequest, signal)).toMatchObject({
    price: 9.9,
    taxPrice: 0.54,
    priceWithTax: 10.44,
    taxRates: [{ ...rate, amount: 0.54 }],
    country: 'FR',
    ...more,
  });
});

test('amounts at several rates add up to the tax, in the decimals of the currency', async () => {
  const said = {
    price: 1001,
    taxPrice: 101,
    priceWithTax: 1102,
    taxRates: [
      { name: 'A', percent: 8 },
      { name: 'B', percent: 2 },
    ],
  };
  const { api } = environment([json(said)]);
  const yen = { amount: 1001, currency: 'JPY', symbol: '¥' };
  const { taxRates } = await fetchTaxAtResidence(api, { ...expectedRequest, price: yen }, signal);
  expect(taxRates.map(({ amount }) => amount)).toEqual([80, 21]);
});

test('a server without places is paid without one', async () => {
  const { api } = environment([json({ taxPrice: 1, priceWithTax: 10.9 })]);
  expect(toTax(await fetchTaxAtResidence(api, request, signal))).toMatchObject({ taxPrice: 1, priceWithTax: 10.9 });
});
