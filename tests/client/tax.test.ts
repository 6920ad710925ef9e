import { afterEach, expect, test } from 'vitest';
import { confirmedTax, taxQuery, taxWhereTheyLive } from '../../src/client/tax.ts';
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
  expect([taxQuery(undefined), confirmedTax(undefined)]).toEqual([{}, {}]);
});
