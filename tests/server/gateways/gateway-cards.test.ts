import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGateway } from '../../../server/gateway/app.ts';
import { passesLuhn } from '../../../server/gateway/cards.ts';
import type { IntentRequest, PaymentPort } from '../../../server/payment/port.ts';
import { createTestGateway } from '../../../server/payment/test-gateway.ts';
import { readTokenParam } from '../support/cards.ts';
import { CARD_NUMBERS, submitCardForm, postFields } from '../support/paying.ts';

const SECRET = 'the secret of the tests';
const MINUTE_MS = 60_000;
const shopUrl = 'http://shop.example/account';
const customer = 's1/u1';

let folder: string;
let gateway: ReturnType<typeof createGateway>;
let port: PaymentPort;
let now: number;

const startGateway = async () => {
  gateway = createGateway({ folder, secret: SECRET, now: () => now });
  await gateway.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;
  port = createTestGateway({ origin, secret: SECRET, timeout: 1500 });
};
beforeEach(async () => {
  now = Date.now();
  folder = await mkdtemp(join(tmpdir(), 'colophon-gateway-'));
  await startGateway();
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

const start = (language = 'en') => port.startSetup({ customer, shopName: 'Books <of> s1', returnUrl: shopUrl, language });
/** The page after the card form is submitted. */
const postForm = async (url: string, form: Record<string, string>): Promise<string> => {
  const answer = await postFields(url, form);
  return (await fetch(new URL(answer.headers.get('location') ?? '', url))).text();
};
const pageUrl = (url: string, name: string): string => {
  const [page, query = ''] = url.split('?');
  return `${page}/${name}?${query}`;
};

describe('the page that saves a card', () => {
  test.each([
    ['en', 'Save a card', 'Your card won’t be charged now.'],
    ['zh', '保存银行卡', '现在不会从您的卡扣款。'],
    ['es', 'Guardar una tarjeta', 'Ahora no se hará ningún cargo en tu tarjeta.'],
    ['fr', 'Enregistrer une carte', 'Votre carte ne sera pas débitée maintenant.'],
    ['it', 'Salva una carta', 'Per ora sulla tua carta non verrà addebitato nulla.'],
  ])('is in the language %s, and shows no price', async (language, title, note) => {
    const page = await fetch(await start(language));
    const html = await page.text();
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain(`<h1 class="lead">${title}</h1>`);
    expect(html).toContain(note);
    expect(html).toContain('Books &lt;of&gt; s1');
    expect(html).not.toMatch(/undefined|[$€]/);
    for (const name of ['number', 'expiry', 'cvc', 'name']) expect(html).toContain(`<input id="${name}" name="${name}"`);
    for (const card of Object.values(CARD_NUMBERS)) expect(html).toContain(card);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(html, 'the page has its own icon: browsers request no other').toContain('<link rel="icon" href="data:,">');
    expect(policy).toContain('img-src data:;');
    expect(policy).toContain("form-action 'self' http://shop.example;");
  });

  test('redirects with a token that is neither in the page’s address nor the card’s own', async () => {
    const url = await start();
    const back = await submitCardForm(url, CARD_NUMBERS.good);
    expect(back.status).toBe(303);
    expect(back.headers.get('location')).toMatch(/^http:\/\/shop\.example\/account\?cardtoken=setup_[\w-]{32}$/);
    const token = readTokenParam(back) ?? '';
    expect(url).not.toContain(token);
    const card = await port.claimSetup(token, customer);
    expect(card).toMatchObject({ brand: 'Visa', last4: '4242', expMonth: 12, expYear: 2040 });
    expect(JSON.stringify(card)).not.toContain('42424242');
    expect(card?.token).not.toBe(token);
  });

  test('reports a declined card, and keeps the input except number and code', async () => {
    const html = await postForm(await start(), {
      number: CARD_NUMBERS.declined,
      expiry: '12/34',
      cvc: '123',
      name: 'Ann "A" Reader',
    });
    expect(html).toContain('Your card was declined. Try another card.');
    for (const value of ['12/34', 'Ann &quot;A&quot; Reader']) expect(html).toContain(`value="${value}"`);
    for (const secret of ['value="4000', 'value="123"']) expect(html).not.toContain(secret);
  });

  test('shows the error of each field', async () => {
    const html = await postForm(await start(), { number: '4242 4242 4242 4241', expiry: '01/20', cvc: '1', name: '' });
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(4);
    expect(html).toContain('Please check the details below.');
  });

  test('accepts no more after five declined cards, and returns without a card', async () => {
    const url = await start();
    for (let time = 0; time < 5; time += 1) await submitCardForm(url, CARD_NUMBERS.declined);
    const page = await fetch(url);
    expect(page.status).toBe(410);
    const html = await page.text();
    expect(html).toContain('Too many cards were declined. No card was saved.');
    expect(html).toContain(`href="${shopUrl}"`);
    expect((await submitCardForm(url, CARD_NUMBERS.good)).headers.get('location')).toContain('/setup/');
  });

  test('returns without a card when it is cancelled, now and later', async () => {
    const url = await start();
    expect((await postFields(pageUrl(url, 'cancel'), {})).headers.get('location')).toBe(shopUrl);
    expect((await fetch(url, { redirect: 'manual' })).headers.get('location')).toBe(shopUrl);
    expect((await submitCardForm(url, CARD_NUMBERS.good)).headers.get('location')).toBe(shopUrl);
  });

  test('asks for the bank’s approval where the card requires it', async () => {
    const url = await start('fr');
    const asked = await postForm(url, { number: CARD_NUMBERS.challenge, expiry: '12/40', cvc: '123', name: 'Ann' });
    expect(asked).toContain('Autorisez la carte');
    expect(asked).not.toContain('paiement de');
    const refused = await postFields(pageUrl(url, 'challenge'), { answer: 'fail' });
    expect(await (await fetch(new URL(refused.headers.get('location') ?? '', url))).text()).toContain(
      'Votre banque n’a pas autorisé cette carte.',
    );
    expect(readTokenParam(await postFields(pageUrl(url, 'challenge'), { answer: 'approve' }))).toBeNull();
    await submitCardForm(url, CARD_NUMBERS.challenge);
    const token = readTokenParam(await postFields(pageUrl(url, 'challenge'), { answer: 'approve' })) ?? '';
    expect(await port.claimSetup(token, customer)).toMatchObject({ last4: '3184' });
  });

  test('is 404 for an unknown id', async () => {
    const page = await fetch(new URL('/setup/seti_nothing', await start()));
    expect(page.status).toBe(404);
    expect(await page.text()).toContain('This page is no longer valid.');
  });
});

describe('a card token', () => {
  test('is valid only for its customer', async () => {
    const token = readTokenParam(await submitCardForm(await start(), CARD_NUMBERS.good)) ?? '';
    for (const other of ['s1/u2', 's2/u1', '', 's1/u1 ']) {
      const claimed = other === '' ? undefined : await port.claimSetup(token, other);
      expect(claimed, other).toBeUndefined();
    }
    expect(await port.claimSetup(token, customer)).toBeDefined();
  });

  test('returns the same card each time, until the card is deleted', async () => {
    const url = await start();
    const token = readTokenParam(await submitCardForm(url, CARD_NUMBERS.good)) ?? '';
    const card = await port.claimSetup(token, customer);
    expect(await port.claimSetup(token, customer)).toEqual(card);
    // The gateway's page, opened again, redirects to the shop without the token.
    expect((await fetch(url, { redirect: 'manual' })).headers.get('location')).toBe(shopUrl);
    await port.forgetCard(card?.token ?? '');
    await port.forgetCard(card?.token ?? '');
    expect(await port.claimSetup(token, customer)).toBeUndefined();
  });

  test('of a card that is already saved names the one that it replaces', async () => {
    const claim = async (number: string, of = customer) => {
      const url = await port.startSetup({ customer: of, shopName: 'A', returnUrl: shopUrl, language: 'en' });
      return port.claimSetup(readTokenParam(await submitCardForm(url, number)) ?? '', of);
    };
    const first = await claim(CARD_NUMBERS.good);
    expect(first?.replaces).toEqual([]);
    expect((await claim(CARD_NUMBERS.good, 's1/u2'))?.replaces).toEqual([]);
    expect((await claim('4242424242424242'))?.replaces).toEqual([first?.token]);
  });

  test('expires after an hour, as does an unfinished page', async () => {
    const [finished, left] = [await start(), await start()];
    now += 59 * MINUTE_MS;
    const token = readTokenParam(await submitCardForm(finished, CARD_NUMBERS.good)) ?? '';
    now += 2 * MINUTE_MS;
    const page = await fetch(left);
    expect(page.status).toBe(410);
    expect(await page.text()).toContain('This page is no longer valid.');
    expect(readTokenParam(await submitCardForm(left, CARD_NUMBERS.good))).toBeNull();
    // The card has its own hour from when it was typed.
    now += 57 * MINUTE_MS;
    expect(await port.claimSetup(token, customer)).toBeDefined();
    now += 2 * MINUTE_MS;
    expect(await port.claimSetup(token, customer)).toBeUndefined();
  });

  test('survives a restart of the gateway, and so do deletions', async () => {
    const token = readTokenParam(await submitCardForm(await start(), CARD_NUMBERS.good)) ?? '';
    await gateway.close();
    await startGateway();
    const card = await port.claimSetup(token, customer);
    expect(card).toBeDefined();
    await gateway.close();
    await startGateway();
    expect(await port.claimSetup(token, customer)).toEqual(card);
    await port.forgetCard(card?.token ?? '');
    await gateway.close();
    await startGateway();
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
 * Card numbers in the files of a folder: 12 to 19 digits, grouped or not, with the prefix and check
 * digit of cards.
 */
async function findCardNumbers(of: string): Promise<string[]> {
  const names = (await readdir(of, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
  const texts = await Promise.all(names.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
  return texts.flatMap((text) => text.match(/(?<!\w)[2-6]\d(?:[ -]?\d){10,17}(?!\w)/g) ?? []).filter(passesLuhn);
}

describe('the gateway’s folder', () => {
  test('has no card number after payments, saved cards, challenges, refusals and subscriptions', async () => {
    const terms = { amountMinor: 990, period: 'month', trialDays: 0 } as const;
    for (const number of Object.values(CARD_NUMBERS)) {
      const { url } = await newIntent();
      await submitCardForm(url, number, { keep: 'on' });
      const subscribed = await newIntent({ subscription: terms });
      await submitCardForm(subscribed.url, number, { keep: 'on' });
      await port.capture(subscribed.id).catch(() => {});
      const setup = await start();
      await submitCardForm(setup, number);
      await postFields(pageUrl(setup, 'challenge'), { answer: 'approve' });
    }
    const declined = await newIntent();
    await submitCardForm(declined.url, '5555 5555 5555 4444', { name: 'Ann' });
    const challenged = await newIntent();
    await submitCardForm(challenged.url, CARD_NUMBERS.challenge);
    await postFields(pageUrl(challenged.url, 'challenge'), { answer: 'approve' });
    const token = readTokenParam(await submitCardForm(await start(), CARD_NUMBERS.good)) ?? '';
    const card = await port.claimSetup(token, customer);
    expect(await newIntent({ cardToken: card?.token ?? '' })).toMatchObject({ state: 'authorized' });
    expect(card?.last4).toBe('4242');
    expect(await findCardNumbers(folder)).toEqual([]);
  });

  test('of an older gateway is rewritten without card numbers at startup, and its cards still work', async () => {
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
      periodEnd: now + 30 * 24 * 60 * MINUTE_MS,
      cancelled: false,
    };
    const setup = { id: 'seti_1', state: 'claimed', customer, token: 'setup_1', expiresAt: now + MINUTE_MS };
    type Written = { number: string } | { testCard: string | null };
    const lines = (card: (number: string, name: string | null) => Written, payer: object) => [
      {
        kind: 'intent',
        intent: { ...intent, challenged: { ...card(CARD_NUMBERS.challenge, 'cardChallenge'), keep: kept('3184') }, ...payer },
      },
      { kind: 'card', customer, ...card('4242-4242-4242-4242', 'cardSuccess'), card: kept('4242') },
      { kind: 'card', customer, ...card('4000000000000341', 'cardOnce'), card: kept('0341') },
      { kind: 'card', customer, ...card('5555555555554444', null), card: kept('4444') },
      { kind: 'setup', setup: { ...setup, tried: { ...card(CARD_NUMBERS.good, 'cardSuccess'), card: kept('4242') } } },
      { kind: 'subscription', subscription: { ...subscription, ...card(CARD_NUMBERS.once, 'cardOnce') } },
      { kind: 'forgotten', token: 'card_9999' },
    ];
    const textOf = (each: object[]) => each.map((line) => `${JSON.stringify(line)}\n`).join('');
    const journal = join(folder, 'journal.jsonl');
    const old = textOf(lines((number) => ({ number }), { payer: CARD_NUMBERS.good }));
    await writeFile(journal, `${old}{"kind":"card","number":"4242 4242`);
    await startGateway();
    const rewritten = textOf(lines((_, testCard) => ({ testCard }), { renewalCard: 'cardSuccess' }));
    expect([await readFile(journal, 'utf8'), await findCardNumbers(folder)]).toEqual([rewritten, []]);

    const byCard = async (last4: string) => (await newIntent({ cardToken: `card_${last4}` })).state;
    expect([await byCard('4242'), await byCard('0341'), await byCard('4444')]).toEqual(['authorized', 'open', 'open']);
    const { url } = (await port.read('pi_1')) ?? { url: '' };
    await postFields(pageUrl(url, 'challenge'), { answer: 'approve' });
    expect(await port.read('pi_1')).toMatchObject({ state: 'authorized', keptCard: { token: 'card_3184', last4: '3184' } });
    expect(await port.readSubscription('sub_pi_2')).toMatchObject({ state: 'active' });
    now = subscription.periodEnd + MINUTE_MS;
    expect(await port.readSubscription('sub_pi_2')).toMatchObject({ state: 'past_due' });
  });

  test('is not written at a startup that has nothing to rewrite', async () => {
    await submitCardForm((await newIntent()).url, CARD_NUMBERS.good);
    const journal = join(folder, 'journal.jsonl');
    const { ino, mtimeMs } = await stat(journal);
    await gateway.close();
    await startGateway();
    const after = await stat(journal);
    expect([after.ino, after.mtimeMs]).toEqual([ino, mtimeMs]);
  });
});
