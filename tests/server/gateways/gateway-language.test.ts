import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../support/customers.ts';
import { startPayment, CARD_NUMBERS, submitCardForm } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());
const createNewCustomer = async () => createCustomer(shop, await shop.store());

test.each([
  ['zh', '支付', '€9.90'],
  ['es', 'Número de tarjeta', '9,90'],
  ['fr', 'Numéro de carte', '9,90'],
  ['it', 'Numero della carta', '9,90'],
  ['tlh', 'Card number', '€9.90'],
  ['est', 'Card number', '€9.90'],
])('for the language “%s”, by URL or Accept-Language, the payment page has the text “%s”', async (code, text, amount) => {
  const customer = await createNewCustomer();
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
])('for the header Accept-Language %j, the parameter lang of the payment page’s URL is %s', async (acceptLanguage, lang) => {
  const query = { ...(await createNewCustomer()).query, titleId: 'book' };
  // Starts the same payment in Italian first, the page's language where the URL has no parameter.
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
  const query = { ...(await createNewCustomer()).query, titleId: 'book' };
  const { value } = await shop.call('paymentSession', '/payment/session', { query, headers: { 'accept-language': 'fr' } });
  const { url } = value as { url: string };
  const refusal = await submitCardForm(url, CARD_NUMBERS.declined);
  const nextPage = await fetch(new URL(refusal.headers.get('location') ?? '', url), { headers: { 'accept-language': 'en' } });
  expect(await nextPage.text()).toContain('<html lang="fr">');
});

test('a resumed payment is in the language of the visitor who opens it, or else in that of its start', async () => {
  const customer = await createNewCustomer();
  const query = { ...customer.query, titleId: 'book' };
  const { value } = await shop.call('paymentSession', '/payment/session', { query, headers: { 'accept-language': 'it' } });
  const { url, transId } = value as { url: string; transId: string };
  const statusResponse = await shop.call('sessionStatus', '/checkout/session/status', {
    query: { ...customer.query, transId },
    headers: { 'accept-language': 'zh' },
  });
  const resumedPage = await fetch((statusResponse.value as { url: string }).url, { headers: { 'accept-language': 'en' } });
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
