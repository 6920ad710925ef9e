import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../support/customers.ts';
import { startPayment, CARD_NUMBERS, submitCardForm } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());
const newCustomer = async () => createCustomer(shop, await shop.store());

test.each([
  ['zh', '支付', '€9.90'],
  ['es', 'Número de tarjeta', '9,90'],
  ['fr', 'Numéro de carte', '9,90'],
  ['it', 'Numero della carta', '9,90'],
  ['tlh', 'Card number', '€9.90'],
  ['est', 'Card number', '€9.90'],
])('the page is in the language %s, by its address or the visitor’s Accept-Language', async (code, words, amount) => {
  const customer = await newCustomer();
  const { url } = await startPayment(shop, customer, 'book');
  const asked = await (await fetch(`${url}?lang=${code}`)).text();
  const query = { ...customer.query, titleId: 'sound' };
  const session = await shop.ask('paymentSession', '/payment/session', {
    query,
    headers: { 'accept-language': `${code};q=0.9` },
  });
  const visited = await (await fetch((session.value as { url: string }).url)).text();
  expect(asked).toContain(amount);
  for (const html of [asked, visited]) expect(html).toContain(words);
});

test.each([
  ['fr', 'fr'],
  ['zh-Hans-CN, en;q=0.9', 'zh'],
  ['es;q=0.5, fr;q=0.9', 'fr'],
  ['IT', 'it'],
  ['en-GB,fr', 'en'],
  ['tlh, fr', null],
  ['est', null],
  ['*', null],
])('the preferred language of %j is in the page’s address: %s', async (wishes, lang) => {
  const query = { ...(await newCustomer()).query, titleId: 'book' };
  // The same payment, started before in another language.
  await shop.ask('paymentSession', '/payment/session', { query, headers: { 'accept-language': 'it' } });
  const { value } = await shop.ask('paymentSession', '/payment/session', { query, headers: { 'accept-language': wishes } });
  const { url } = value as { url: string };
  expect(new URL(url).searchParams.get('lang')).toBe(lang);
  expect(await (await fetch(url)).text()).toContain(`<html lang="${lang ?? 'it'}">`);
});

test('the page keeps the language of its address after a refused card', async () => {
  const query = { ...(await newCustomer()).query, titleId: 'book' };
  const { value } = await shop.ask('paymentSession', '/payment/session', { query, headers: { 'accept-language': 'fr' } });
  const { url } = value as { url: string };
  const refused = await submitCardForm(url, CARD_NUMBERS.declined);
  const again = await fetch(new URL(refused.headers.get('location') ?? '', url), { headers: { 'accept-language': 'en' } });
  expect(await again.text()).toContain('<html lang="fr">');
});

test('a resumed payment is in the language of the visitor who opens it, not that of its start', async () => {
  const customer = await newCustomer();
  const query = { ...customer.query, titleId: 'book' };
  const { value } = await shop.ask('paymentSession', '/payment/session', { query, headers: { 'accept-language': 'it' } });
  const { url, transId } = value as { url: string; transId: string };
  const status = await shop.ask('sessionStatus', '/checkout/session/status', {
    query: { ...customer.query, transId },
    headers: { 'accept-language': 'zh' },
  });
  const again = await fetch((status.value as { url: string }).url, { headers: { 'accept-language': 'en' } });
  expect(await again.text()).toContain('<html lang="zh">');
  const plain = new URL(url);
  plain.search = '';
  for (const [wishes, language] of [
    ['es-ES, en;q=0.5', 'es'],
    ['tlh', 'it'],
  ] as const)
    expect(await (await fetch(plain, { headers: { 'accept-language': wishes } })).text()).toContain(`<html lang="${language}">`);
});
