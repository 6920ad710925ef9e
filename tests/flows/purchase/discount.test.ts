import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { asPriceChange } from '../../../src/client/payment/code-refusals.ts';
import { discountOn } from '../../../src/flows/purchase/offers/discount.ts';
import { forgetCode, keepCode, keptCode } from '../../../src/storage/kept-code.ts';
import { rejection, world, xml } from '../../support/client/world.ts';

const signal = new AbortController().signal;
const prices = [{ amount: 7.92, currency: 'EUR', symbol: '€' }];
const discount =
  '<Redemption><Kind>discount</Kind><Prices><Price><Amount>7.92</Amount><Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol></Price></Prices></Redemption>';
const title = { titleId: 't1', prices: [{ amount: 9.9, currency: 'EUR', symbol: '€' }] };
const refusal = (code: string, status = 409) =>
  xml(`<Error><StatusCode>${status}</StatusCode><Status>Conflict</Status><Code>${code}</Code></Error>`, status);

const goTo = (search: string) => vi.stubGlobal('location', new URL(`https://shop.test/title/purchase${search}`));

beforeEach(() => {
  forgetCode();
  goTo('?titleid=t1');
});
afterEach(() => {
  forgetCode();
  vi.unstubAllGlobals();
});

test('without a code nobody is asked', async () => {
  const { api, asked } = world([xml(discount)]);
  expect(await discountOn(api, title, signal)).toBeNull();
  expect(asked).toEqual([]);
});

test('the code of the address is used, and kept for the way back from sign-in and payment', async () => {
  const { api, asked } = world([xml(discount), xml(discount)]);
  goTo('?titleid=t1&code=HALF');
  expect(await discountOn(api, title, signal)).toEqual({ code: 'HALF', prices });
  goTo('?titleid=t1');
  expect(await discountOn(api, title, signal)).toEqual({ code: 'HALF', prices });
  expect(asked.map(({ query }) => query['code'])).toEqual(['HALF', 'HALF']);
});

test.each([
  ['code_used', ''],
  ['code_expired', ''],
  ['not_found', ''],
  ['code_misfit', 'HALF'],
  ['too_many_requests', 'HALF'],
])('a code that is refused as %s leaves the price as it is', async (code, kept) => {
  keepCode('HALF');
  const { api } = world([refusal(code)]);
  expect(await discountOn(api, title, signal)).toBeNull();
  expect(keptCode()).toBe(kept);
});

test('a code that could not be looked up shows no price that would not be paid', async () => {
  keepCode('HALF');
  const { api } = world([new TypeError('no network')]);
  expect(await rejection(discountOn(api, title, signal))).toMatchObject({ kind: 'offline' });
  expect(keptCode()).toBe('HALF');
});

test('a code that is refused at the payment is another price; any other refusal stays what it is', async () => {
  keepCode('HALF');
  const failing = (code: string) => rejection(Promise.reject({ kind: 'refused', code, message: '' }).catch(asPriceChange));
  expect(await failing('already_owned')).toMatchObject({ code: 'already_owned' });
  expect(keptCode()).toBe('HALF');
  expect(await failing('code_used')).toMatchObject({ code: 'price_changed' });
  expect(keptCode()).toBe('');
});
