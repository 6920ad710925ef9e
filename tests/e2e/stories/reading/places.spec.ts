import type { Browser, BrowserContext, Page } from '@playwright/test';
import { Customer } from '../../../../tools/browser/customer.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

/** Titles of the demo store, and how a reader moves in each. */
const media = {
  epub: { titleId: '1001', flow: 'book' },
  pdf: { titleId: '1016', flow: 'book' },
  audio: { titleId: '1019', flow: 'tracks' },
  video: { titleId: '1022', flow: 'tracks' },
} as const;
type Medium = keyof typeof media;

const placeOffer = (page: Page) => page.locator('[data-flow="progress"]');

/** Opens the customer's copy, and waits until it can be read. */
const openMedium = async (page: Page, customer: Customer, medium: Medium): Promise<void> => {
  const { titleId, flow } = media[medium];
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titleId)}`);
  const view = new ShopPage(page);
  if (flow === 'book') await expect(view.control('turn.pressed', view.flow('book')).first()).toBeEnabled();
  else await view.waitForState('tracks', { attached: 'paused' });
};

const waitForSave = (page: Page) =>
  page.waitForResponse((response) => response.url().includes('/viewer/progress') && response.request().method() === 'POST');

/** One page forward, or half a minute. */
const moveForward = async (page: Page, medium: Medium): Promise<void> => {
  if (media[medium].flow === 'book') await page.getByRole('button', { name: /next page/i }).click();
  else await page.locator('[data-event="skip.pressed"][data-value="30"]').click();
};

/** To the end of a book, or of the recording. */
const moveFarForward = async (page: Page, medium: Medium): Promise<void> => {
  if (media[medium].flow === 'book') await page.locator('[data-event="fraction.chosen"]').press('End');
  else for (let nth = 0; nth < 2; nth += 1) await page.locator('[data-event="skip.pressed"][data-value="30"]').click();
};

/** One page back, or a few seconds. */
const moveBack = async (page: Page, medium: Medium): Promise<void> => {
  if (media[medium].flow === 'book') await page.getByRole('button', { name: /previous page/i }).click();
  else await page.locator('[data-event="skip.pressed"]').first().click();
};

const readPlace = async (customer: Customer, medium: Medium) => {
  const answer = await customer.request('viewer/progress', { titleid: media[medium].titleId, contextkey: medium });
  return (await answer.json()) as {
    position: { totalProgression: number; seconds?: number };
    earlier: { position: { totalProgression: number } }[];
  };
};

const openOtherDevice = async (browser: Browser, customer: Customer, baseURL: string | undefined): Promise<BrowserContext> => {
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    userAgent: 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0',
  });
  await customer.signInBrowser(context);
  return context;
};

for (const medium of Object.keys(media) as Medium[])
  test(`${medium}: a newer place on another device is offered before the next save, and no place is lost`, async ({
    page,
    context,
    browser,
    baseURL,
    shop,
    errors,
  }) => {
    errors.allow(/status of 409/);
    const customer = await Customer.signUp(shop);
    await customer.buy(media[medium].titleId);
    await customer.signInBrowser(context);
    await openMedium(page, customer, medium);
    await Promise.all([waitForSave(page), moveForward(page, medium)]);
    // The film is short.
    if (medium === 'video') await Promise.all([waitForSave(page), moveBack(page, medium)]);
    const early = (await readPlace(customer, medium)).position;

    const laptop = await openOtherDevice(browser, customer, baseURL);
    const there = await laptop.newPage();
    await openMedium(there, customer, medium);
    // It opens where the first device was, and nothing is offered.
    await expect(placeOffer(there)).toBeEmpty();
    await Promise.all([waitForSave(there), moveFarForward(there, medium)]);
    const far = (await readPlace(customer, medium)).position;
    expect(far.totalProgression).toBeGreaterThan(early.totalProgression);

    await (medium === 'video' ? moveBack : moveForward)(page, medium);
    await expect(placeOffer(page)).toContainText(/You’re at \d+ ?% on Firefox, Windows/);
    expect((await readPlace(customer, medium)).position).toEqual(far);
    await Promise.all([waitForSave(page), page.getByRole('button', { name: 'Stay here' }).click()]);
    await expect(placeOffer(page)).toBeEmpty();
    const stayed = await readPlace(customer, medium);
    expect(stayed.position.totalProgression).toBeLessThan(far.totalProgression);
    expect(stayed.earlier[0]?.position).toEqual(far);

    // The other device is offered the new place in its turn, and accepts.
    await moveBack(there, medium);
    await expect(placeOffer(there)).toContainText(/You’re at \d+ ?% on/);
    await there.getByRole('button', { name: 'Go there' }).click();
    await expect
      .poll(async () => (await readPlace(customer, medium)).position.totalProgression)
      .toBeLessThan(far.totalProgression);
    await laptop.close();

    // Opened again, the title is at the newest place, and this device's own is offered.
    await customer.saveProgress(media[medium].titleId, medium, far, { id: 'tablet-1', name: 'Safari, iPad' });
    await openMedium(page, customer, medium);
    await expect(placeOffer(page)).toContainText(/On this device you were at \d+ ?%/);
    await page.getByRole('button', { name: 'Go there' }).click();
    await expect
      .poll(async () => (await readPlace(customer, medium)).position.totalProgression)
      .toBeLessThan(far.totalProgression);
  });

const readSeconds = async (customer: Customer): Promise<number> => (await readPlace(customer, 'audio')).position.seconds ?? -1;

/** Moves on in a recording while offline, so that the place cannot be saved. */
const moveOffline = async (page: Page, context: BrowserContext, customer: Customer) => {
  await customer.buy('1019');
  await customer.signInBrowser(context);
  await openMedium(page, customer, 'audio');
  await Promise.all([waitForSave(page), moveForward(page, 'audio')]);
  const before = await readSeconds(customer);
  expect(before).toBeGreaterThan(20);
  await context.setOffline(true);
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/viewer/progress'));
  await moveForward(page, 'audio');
  await failed;
  return before;
};

test('an unsaved place is sent when the connection returns', async ({ page, context, shop, errors }) => {
  errors.allow(/net::ERR/);
  const customer = await Customer.signUp(shop);
  const before = await moveOffline(page, context, customer);
  await context.setOffline(false);
  await expect.poll(() => readSeconds(customer)).toBeGreaterThan(before);
});

test('and one left in a closed tab is sent at the next visit', async ({ page, context, shop, errors }) => {
  errors.allow(/net::ERR/);
  const customer = await Customer.signUp(shop);
  const before = await moveOffline(page, context, customer);
  await page.close();
  await context.setOffline(false);
  expect(await readSeconds(customer)).toBe(before);
  const next = await context.newPage();
  await next.goto('/mylibrary');
  await expect.poll(() => readSeconds(customer)).toBeGreaterThan(before);
});
