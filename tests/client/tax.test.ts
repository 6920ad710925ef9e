import { afterEach, expect, test } from 'vitest';
import { taxIn } from '../../machines/model/buying/tax.ts';
import { confirmedTax, taxQuery, taxWhereTheyLive } from '../../src/client/payment/tax.ts';
import { safeLocalStorage } from '../../src/storage/storage.ts';
import { json, rejection, world } from '../support/client/world.ts';

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
const answer = (more: object = {}) => json({ currency: 'EUR', ...quote, ...more });
const refused = (code: string) => json({ error: 'No.', status: 409, code }, 409);

afterEach(() => safeLocalStorage.removeItem('colophon.place.'));

test('tax is asked for the price that is shown, and where a customer lives is known the next time', async () => {
  const { api, asked } = world([answer({ country: null, needs: 'country' }), answer(), answer()]);
  expect(await taxWhereTheyLive(api, request, signal)).toMatchObject({ needs: 'country' });
  expect(asked[0]).toMatchObject({ path: '/api/tax', query: { titleid: 't1', price: '9.9', currency: 'EUR', code: 'HALF' } });
  expect(asked[0]?.query).not.toHaveProperty('country');
  expect(await taxWhereTheyLive(api, { ...request, place: { country: 'FR', region: null } }, signal)).toEqual(quote);
  await taxWhereTheyLive(api, request, signal);
  expect(asked[2]?.query).toMatchObject({ country: 'FR' });
});

test('a country to which the store no longer sells is chosen anew; any other refusal is told', async () => {
  const { api, asked } = world([
    answer(),
    refused('country_not_served'),
    answer({ country: null, needs: 'country' }),
    refused('price_changed'),
  ]);
  await taxWhereTheyLive(api, { ...request, place: { country: 'FR', region: null } }, signal);
  expect(await taxWhereTheyLive(api, request, signal)).toMatchObject({ needs: 'country' });
  expect(asked[2]?.query).not.toHaveProperty('country');
  expect(await rejection(taxWhereTheyLive(api, request, signal))).toMatchObject({ code: 'price_changed' });
});

test('what was shown goes along with the payment and its confirmation, and nothing where no tax is added', () => {
  const tax = {
    place: { country: 'US', region: 'CA' },
    taxPrice: 0.72,
    priceWithTax: 10.62,
    rates: [{ name: 'Sales tax', percent: 7.25, amount: 0.72 }],
  };
  expect(taxQuery(tax)).toEqual({ country: 'US', region: 'CA', taxPrice: 0.72, priceWithTax: 10.62 });
  expect(confirmedTax(tax)).toEqual({
    country: 'US',
    cardCountry: 'US',
    cardState: 'CA',
    taxPrice: 0.72,
    priceWithTax: 10.62,
    taxRates: '[{"name":"Sales tax","percent":7.25}]',
  });
  expect([taxQuery(null), confirmedTax(undefined)]).toEqual([{}, {}]);
});

const partly = (more: object) => json({ price: 9.9, ...more });
const place = { country: 'FR', region: null };
const rate = { name: 'TVA', percent: 5.5 };
const asked = { ...request, place };

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
])('an answer with %s says the same', async (_, said, more) => {
  const { api } = world([partly(said)]);
  expect(await taxWhereTheyLive(api, asked, signal)).toMatchObject({
    price: 9.9,
    taxPrice: 0.54,
    priceWithTax: 10.44,
    taxRates: [{ ...rate, amount: 0.54 }],
    country: 'FR',
    ...more,
  });
});

test('amounts of several rates come to the tax, in the decimals of the currency', async () => {
  const said = {
    price: 1001,
    taxPrice: 101,
    priceWithTax: 1102,
    taxRates: [
      { name: 'A', percent: 8 },
      { name: 'B', percent: 2 },
    ],
  };
  const { api } = world([json(said)]);
  const yen = { amount: 1001, currency: 'JPY', symbol: '¥' };
  const { taxRates } = await taxWhereTheyLive(api, { ...asked, price: yen }, signal);
  expect(taxRates.map(({ amount }) => amount)).toEqual([80, 21]);
});

test('a server that knows no places is paid without one', async () => {
  const { api } = world([json({ taxPrice: 1, priceWithTax: 10.9 })]);
  expect(taxIn(await taxWhereTheyLive(api, request, signal))).toMatchObject({ taxPrice: 1, priceWithTax: 10.9 });
});
