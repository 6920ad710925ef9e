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
])('the language “%s” sets the payment page’s words, by URL or by Accept-Language', async (code, text, amount) => {
  const customer = await newCustomer();
  const { url } = await startPayment(shop, customer, 'book');
  const htmlByAddress = await (await fetch(`${url}?lang=${code}`)).text();
  const query = { ...customer.query, titleId: 'sound' };
  const session = await shop.call('paymentSession', '/payment/session', {
    query,
    headers: { 'accept-language': `${code};q=0.9` },
  });
  const htmlByHeader = await (await fetch((session.value as { url: string }).url)).text();
  expect(htmlByAddress).toContain(amount);
  for (const html of [htmlByAddress, htmlByHeader]) expect(html).toContain(text);
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
])('the payment page’s URL has the language of the header %j: %s', async (acceptLanguage, lang) => {
  const query = { ...(await newCustomer()).query, titleId: 'book' };
  // Starts the same payment in another language before.
  await shop.call('paymentSession', '/payment/session', { query, headers: { 'accept-language': 'it' } });
  const { value } = await shop.call('paymentSession', '/payment/session', {
    query,
    headers: { 'accept-language': acceptLanguage },
  });
  const { url } = value as { url: string };
  expect(new URL(url).searchParams.get('lang')).toBe(lang);
  expect(await (await fetch(url)).text()).toContain(`<html lang="${lang ?? 'it'}">`);
});

test('the payment page keeps the language of its URL after a refused card', async () => {
  const query = { ...(await newCustomer()).query, titleId: 'book' };
  const { value } = await shop.call('paymentSession', '/payment/session', { query, headers: { 'accept-language': 'fr' } });
  const { url } = value as { url: string };
  const refusal = await submitCardForm(url, CARD_NUMBERS.declined);
  const nextPage = await fetch(new URL(refusal.headers.get('location') ?? '', url), { headers: { 'accept-language': 'en' } });
  expect(await nextPage.text()).toContain('<html lang="fr">');
});

test('a resumed payment is in the language of the visitor who opens it, not in that of its start', async () => {
  const customer = await newCustomer();
  const query = { ...customer.query, titleId: 'book' };
  const { value } = await shop.call('paymentSession', '/payment/session', { query, headers: { 'accept-language': 'it' } });
  const { url, transId } = value as { url: string; transId: string };
  const status = await shop.call('sessionStatus', '/checkout/session/status', {
    query: { ...customer.query, transId },
    headers: { 'accept-language': 'zh' },
  });
  const resumedPage = await fetch((status.value as { url: string }).url, { headers: { 'accept-language': 'en' } });
  expect(await resumedPage.text()).toContain('<html lang="zh">');
  const urlWithoutLanguage = new URL(url);
  urlWithoutLanguage.search = '';
  for (const [acceptLanguage, language] of [
    ['es-ES, en;q=0.5', 'es'],
    ['tlh', 'it'],
  ] as const)
    expect(await (await fetch(urlWithoutLanguage, { headers: { 'accept-language': acceptLanguage } })).text()).toContain(
      `<html lang="${language}">`,
    );
});
