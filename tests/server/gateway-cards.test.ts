import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGateway } from '../../server/gateway/app.ts';
import type { PaymentPort } from '../../server/payment/port.ts';
import { testGateway } from '../../server/payment/test-gateway.ts';
import { tokenIn } from './support/cards.ts';
import { CARDS, pay, post } from './support/paying.ts';

const SECRET = 'the secret of the tests';
const MINUTE = 60_000;
const shopUrl = 'http://shop.example/account';
const customer = 's1/u1';

let folder: string;
let gateway: ReturnType<typeof createGateway>;
let port: PaymentPort;
let now: number;

const open = async () => {
  gateway = createGateway({ folder, secret: SECRET, now: () => now });
  await gateway.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;
  port = testGateway({ origin, secret: SECRET, timeout: 1500 });
};
beforeEach(async () => {
  now = Date.now();
  folder = await mkdtemp(join(tmpdir(), 'colophon-gateway-'));
  await open();
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

const start = (language = 'en') => port.startSetup({ customer, shopName: 'Books <of> s1', returnUrl: shopUrl, language });
/** The page that sending the card form leads to. */
const shownAfter = async (url: string, form: Record<string, string>): Promise<string> => {
  const answer = await post(url, form);
  return (await fetch(new URL(answer.headers.get('location') ?? '', url))).text();
};
const step = (url: string, name: string): string => {
  const [page, query = ''] = url.split('?');
  return `${page}/${name}?${query}`;
};

describe('the page that keeps a card', () => {
  test.each([
    ['en', 'Save a card', 'Your card won’t be charged now.'],
    ['zh', '保存银行卡', '现在不会从您的卡扣款。'],
    ['es', 'Guardar una tarjeta', 'Ahora no se hará ningún cargo en tu tarjeta.'],
    ['fr', 'Enregistrer une carte', 'Votre carte ne sera pas débitée maintenant.'],
    ['it', 'Salva una carta', 'Per ora sulla tua carta non verrà addebitato nulla.'],
  ])('speaks %s, and names no price', async (language, title, note) => {
    const page = await fetch(await start(language));
    const html = await page.text();
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain(`<h1 class="lead">${title}</h1>`);
    expect(html).toContain(note);
    expect(html).toContain('Books &lt;of&gt; s1');
    expect(html).not.toMatch(/undefined|[$€]/);
    for (const name of ['number', 'expiry', 'cvc', 'name']) expect(html).toContain(`<input id="${name}" name="${name}"`);
    for (const card of Object.values(CARDS)) expect(html).toContain(card);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self' http://shop.example;");
  });

  test('leads back with a token that is neither in its address nor the card’s own', async () => {
    const url = await start();
    const back = await pay(url, CARDS.good);
    expect(back.status).toBe(303);
    expect(back.headers.get('location')).toMatch(/^http:\/\/shop\.example\/account\?cardtoken=setup_[\w-]{32}$/);
    const token = tokenIn(back) ?? '';
    expect(url).not.toContain(token);
    const card = await port.claimSetup(token, customer);
    expect(card).toMatchObject({ brand: 'Visa', last4: '4242', expMonth: 12, expYear: 2040 });
    expect(JSON.stringify(card)).not.toContain('42424242');
    expect(card?.token).not.toBe(token);
  });

  test('says that a card was declined, and keeps what was typed but number and code', async () => {
    const html = await shownAfter(await start(), { number: CARDS.declined, expiry: '12/34', cvc: '123', name: 'Ann "A" Reader' });
    expect(html).toContain('Your card was declined. Try another card.');
    for (const value of ['12/34', 'Ann &quot;A&quot; Reader']) expect(html).toContain(`value="${value}"`);
    for (const secret of ['value="4000', 'value="123"']) expect(html).not.toContain(secret);
  });

  test('says what is wrong with each field', async () => {
    const html = await shownAfter(await start(), { number: '4242 4242 4242 4241', expiry: '01/20', cvc: '1', name: '' });
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(4);
    expect(html).toContain('Please check the details below.');
  });

  test('after five declined cards takes no more, and leads back without a card', async () => {
    const url = await start();
    for (let time = 0; time < 5; time += 1) await pay(url, CARDS.declined);
    const page = await fetch(url);
    expect(page.status).toBe(410);
    const html = await page.text();
    expect(html).toContain('Too many cards were declined. No card was saved.');
    expect(html).toContain(`href="${shopUrl}"`);
    expect((await pay(url, CARDS.good)).headers.get('location')).toContain('/setup/');
  });

  test('leads back without a card when it is cancelled, now and later', async () => {
    const url = await start();
    expect((await post(step(url, 'cancel'), {})).headers.get('location')).toBe(shopUrl);
    expect((await fetch(url, { redirect: 'manual' })).headers.get('location')).toBe(shopUrl);
    expect((await pay(url, CARDS.good)).headers.get('location')).toBe(shopUrl);
  });

  test('asks the bank where the card wants it', async () => {
    const url = await start('fr');
    const asked = await shownAfter(url, { number: CARDS.challenge, expiry: '12/40', cvc: '123', name: 'Ann' });
    expect(asked).toContain('Approuvez votre carte');
    expect(asked).not.toContain('paiement de');
    const refused = await post(step(url, 'challenge'), { answer: 'fail' });
    expect(await (await fetch(new URL(refused.headers.get('location') ?? '', url))).text()).toContain(
      'Votre banque n’a pas approuvé cette carte.',
    );
    expect(tokenIn(await post(step(url, 'challenge'), { answer: 'approve' }))).toBeNull();
    await pay(url, CARDS.challenge);
    const token = tokenIn(await post(step(url, 'challenge'), { answer: 'approve' })) ?? '';
    expect(await port.claimSetup(token, customer)).toMatchObject({ last4: '3184' });
  });

  test('for an unknown card page', async () => {
    const page = await fetch(new URL('/setup/seti_nothing', await start()));
    expect(page.status).toBe(404);
    expect(await page.text()).toContain('This page is no longer valid.');
  });
});

describe('a token', () => {
  test('is good for its customer alone', async () => {
    const token = tokenIn(await pay(await start(), CARDS.good)) ?? '';
    for (const other of ['s1/u2', 's2/u1', '', 's1/u1 ']) {
      const claimed = other === '' ? undefined : await port.claimSetup(token, other);
      expect(claimed, other).toBeUndefined();
    }
    expect(await port.claimSetup(token, customer)).toBeDefined();
  });

  test('gives the same card however often it is asked, until the card is forgotten', async () => {
    const url = await start();
    const token = tokenIn(await pay(url, CARDS.good)) ?? '';
    const card = await port.claimSetup(token, customer);
    expect(await port.claimSetup(token, customer)).toEqual(card);
    // Back to the gateway's page leads to the shop, without the token.
    expect((await fetch(url, { redirect: 'manual' })).headers.get('location')).toBe(shopUrl);
    await port.forgetCard(card?.token ?? '');
    await port.forgetCard(card?.token ?? '');
    expect(await port.claimSetup(token, customer)).toBeUndefined();
  });

  test('of a card that is there already names the one that it replaces', async () => {
    const claim = async (number: string, of = customer) => {
      const url = await port.startSetup({ customer: of, shopName: 'A', returnUrl: shopUrl, language: 'en' });
      return port.claimSetup(tokenIn(await pay(url, number)) ?? '', of);
    };
    const first = await claim(CARDS.good);
    expect(first?.replaces).toEqual([]);
    expect((await claim(CARDS.good, 's1/u2'))?.replaces).toEqual([]);
    expect((await claim('4242424242424242'))?.replaces).toEqual([first?.token]);
  });

  test('is over after an hour, and so is a page that nobody has finished', async () => {
    const [finished, left] = [await start(), await start()];
    now += 59 * MINUTE;
    const token = tokenIn(await pay(finished, CARDS.good)) ?? '';
    now += 2 * MINUTE;
    const page = await fetch(left);
    expect(page.status).toBe(410);
    expect(await page.text()).toContain('This page is no longer valid.');
    expect(tokenIn(await pay(left, CARDS.good))).toBeNull();
    // The card has an hour of its own, from when it was typed.
    now += 57 * MINUTE;
    expect(await port.claimSetup(token, customer)).toBeDefined();
    now += 2 * MINUTE;
    expect(await port.claimSetup(token, customer)).toBeUndefined();
  });

  test('survives the end of the gateway, and so does what was forgotten', async () => {
    const token = tokenIn(await pay(await start(), CARDS.good)) ?? '';
    await gateway.close();
    await open();
    const card = await port.claimSetup(token, customer);
    expect(card).toBeDefined();
    await gateway.close();
    await open();
    expect(await port.claimSetup(token, customer)).toEqual(card);
    await port.forgetCard(card?.token ?? '');
    await gateway.close();
    await open();
    expect(await port.claimSetup(token, customer)).toBeUndefined();
  });
});
