import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGateway } from '../../../server/gateway/app.ts';
import { passesLuhn } from '../../../server/gateway/cards.ts';
import type { IntentRequest, PaymentPort } from '../../../server/payment/port.ts';
import { testGateway } from '../../../server/payment/test-gateway.ts';
import { tokenIn } from '../support/cards.ts';
import { CARDS, pay, post } from '../support/paying.ts';

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
    expect(html, 'browsers ask for no other icon').toContain('<link rel="icon" href="data:,">');
    expect(policy).toContain('img-src data:;');
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

const newIntent = (more: Partial<IntentRequest> = {}) =>
  port.create({
    reference: `s1/${crypto.randomUUID()}`,
    amountMinor: 990,
    currency: 'EUR',
    description: 'A book',
    shopName: 'A shop',
    returnUrl: shopUrl,
    language: 'en',
    customer,
    ...more,
  });

/**
 * Card numbers in the files of a folder: 12 to 19 digits, in groups or not, that begin and check as
 * cards do.
 */
async function cardNumbersIn(of: string): Promise<string[]> {
  const names = (await readdir(of, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
  const texts = await Promise.all(names.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
  return texts.flatMap((text) => text.match(/(?<!\w)[2-6]\d(?:[ -]?\d){10,17}(?!\w)/g) ?? []).filter(passesLuhn);
}

describe('the gateway’s folder', () => {
  test('has no card number after payments, kept cards, challenges, refusals and subscriptions', async () => {
    const terms = { amountMinor: 990, period: 'month', trialDays: 0 } as const;
    for (const number of Object.values(CARDS)) {
      const { url } = await newIntent();
      await pay(url, number, { keep: 'on' });
      const subscribed = await newIntent({ subscription: terms });
      await pay(subscribed.url, number, { keep: 'on' });
      await port.capture(subscribed.id).catch(() => {});
      const setup = await start();
      await pay(setup, number);
      await post(step(setup, 'challenge'), { answer: 'approve' });
    }
    const declined = await newIntent();
    await pay(declined.url, '5555 5555 5555 4444', { name: 'Ann' });
    const challenged = await newIntent();
    await pay(challenged.url, CARDS.challenge);
    await post(step(challenged.url, 'challenge'), { answer: 'approve' });
    const token = tokenIn(await pay(await start(), CARDS.good)) ?? '';
    const card = await port.claimSetup(token, customer);
    expect(await newIntent({ cardToken: card?.token ?? '' })).toMatchObject({ state: 'authorized' });
    expect(card?.last4).toBe('4242');
    expect(await cardNumbersIn(folder)).toEqual([]);
  });

  test('of an older gateway is rewritten without card numbers at the start, and its cards do what they did', async () => {
    await gateway.close();
    const intent = {
      id: 'pi_1',
      reference: 's1/one',
      state: 'action_required',
      amountMinor: 990,
      currency: 'EUR',
      description: 'A book',
      shopName: 'A shop',
      returnUrl: shopUrl,
      language: 'en',
      customer,
      reason: null,
      refusals: 0,
      keptCard: null,
      losesAnswer: false,
      notes: 'kept as they are: 2030-01-01',
    };
    const kept = (last4: string) => ({ token: `card_${last4}`, brand: 'Visa', last4, expMonth: 12, expYear: 2040, replaces: [] });
    const subscription = {
      id: 'sub_pi_2',
      reference: 's1/two',
      state: 'active',
      terms: { amountMinor: 990, period: 'month', trialDays: 0 },
      currency: 'EUR',
      renewals: 0,
      startedAt: now,
      periodEnd: now + 30 * 24 * 60 * MINUTE,
      cancelled: false,
    };
    const setup = { id: 'seti_1', state: 'claimed', customer, token: 'setup_1', expiresAt: now + MINUTE };
    type Written = { number: string } | { testCard: string | null };
    const lines = (card: (number: string, name: string | null) => Written, payer: object) => [
      {
        kind: 'intent',
        intent: { ...intent, challenged: { ...card(CARDS.challenge, 'cardChallenge'), keep: kept('3184') }, ...payer },
      },
      { kind: 'card', customer, ...card('4242-4242-4242-4242', 'cardSuccess'), card: kept('4242') },
      { kind: 'card', customer, ...card('4000000000000341', 'cardOnce'), card: kept('0341') },
      { kind: 'card', customer, ...card('5555555555554444', null), card: kept('4444') },
      { kind: 'setup', setup: { ...setup, tried: { ...card(CARDS.good, 'cardSuccess'), card: kept('4242') } } },
      { kind: 'subscription', subscription: { ...subscription, ...card(CARDS.once, 'cardOnce') } },
      { kind: 'forgotten', token: 'card_9999' },
    ];
    const textOf = (each: object[]) => each.map((line) => `${JSON.stringify(line)}\n`).join('');
    const journal = join(folder, 'journal.jsonl');
    const old = textOf(lines((number) => ({ number }), { payer: CARDS.good }));
    await writeFile(journal, `${old}{"kind":"card","number":"4242 4242`);
    await open();
    const rewritten = textOf(lines((_, testCard) => ({ testCard }), { renewalCard: 'cardSuccess' }));
    expect([await readFile(journal, 'utf8'), await cardNumbersIn(folder)]).toEqual([rewritten, []]);

    const byCard = async (last4: string) => (await newIntent({ cardToken: `card_${last4}` })).state;
    expect([await byCard('4242'), await byCard('0341'), await byCard('4444')]).toEqual(['authorized', 'open', 'open']);
    const { url } = (await port.read('pi_1')) ?? { url: '' };
    await post(step(url, 'challenge'), { answer: 'approve' });
    expect(await port.read('pi_1')).toMatchObject({ state: 'authorized', keptCard: { token: 'card_3184', last4: '3184' } });
    expect(await port.readSubscription('sub_pi_2')).toMatchObject({ state: 'active' });
    now = subscription.periodEnd + MINUTE;
    expect(await port.readSubscription('sub_pi_2')).toMatchObject({ state: 'past_due' });
  });

  test('is not written to at a start that has nothing to rewrite', async () => {
    await pay((await newIntent()).url, CARDS.good);
    const journal = join(folder, 'journal.jsonl');
    const { ino, mtimeMs } = await stat(journal);
    await gateway.close();
    await open();
    const after = await stat(journal);
    expect([after.ino, after.mtimeMs]).toEqual([ino, mtimeMs]);
  });
});
