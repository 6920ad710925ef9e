import { appendFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGateway } from '../../../server/gateway/app.ts';
import { parseExpiry, passesLuhn, validateCard } from '../../../server/gateway/cards.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { startPayment, CARD_NUMBERS, confirmPayment, submitCardForm, postFields, readSessionStatus } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());
const newCustomer = async () => {
  customer = await createCustomer(shop, await shop.store());
  return customer;
};

/** Submits the card form. @returns the HTML of the page that follows */
const postForm = async (url: string, form: Record<string, string>): Promise<string> => {
  const response = await postFields(url, form);
  return (await fetch(new URL(response.headers.get('location') ?? '', url))).text();
};

describe('the hosted page', () => {
  test('the hosted page shows shop, title and amount, escaped, with a label for each field', async () => {
    const { url } = await startPayment(shop, await newCustomer(), 'book');
    const page = await fetch(url);
    const html = await page.text();
    expect(html).toContain(`Pay Books &lt;of&gt; ${customer.store}`);
    expect(html).toContain('<h1>The Salt &lt;Road&gt; &amp; Other &quot;Ways&quot;</h1>');
    expect(html).toContain('€9.90');
    for (const name of ['number', 'expiry', 'cvc', 'name']) {
      expect(html).toContain(`<label for="${name}">`);
      expect(html).toContain(`<input id="${name}" name="${name}"`);
    }
    for (const card of Object.values(CARD_NUMBERS)) expect(html).toContain(card);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/form-action 'self' http:\/\/\S+;/);
  });

  test('the hosted page shows the error of each field, keeps no number, and charges nothing', async () => {
    const { url, transId } = await startPayment(shop, await newCustomer(), 'book');
    const html = await postForm(url, { number: '4242 4242 4242 4241', expiry: '01/20', cvc: '1', name: '' });
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(4);
    expect(html).toContain('role="alert"');
    expect(html).toContain('This card has expired.');
    expect(html).not.toContain('value="4242');
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'pending' });
  });

  test('an invalid form redirects to a page that can be reloaded, with the input except number and code', async () => {
    const { url } = await startPayment(shop, await newCustomer(), 'book');
    const spanishUrl = `${url.split('?')[0]}?lang=es`;
    const form = { number: CARD_NUMBERS.good, expiry: '12/34', cvc: '12', name: 'Ana "Sal" Ruiz', keep: 'yes' };
    const response = await postFields(spanishUrl, form);
    expect(response.status).toBe(303);
    const page = new URL(response.headers.get('location') ?? '', url);
    for (const time of ['first', 'reloaded']) {
      const html = await (await fetch(page)).text();
      expect(html, time).toContain('Escribe el código de seguridad de 3 o 4 cifras de tu tarjeta.');
      expect(html, time).toContain('value="12/34"');
      expect(html, time).toContain('value="Ana &quot;Sal&quot; Ruiz"');
      expect(html, time).toContain('value="yes" checked');
      for (const secret of ['value="4242', 'value="12"']) expect(html, time).not.toContain(secret);
    }
  });

  test('the hosted page keeps the name and the date after a declined card', async () => {
    const { url } = await startPayment(shop, await newCustomer(), 'book');
    const html = await postForm(url, { number: CARD_NUMBERS.declined, expiry: '12/34', cvc: '123', name: 'A Reader' });
    expect(html).toContain('Your card was declined. Try another card.');
    expect(html).not.toContain('aria-invalid');
    for (const value of ['12/34', 'A Reader']) expect(html).toContain(`value="${value}"`);
    for (const secret of ['value="4000', 'value="123"']) expect(html).not.toContain(secret);
  });

  test('the hosted page is 404 for an unknown payment', async () => {
    const page = await fetch(`${shop.gateway.origin}/pay/pi_nothing`);
    expect(page.status).toBe(404);
    expect(await page.text()).toContain('We couldn’t find this payment.');
  });

  test('the hosted page redirects to the shop when nothing is left to pay', async () => {
    const { url, transId } = await startPayment(shop, await newCustomer(), 'book');
    await submitCardForm(url, CARD_NUMBERS.good);
    for (const response of [await fetch(url, { redirect: 'manual' }), await submitCardForm(url, CARD_NUMBERS.good)])
      expect(response.headers.get('location')).toContain(`/checkout/complete?transId=${transId}&intentId=`);
  });
});

describe('a card that needs the bank’s approval', () => {
  const startChallenge = async () => {
    const session = await startPayment(shop, await newCustomer(), 'book');
    const page = await submitCardForm(session.url, CARD_NUMBERS.challenge);
    expect(await (await fetch(new URL(page.headers.get('location') ?? '', session.url))).text()).toContain(
      'Approve your payment',
    );
    return session;
  };

  test('a payment is authorised when the customer approves it at the bank', async () => {
    const { url, transId } = await startChallenge();
    const redirect = await postFields(`${url}/challenge`, { answer: 'approve' });
    expect(redirect.headers.get('location')).toContain('intentId=');
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
  });

  test('a payment without the bank’s approval is refused, and another card can be tried', async () => {
    const { url, transId } = await startChallenge();
    expect((await postFields(`${url}/challenge`, { answer: 'fail' })).headers.get('location')).toContain('/pay/');
    expect(await (await fetch(url)).text()).toContain('Your bank didn’t approve the payment.');
    expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ code: 'not_authorized' });
    await submitCardForm(url, CARD_NUMBERS.good);
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
  });

  test('an answer to a challenge that was never shown approves nothing', async () => {
    const { url, transId } = await startPayment(shop, await newCustomer(), 'book');
    await postFields(`${url}/challenge`, { answer: 'approve' });
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'pending' });
  });
});

describe('a saved card', () => {
  const saveCard = async (number: string, answer?: string) => {
    const { url, transId } = await startPayment(shop, await newCustomer(), 'book');
    await submitCardForm(url, number, { keep: 'yes' });
    if (answer) await postFields(`${url}/challenge`, { answer });
    await confirmPayment(shop, customer, transId);
    const { value } = await shop.call('allCards', '/card/all', { query: customer.query });
    return (value as { Card: { CardId: string }[] }).Card;
  };
  const buy = (cardId: string, titleId: string, overrides = {}) =>
    shop.call('purchaseTitle', '/purchase/title', { query: { ...customer.query, cardId, titleId, ...overrides } });

  test('a saved card is known to the shop only by its last digits, and pays for the next title at once', async () => {
    const [card] = await saveCard(CARD_NUMBERS.good);
    expect(card).toEqual({
      CardId: expect.any(String),
      Brand: 'Visa',
      LastFour: '4242',
      ExpiryMonth: 12,
      ExpiryYear: 2040,
      Default: true,
    });
    const rows = await shop.db.selectFrom('cards').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/4242 ?4242/);
    expect((await buy(card?.CardId ?? '', 'sound', { Price: 1 })).value).toMatchObject({ code: 'price_changed', price: 12 });
    expect((await buy(card?.CardId ?? '', 'sound', { Price: 12, currency: 'EUR' })).value).toMatchObject({
      status: 'paid',
      titleId: 'sound',
      url: null,
    });
    expect((await buy(card?.CardId ?? '', 'sound')).value).toMatchObject({ code: 'already_owned' });
  });

  test('a saved card that needs approval leaves the payment open, with the page for the approval', async () => {
    const [card] = await saveCard(CARD_NUMBERS.challenge, 'approve');
    const { value } = await buy(card?.CardId ?? '', 'sound');
    const { url, transId } = value as { url: string; transId: string };
    expect(value).toMatchObject({ status: 'pending' });
    await postFields(`${url}/challenge`, { answer: 'approve' });
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
  });

  test('a saved card that the gateway no longer has is refused, and the title can be bought in another way', async () => {
    const [card] = await saveCard(CARD_NUMBERS.good);
    await shop.db
      .updateTable('cards')
      .set({ gateway_card: 'card_gone' })
      .where('id', '=', card?.CardId ?? '')
      .execute();
    expect((await buy(card?.CardId ?? '', 'sound')).value).toMatchObject({ status: 402, code: 'payment_failed' });
    expect(await startPayment(shop, customer, 'sound')).toMatchObject({ provider: 'test' });
  });

  test('a saved card cannot be used by another customer', async () => {
    const [card] = await saveCard(CARD_NUMBERS.good);
    await newCustomer();
    expect((await buy(card?.CardId ?? '', 'sound')).status).toBe(404);
  });
});

test('calls to the gateway without the secret are refused', async () => {
  for (const authorization of ['', 'Bearer wrong', shop.gateway.secret])
    expect((await fetch(`${shop.gateway.origin}/api/intents?reference=x`, { headers: { authorization } })).status).toBe(401);
});

test('the journal restores every payment, except for a truncated line', async () => {
  const otherShop = await openShop();
  const buyer = await createCustomer(otherShop, await otherShop.store());
  const { transId, url } = await startPayment(otherShop, buyer, 'book');
  await submitCardForm(url, CARD_NUMBERS.good);
  const { folder, secret, port } = otherShop.gateway;
  const intent = await port.readByReference(`${buyer.store}/${transId}`);
  await expect(async () => createGateway({ folder, secret })).rejects.toThrow(/in use by the process/);
  await otherShop.stopGateway();
  await appendFile(`${folder}/journal.jsonl`, '{"kind":"intent","inten');
  const restoredGateway = createGateway({ folder, secret });
  const response = await restoredGateway.inject({
    url: `/api/intents/${intent?.id}`,
    headers: { authorization: `Bearer ${secret}` },
  });
  expect(response.json()).toMatchObject({ id: intent?.id, state: 'authorized' });
  await restoredGateway.close();
  await otherShop.close();
});

test.each([
  ['12/40', { month: 12, year: 2040 }],
  [' 1 / 2040 ', { month: 1, year: 2040 }],
  ['0140', { month: 1, year: 2040 }],
  ['13/40', undefined],
  ['40', undefined],
  ['', undefined],
])('the expiry date %j is parsed, or refused when it is invalid', (text, expected) => {
  expect(parseExpiry(text)).toEqual(expected);
});

test('a card is valid until the end of its month', () => {
  const card = { number: CARD_NUMBERS.good, cvc: '123', name: 'A', expiry: '08/31' };
  expect(validateCard(card, new Date('2031-08-31T23:00:00Z'))).toEqual([]);
  expect(validateCard(card, new Date('2031-09-01T00:00:00Z'))).toEqual(['expired']);
});

test('a card number is accepted only with the right check digit', () => {
  for (const number of Object.values(CARD_NUMBERS)) expect(passesLuhn(number)).toBe(true);
  for (const number of ['4242 4242 4242 4243', '42', '', 'abcd efgh ijkl mnop', '4'.repeat(30)])
    expect(passesLuhn(number)).toBe(false);
});
