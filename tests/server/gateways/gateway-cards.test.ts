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

const startSetup = (language = 'en') => port.startSetup({ customer, shopName: 'Books <of> s1', returnUrl: shopUrl, language });
/** Submits the card form. @returns the HTML of the page that follows */
const postForm = async (url: string, form: Record<string, string>): Promise<string> => {
  const response = await postFields(url, form);
  return (await fetch(new URL(response.headers.get('location') ?? '', url))).text();
};
const getSubpageUrl = (url: string, name: string): string => {
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
  ])('the page that saves a card is in the language %s and shows no price', async (language, title, note) => {
    const page = await fetch(await startSetup(language));
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

  test('the card page redirects with a token that is neither in its address nor the saved card’s token', async () => {
    const url = await startSetup();
    const redirect = await submitCardForm(url, CARD_NUMBERS.good);
    expect(redirect.status).toBe(303);
    expect(redirect.headers.get('location')).toMatch(/^http:\/\/shop\.example\/account\?cardtoken=setup_[\w-]{32}$/);
    const token = readTokenParam(redirect) ?? '';
    expect(url).not.toContain(token);
    const card = await port.claimSetup(token, customer);
    expect(card).toMatchObject({ brand: 'Visa', last4: '4242', expMonth: 12, expYear: 2040 });
    expect(JSON.stringify(card)).not.toContain('42424242');
    expect(card?.token).not.toBe(token);
  });

  test('the card page reports a declined card, and keeps the input except number and code', async () => {
    const html = await postForm(await startSetup(), {
      number: CARD_NUMBERS.declined,
      expiry: '12/34',
      cvc: '123',
      name: 'Ann "A" Reader',
    });
    expect(html).toContain('Your card was declined. Try another card.');
    for (const value of ['12/34', 'Ann &quot;A&quot; Reader']) expect(html).toContain(`value="${value}"`);
    for (const secret of ['value="4000', 'value="123"']) expect(html).not.toContain(secret);
  });

  test('the card page shows the error of each field', async () => {
    const html = await postForm(await startSetup(), { number: '4242 4242 4242 4241', expiry: '01/20', cvc: '1', name: '' });
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(4);
    expect(html).toContain('Please check the details below.');
  });

  test('the card page accepts no more cards after five declined ones, and returns without a card', async () => {
    const url = await startSetup();
    for (let time = 0; time < 5; time += 1) await submitCardForm(url, CARD_NUMBERS.declined);
    const page = await fetch(url);
    expect(page.status).toBe(410);
    const html = await page.text();
    expect(html).toContain('Too many cards were declined. No card was saved.');
    expect(html).toContain(`href="${shopUrl}"`);
    expect((await submitCardForm(url, CARD_NUMBERS.good)).headers.get('location')).toContain('/setup/');
  });

  test('a cancelled card page returns without a card, at once and later', async () => {
    const url = await startSetup();
    expect((await postFields(getSubpageUrl(url, 'cancel'), {})).headers.get('location')).toBe(shopUrl);
    expect((await fetch(url, { redirect: 'manual' })).headers.get('location')).toBe(shopUrl);
    expect((await submitCardForm(url, CARD_NUMBERS.good)).headers.get('location')).toBe(shopUrl);
  });

  test('the card page requests the bank’s approval where the card requires it', async () => {
    const url = await startSetup('fr');
    const challengePage = await postForm(url, { number: CARD_NUMBERS.challenge, expiry: '12/40', cvc: '123', name: 'Ann' });
    expect(challengePage).toContain('Autorisez la carte');
    expect(challengePage).not.toContain('paiement de');
    const refusal = await postFields(getSubpageUrl(url, 'challenge'), { answer: 'fail' });
    expect(await (await fetch(new URL(refusal.headers.get('location') ?? '', url))).text()).toContain(
      'Votre banque n’a pas autorisé cette carte.',
    );
    expect(readTokenParam(await postFields(getSubpageUrl(url, 'challenge'), { answer: 'approve' }))).toBeNull();
    await submitCardForm(url, CARD_NUMBERS.challenge);
    const token = readTokenParam(await postFields(getSubpageUrl(url, 'challenge'), { answer: 'approve' })) ?? '';
    expect(await port.claimSetup(token, customer)).toMatchObject({ last4: '3184' });
  });

  test('the card page is 404 for an unknown id', async () => {
    const page = await fetch(new URL('/setup/seti_nothing', await startSetup()));
    expect(page.status).toBe(404);
    expect(await page.text()).toContain('This page is no longer valid.');
  });
});

describe('a card token', () => {
  test('a card token is valid only for its customer', async () => {
    const token = readTokenParam(await submitCardForm(await startSetup(), CARD_NUMBERS.good)) ?? '';
    for (const otherCustomer of ['s1/u2', 's2/u1', '', 's1/u1 ']) {
      const card = otherCustomer === '' ? undefined : await port.claimSetup(token, otherCustomer);
      expect(card, otherCustomer).toBeUndefined();
    }
    expect(await port.claimSetup(token, customer)).toBeDefined();
  });

  test('a card token returns the same card each time, until the card is deleted', async () => {
    const url = await startSetup();
    const token = readTokenParam(await submitCardForm(url, CARD_NUMBERS.good)) ?? '';
    const card = await port.claimSetup(token, customer);
    expect(await port.claimSetup(token, customer)).toEqual(card);
    // The gateway's page, opened again, redirects to the shop without the token.
    expect((await fetch(url, { redirect: 'manual' })).headers.get('location')).toBe(shopUrl);
    await port.forgetCard(card?.token ?? '');
    await port.forgetCard(card?.token ?? '');
    expect(await port.claimSetup(token, customer)).toBeUndefined();
  });

  test('the token of an already saved card names the card that it replaces', async () => {
    const claim = async (number: string, owner = customer) => {
      const url = await port.startSetup({ customer: owner, shopName: 'A', returnUrl: shopUrl, language: 'en' });
      return port.claimSetup(readTokenParam(await submitCardForm(url, number)) ?? '', owner);
    };
    const firstCard = await claim(CARD_NUMBERS.good);
    expect(firstCard?.replaces).toEqual([]);
    expect((await claim(CARD_NUMBERS.good, 's1/u2'))?.replaces).toEqual([]);
    expect((await claim('4242424242424242'))?.replaces).toEqual([firstCard?.token]);
  });

  test('a card token expires after an hour, as does an unfinished card page', async () => {
    const [finishedUrl, unfinishedUrl] = [await startSetup(), await startSetup()];
    now += 59 * MINUTE_MS;
    const token = readTokenParam(await submitCardForm(finishedUrl, CARD_NUMBERS.good)) ?? '';
    now += 2 * MINUTE_MS;
    const page = await fetch(unfinishedUrl);
    expect(page.status).toBe(410);
    expect(await page.text()).toContain('This page is no longer valid.');
    expect(readTokenParam(await submitCardForm(unfinishedUrl, CARD_NUMBERS.good))).toBeNull();
    // The token is valid for an hour from the submission of the card.
    now += 57 * MINUTE_MS;
    expect(await port.claimSetup(token, customer)).toBeDefined();
    now += 2 * MINUTE_MS;
    expect(await port.claimSetup(token, customer)).toBeUndefined();
  });

  test('a card token survives a restart of the gateway, as does the deletion of its card', async () => {
    const token = readTokenParam(await submitCardForm(await startSetup(), CARD_NUMBERS.good)) ?? '';
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

const createIntent = (overrides: Partial<IntentRequest> = {}) =>
  port.create({
    reference: `s1/${crypto.randomUUID()}`,
    amountMinor: 990,
    currency: 'EUR',
    description: 'A book',
    shopName: 'A shop',
    returnUrl: shopUrl,
    language: 'en',
    customer,
    ...overrides,
  });

/**
 * @returns the card numbers in the files of a folder: 12 to 19 digits, grouped or not, with the
 * prefix and check digit of cards
 */
async function findCardNumbers(searchedFolder: string): Promise<string[]> {
  const files = (await readdir(searchedFolder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
  const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
  return texts.flatMap((text) => text.match(/(?<!\w)[2-6]\d(?:[ -]?\d){10,17}(?!\w)/g) ?? []).filter(passesLuhn);
}

describe('the gateway’s folder', () => {
  test('the gateway’s folder has no card number after payments, saved cards, challenges and refusals', async () => {
    const terms = { amountMinor: 990, period: 'month', trialDays: 0 } as const;
    for (const number of Object.values(CARD_NUMBERS)) {
      const { url } = await createIntent();
      await submitCardForm(url, number, { keep: 'on' });
      const subscriptionIntent = await createIntent({ subscription: terms });
      await submitCardForm(subscriptionIntent.url, number, { keep: 'on' });
      await port.capture(subscriptionIntent.id).catch(() => {});
      const setup = await startSetup();
      await submitCardForm(setup, number);
      await postFields(getSubpageUrl(setup, 'challenge'), { answer: 'approve' });
    }
    const declinedIntent = await createIntent();
    await submitCardForm(declinedIntent.url, '5555 5555 5555 4444', { name: 'Ann' });
    const challengedIntent = await createIntent();
    await submitCardForm(challengedIntent.url, CARD_NUMBERS.challenge);
    await postFields(getSubpageUrl(challengedIntent.url, 'challenge'), { answer: 'approve' });
    const token = readTokenParam(await submitCardForm(await startSetup(), CARD_NUMBERS.good)) ?? '';
    const card = await port.claimSetup(token, customer);
    expect(await createIntent({ cardToken: card?.token ?? '' })).toMatchObject({ state: 'authorized' });
    expect(card?.last4).toBe('4242');
    expect(await findCardNumbers(folder)).toEqual([]);
  });

  test('the folder of an older gateway is rewritten without card numbers at startup, and its cards still work', async () => {
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
    const makeSavedCard = (last4: string) => ({
      token: `card_${last4}`,
      brand: 'Visa',
      last4,
      expMonth: 12,
      expYear: 2040,
      replaces: [],
    });
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
    type CardFields = { number: string } | { testCard: string | null };
    const makeLines = (card: (number: string, name: string | null) => CardFields, payer: object) => [
      {
        kind: 'intent',
        intent: {
          ...intent,
          challenged: { ...card(CARD_NUMBERS.challenge, 'cardChallenge'), keep: makeSavedCard('3184') },
          ...payer,
        },
      },
      { kind: 'card', customer, ...card('4242-4242-4242-4242', 'cardSuccess'), card: makeSavedCard('4242') },
      { kind: 'card', customer, ...card('4000000000000341', 'cardOnce'), card: makeSavedCard('0341') },
      { kind: 'card', customer, ...card('5555555555554444', null), card: makeSavedCard('4444') },
      { kind: 'setup', setup: { ...setup, tried: { ...card(CARD_NUMBERS.good, 'cardSuccess'), card: makeSavedCard('4242') } } },
      { kind: 'subscription', subscription: { ...subscription, ...card(CARD_NUMBERS.once, 'cardOnce') } },
      { kind: 'forgotten', token: 'card_9999' },
    ];
    const toJsonLines = (each: object[]) => each.map((line) => `${JSON.stringify(line)}\n`).join('');
    const journal = join(folder, 'journal.jsonl');
    const oldText = toJsonLines(makeLines((number) => ({ number }), { payer: CARD_NUMBERS.good }));
    await writeFile(journal, `${oldText}{"kind":"card","number":"4242 4242`);
    await startGateway();
    const expectedText = toJsonLines(makeLines((_, testCard) => ({ testCard }), { renewalCard: 'cardSuccess' }));
    expect([await readFile(journal, 'utf8'), await findCardNumbers(folder)]).toEqual([expectedText, []]);

    const payByCard = async (last4: string) => (await createIntent({ cardToken: `card_${last4}` })).state;
    expect([await payByCard('4242'), await payByCard('0341'), await payByCard('4444')]).toEqual(['authorized', 'open', 'open']);
    const { url } = (await port.read('pi_1')) ?? { url: '' };
    await postFields(getSubpageUrl(url, 'challenge'), { answer: 'approve' });
    expect(await port.read('pi_1')).toMatchObject({ state: 'authorized', keptCard: { token: 'card_3184', last4: '3184' } });
    expect(await port.readSubscription('sub_pi_2')).toMatchObject({ state: 'active' });
    now = subscription.periodEnd + MINUTE_MS;
    expect(await port.readSubscription('sub_pi_2')).toMatchObject({ state: 'past_due' });
  });

  test('the journal is not written at a startup that has nothing to rewrite', async () => {
    await submitCardForm((await createIntent()).url, CARD_NUMBERS.good);
    const journal = join(folder, 'journal.jsonl');
    const { ino, mtimeMs } = await stat(journal);
    await gateway.close();
    await startGateway();
    const statAfter = await stat(journal);
    expect([statAfter.ino, statAfter.mtimeMs]).toEqual([ino, mtimeMs]);
  });
});
