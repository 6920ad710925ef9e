import { appendFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGateway } from '../../../server/gateway/app.ts';
import { parseExpiry, passesLuhn, problemsOf } from '../../../server/gateway/cards.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { begin, CARDS, confirm, pay, post, statusOf } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());
const newCustomer = async () => {
  customer = await customerOf(shop, await shop.store());
  return customer;
};

/** The page that sending the card form leads to. */
const shownAfter = async (url: string, form: Record<string, string>): Promise<string> => {
  const answer = await post(url, form);
  return (await fetch(new URL(answer.headers.get('location') ?? '', url))).text();
};

describe('the hosted page', () => {
  test('names shop, title and amount, escaped, and can be used with a screen reader', async () => {
    const { url } = await begin(shop, await newCustomer(), 'book');
    const page = await fetch(url);
    const html = await page.text();
    expect(html).toContain(`Pay Books &lt;of&gt; ${customer.store}`);
    expect(html).toContain('<h1>The Salt &lt;Road&gt; &amp; Other &quot;Ways&quot;</h1>');
    expect(html).toContain('€9.90');
    for (const name of ['number', 'expiry', 'cvc', 'name']) {
      expect(html).toContain(`<label for="${name}">`);
      expect(html).toContain(`<input id="${name}" name="${name}"`);
    }
    for (const card of Object.values(CARDS)) expect(html).toContain(card);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/form-action 'self' http:\/\/\S+;/);
  });

  test('says what is wrong with each field, keeps no number, and charges nothing', async () => {
    const { url, transId } = await begin(shop, await newCustomer(), 'book');
    const html = await shownAfter(url, { number: '4242 4242 4242 4241', expiry: '01/20', cvc: '1', name: '' });
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(4);
    expect(html).toContain('role="alert"');
    expect(html).toContain('This card has expired.');
    expect(html).not.toContain('value="4242');
    expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'pending' });
  });

  test('a form with a mistake leads to a page that may be reloaded, in its language, with what was typed but number and code', async () => {
    const { url } = await begin(shop, await newCustomer(), 'book');
    const spanish = `${url.split('?')[0]}?lang=es`;
    const form = { number: CARDS.good, expiry: '12/34', cvc: '12', name: 'Ana "Sal" Ruiz', keep: 'yes' };
    const answer = await post(spanish, form);
    expect(answer.status).toBe(303);
    const page = new URL(answer.headers.get('location') ?? '', url);
    for (const time of ['first', 'reloaded']) {
      const html = await (await fetch(page)).text();
      expect(html, time).toContain('Escribe el código de seguridad de 3 o 4 cifras de tu tarjeta.');
      expect(html, time).toContain('value="12/34"');
      expect(html, time).toContain('value="Ana &quot;Sal&quot; Ruiz"');
      expect(html, time).toContain('value="yes" checked');
      for (const secret of ['value="4242', 'value="12"']) expect(html, time).not.toContain(secret);
    }
  });

  test('a declined card leaves the name and the date in the form', async () => {
    const { url } = await begin(shop, await newCustomer(), 'book');
    const html = await shownAfter(url, { number: CARDS.declined, expiry: '12/34', cvc: '123', name: 'A Reader' });
    expect(html).toContain('Your card was declined. Try another card.');
    expect(html).not.toContain('aria-invalid');
    for (const value of ['12/34', 'A Reader']) expect(html).toContain(`value="${value}"`);
    for (const secret of ['value="4000', 'value="123"']) expect(html).not.toContain(secret);
  });

  test('for an unknown payment', async () => {
    const page = await fetch(`${shop.gateway.origin}/pay/pi_nothing`);
    expect(page.status).toBe(404);
    expect(await page.text()).toContain('We couldn’t find this payment.');
  });

  test('leads back when there is nothing left to pay', async () => {
    const { url, transId } = await begin(shop, await newCustomer(), 'book');
    await pay(url, CARDS.good);
    for (const again of [await fetch(url, { redirect: 'manual' }), await pay(url, CARDS.good)])
      expect(again.headers.get('location')).toContain(`/checkout/complete?transId=${transId}&intentId=`);
  });
});

describe('a card whose bank asks for approval', () => {
  const challenged = async () => {
    const session = await begin(shop, await newCustomer(), 'book');
    const page = await pay(session.url, CARDS.challenge);
    expect(await (await fetch(new URL(page.headers.get('location') ?? '', session.url))).text()).toContain(
      'Approve your payment',
    );
    return session;
  };

  test('is authorised when the customer approves', async () => {
    const { url, transId } = await challenged();
    const back = await post(`${url}/challenge`, { answer: 'approve' });
    expect(back.headers.get('location')).toContain('intentId=');
    expect((await confirm(shop, customer, transId)).status).toBe(200);
  });

  test('is refused when not, and another card may be tried', async () => {
    const { url, transId } = await challenged();
    expect((await post(`${url}/challenge`, { answer: 'fail' })).headers.get('location')).toContain('/pay/');
    expect(await (await fetch(url)).text()).toContain('Your bank didn’t approve the payment.');
    expect((await confirm(shop, customer, transId)).value).toMatchObject({ code: 'not_authorized' });
    await pay(url, CARDS.good);
    expect((await confirm(shop, customer, transId)).status).toBe(200);
  });

  test('an answer to a challenge that was never asked approves nothing', async () => {
    const { url, transId } = await begin(shop, await newCustomer(), 'book');
    await post(`${url}/challenge`, { answer: 'approve' });
    expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'pending' });
  });
});

describe('a kept card', () => {
  const keep = async (number: string, answer?: string) => {
    const { url, transId } = await begin(shop, await newCustomer(), 'book');
    await pay(url, number, { keep: 'yes' });
    if (answer) await post(`${url}/challenge`, { answer });
    await confirm(shop, customer, transId);
    const { value } = await shop.ask('allCards', '/card/all', { query: customer.query });
    return (value as { Card: { CardId: string }[] }).Card;
  };
  const buy = (cardId: string, titleId: string, more = {}) =>
    shop.ask('purchaseTitle', '/purchase/title', { query: { ...customer.query, cardId, titleId, ...more } });

  test('the shop knows only its last digits, and it pays for the next title at once', async () => {
    const [card] = await keep(CARDS.good);
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

  test('that asks for approval leaves the payment open, with the page to go to', async () => {
    const [card] = await keep(CARDS.challenge, 'approve');
    const { value } = await buy(card?.CardId ?? '', 'sound');
    const { url, transId } = value as { url: string; transId: string };
    expect(value).toMatchObject({ status: 'pending' });
    await post(`${url}/challenge`, { answer: 'approve' });
    expect((await confirm(shop, customer, transId)).status).toBe(200);
  });

  test('that the gateway no longer knows is refused, and the title can be bought otherwise', async () => {
    const [card] = await keep(CARDS.good);
    await shop.db
      .updateTable('cards')
      .set({ gateway_card: 'card_gone' })
      .where('id', '=', card?.CardId ?? '')
      .execute();
    expect((await buy(card?.CardId ?? '', 'sound')).value).toMatchObject({ status: 402, code: 'payment_failed' });
    expect(await begin(shop, customer, 'sound')).toMatchObject({ provider: 'test' });
  });

  test('cannot be used by another customer', async () => {
    const [card] = await keep(CARDS.good);
    await newCustomer();
    expect((await buy(card?.CardId ?? '', 'sound')).status).toBe(404);
  });
});

test('calls without the secret are refused', async () => {
  for (const authorization of ['', 'Bearer wrong', shop.gateway.secret])
    expect((await fetch(`${shop.gateway.origin}/api/intents?reference=x`, { headers: { authorization } })).status).toBe(401);
});

test('the journal restores every payment, except for a line that was cut off', async () => {
  const restarted = await openShop();
  const one = await customerOf(restarted, await restarted.store());
  const { transId, url } = await begin(restarted, one, 'book');
  await pay(url, CARDS.good);
  const { folder, secret, port } = restarted.gateway;
  const before = await port.readByReference(`${one.store}/${transId}`);
  await expect(async () => createGateway({ folder, secret })).rejects.toThrow(/in use by the process/);
  await restarted.stopGateway();
  await appendFile(`${folder}/journal.jsonl`, '{"kind":"intent","inten');
  const again = createGateway({ folder, secret });
  const read = await again.inject({ url: `/api/intents/${before?.id}`, headers: { authorization: `Bearer ${secret}` } });
  expect(read.json()).toMatchObject({ id: before?.id, state: 'authorized' });
  await again.close();
  await restarted.close();
});

test.each([
  ['12/40', { month: 12, year: 2040 }],
  [' 1 / 2040 ', { month: 1, year: 2040 }],
  ['0140', { month: 1, year: 2040 }],
  ['13/40', undefined],
  ['40', undefined],
  ['', undefined],
])('the date %j', (text, expected) => {
  expect(parseExpiry(text)).toEqual(expected);
});

test('a card is good until the end of its month', () => {
  const card = { number: CARDS.good, cvc: '123', name: 'A', expiry: '08/31' };
  expect(problemsOf(card, new Date('2031-08-31T23:00:00Z'))).toEqual([]);
  expect(problemsOf(card, new Date('2031-09-01T00:00:00Z'))).toEqual(['expired']);
});

test('the check digit of a card number', () => {
  for (const number of Object.values(CARDS)) expect(passesLuhn(number)).toBe(true);
  for (const number of ['4242 4242 4242 4243', '42', '', 'abcd efgh ijkl mnop', '4'.repeat(30)])
    expect(passesLuhn(number)).toBe(false);
});
