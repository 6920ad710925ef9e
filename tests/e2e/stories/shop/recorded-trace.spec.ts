import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { cards, Customer } from '../../../../tools/browser/customer.ts';
import { findDivergences, readRecordedTrace, parseTrace } from '../../../../tools/browser/recorded-trace.ts';
import { createEmail, ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

/** Reads the record once it covers `loadCount` page loads of the visit. */
const readRecord = async (page: Page, loadCount: number): Promise<string> => {
  const countRuns = async (): Promise<number> => parseTrace((await readRecordedTrace(page)) ?? '{"runs":[]}').runs.length;
  await expect.poll(countRuns).toBe(loadCount);
  return (await readRecordedTrace(page)) ?? '';
};

const readToken = (page: Page): Promise<string> => page.evaluate(() => localStorage.getItem('id_token') ?? '');

/** Buys a title with a new account, and opens the book. */
const buyAndRead = async (page: Page, email: string): Promise<void> => {
  const shop = new ShopPage(page);
  await page.goto('/id:1001');
  await shop.control('buy.pressed').click();
  await shop.control('pay.pressed').click();
  await shop.waitForState('signIn', 'asking');
  await page.getByRole('link', { name: /create an account/i }).click();
  await shop.signUp(email);
  await shop.payByCard();
  await shop.waitForState('receipt', 'shown');
  await page.getByRole('link', { name: 'My Library' }).first().click();
  await shop.control('title.opened').click();
  await expect(shop.control('turn.pressed', shop.flow('book'))).toBeEnabled();
};

test('a purchase over three page loads is recorded, and a replay without a browser reaches the same states', async ({ page }) => {
  await buyAndRead(page, createEmail());
  await readRecord(page, 2);
  await page.reload();
  await expect(new ShopPage(page).control('turn.pressed')).toBeEnabled();

  const trace = parseTrace(await readRecord(page, 3));
  expect(trace).toMatchObject({ format: 5, store: 'harbour', locale: 'en' });
  expect(findDivergences(trace)).toEqual(trace.runs.map(() => null));
  const events = trace.runs.flatMap(({ steps }) => steps.map(({ input }) => ('event' in input ? input.event.type : 'start')));
  expect(events).toEqual(
    expect.arrayContaining(['buy.pressed', 'pay.pressed', 'signUp.submitted', 'title.opened', 'book.opened']),
  );
  expect(trace.runs.flatMap(({ steps }) => steps).filter(({ input }) => 'reentrant' in input)).toEqual([]);
});

test('neither the customer’s personal data nor any secret is in the record', async ({ page }) => {
  const email = `canary.${createEmail()}`;
  await buyAndRead(page, email);
  const token = await readToken(page);
  const record = await readRecord(page, 2);
  const mediaTokens = await page.evaluate(() =>
    performance.getEntriesByType('resource').flatMap(({ name }) => /\/media\/([\w.-]{40,})\//.exec(name)?.[1] ?? []),
  );
  expect(token.length).toBeGreaterThan(20);
  expect(mediaTokens.length).toBeGreaterThan(0);
  const secrets = [
    email,
    email.split('@')[0] ?? '',
    'harbour light 22',
    'A Reader',
    token,
    ...mediaTokens,
    cards.good,
    '4242424242424242',
  ];
  const encodedSecrets = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
  expect(encodedSecrets.filter((secret) => record.includes(secret))).toEqual([]);
});

test('a page that the customer never sees, on the way back from the payment page, is in the record', async ({
  page,
  context,
  shop,
}) => {
  const customer = await Customer.signUp(shop);
  await customer.signInBrowser(context);
  const view = new ShopPage(page);
  await page.goto('/subscription/purchase?planid=yearly');
  await view.control('pay.pressed').click();
  await view.payByCard();
  await view.waitForState('receipt', 'subscribed');
  const trace = parseTrace(await readRecord(page, 3));
  const settledActors = trace.runs.flatMap(({ steps }) =>
    steps.flatMap(({ input }) => (input.kind === 'settled' ? [input.from] : [])),
  );
  expect(settledActors.filter((from) => from.endsWith('/confirmPayment'))).toHaveLength(1);
});

test('the customer saves the record as a file, and its replay is identical', async ({ page }) => {
  await page.goto('/about');
  const downloadPromise = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save a record of this visit' }).click();
  const download = await downloadPromise;
  expect(download.suggestedFilename()).toMatch(/^colophon-trace-\d{4}-\d\d-\d\d\.json$/);
  const trace = parseTrace(await readFile(await download.path(), 'utf8'));
  expect(trace.runs).toHaveLength(1);
  expect(findDivergences(trace)).toEqual([null]);
});

test('playback time is not recorded: ten seconds of sound are a handful of steps', async ({ page, context, shop }) => {
  const customer = await Customer.signUp(shop);
  await customer.buy('1020');
  await customer.signInBrowser(context);
  const view = new ShopPage(page);
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId('1020')}`);
  await view.waitForState('tracks', { attached: 'paused' });
  await view.control('play.pressed').click();
  await expect
    .poll(async () => Number(await page.locator('[data-clock="slider"]').inputValue()), { timeout: 20_000 })
    .toBeGreaterThan(10);
  const steps = parseTrace(await readRecord(page, 1)).runs.flatMap((run) => run.steps);
  const elementSteps = steps.filter(({ input }) => 'from' in input && input.from?.includes('/element'));
  expect(elementSteps.length).toBeGreaterThan(1);
  expect(elementSteps.length).toBeLessThan(12);
});
