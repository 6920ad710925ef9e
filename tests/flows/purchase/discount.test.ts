import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throwAsPriceChange } from '../../../src/client/payment/code-refusals.ts';
import { findDiscount } from '../../../src/flows/purchase/offers/discount.ts';
import { forgetCode, saveCode, readCode } from '../../../src/storage/stored-code.ts';
import { catchRejection, createFakeServer, xml } from '../../support/client/fake-environment.ts';

const signal = new AbortController().signal;
const prices = [{ amount: 7.92, currency: 'EUR', symbol: '€' }];
const discountXml =
  '<Redemption><Kind>discount</Kind><Prices><Price><Amount>7.92</Amount><Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol></Price></Prices></Redemption>';
const title = { titleId: 't1', prices: [{ amount: 9.9, currency: 'EUR', symbol: '€' }] };
const refusedResponse = (code: string, status = 409) =>
  xml(`<Error><StatusCode>${status}</StatusCode><Status>Conflict</Status><Code>${code}</Code></Error>`, status);

const setLocation = (search: string) => vi.stubGlobal('location', new URL(`https://shop.test/title/purchase${search}`));

beforeEach(() => {
  forgetCode();
  setLocation('?titleid=t1');
});
afterEach(() => {
  forgetCode();
  vi.unstubAllGlobals();
});

test('without a code no request is sent', async () => {
  const { api, requests } = createFakeServer([xml(discountXml)]);
  expect(await findDiscount(api, title, signal)).toBeNull();
  expect(requests).toEqual([]);
});

test('the code in the address is used, and stored for the return from sign-in and payment', async () => {
  const { api, requests } = createFakeServer([xml(discountXml), xml(discountXml)]);
  setLocation('?titleid=t1&code=HALF');
  expect(await findDiscount(api, title, signal)).toEqual({ code: 'HALF', prices });
  setLocation('?titleid=t1');
  expect(await findDiscount(api, title, signal)).toEqual({ code: 'HALF', prices });
  expect(requests.map(({ query }) => query['code'])).toEqual(['HALF', 'HALF']);
});

test.each([
  ['code_used', ''],
  ['code_expired', ''],
  ['not_found', ''],
  ['code_misfit', 'HALF'],
  ['too_many_requests', 'HALF'],
])('a code that is refused as %s leaves the price unchanged', async (code, storedCode) => {
  saveCode('HALF');
  const { api } = createFakeServer([refusedResponse(code)]);
  expect(await findDiscount(api, title, signal)).toBeNull();
  expect(readCode()).toBe(storedCode);
});

test('a code that cannot be looked up is a failure, and stays stored', async () => {
  saveCode('HALF');
  const { api } = createFakeServer([new TypeError('no network')]);
  expect(await catchRejection(findDiscount(api, title, signal))).toMatchObject({ kind: 'offline' });
  expect(readCode()).toBe('HALF');
});

test('a code refused at the payment becomes a changed price; other refusals are passed on', async () => {
  saveCode('HALF');
  const rejectWithCode = (code: string) =>
    catchRejection(Promise.reject({ kind: 'refused', code, message: '' }).catch(throwAsPriceChange));
  expect(await rejectWithCode('already_owned')).toMatchObject({ code: 'already_owned' });
  expect(readCode()).toBe('HALF');
  expect(await rejectWithCode('code_used')).toMatchObject({ code: 'price_changed' });
  expect(readCode()).toBe('');
});
