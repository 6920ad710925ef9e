import type { Browser, BrowserContext, Page } from '@playwright/test';
import { Customer } from '../../../../tools/browser/customer.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

/** Titles of the demo store by medium, with the flow that opens each. */
const media = {
  epub: { titleId: '1001', flow: 'book' },
  pdf: { titleId: '1016', flow: 'book' },
  audio: { titleId: '1019', flow: 'tracks' },
  video: { titleId: '1022', flow: 'tracks' },
} as const;
type Medium = keyof typeof media;

const getPositionOffer = (page: Page) => page.locator('[data-flow="progress"]');

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

/** Moves one page forward, or half a minute. */
const moveForward = async (page: Page, medium: Medium): Promise<void> => {
  if (media[medium].flow === 'book') await page.getByRole('button', { name: /next page/i }).click();
  else await page.locator('[data-event="skip.pressed"][data-value="30"]').click();
};

/** Moves to the end of a book, or a minute forward in a recording or film. */
const moveFarForward = async (page: Page, medium: Medium): Promise<void> => {
  if (media[medium].flow === 'book') await page.locator('[data-event="fraction.chosen"]').press('End');
  else for (let step = 0; step < 2; step += 1) await page.locator('[data-event="skip.pressed"][data-value="30"]').click();
};

/** Moves one page back, or a few seconds. */
const moveBack = async (page: Page, medium: Medium): Promise<void> => {
  if (media[medium].flow === 'book') await page.getByRole('button', { name: /previous page/i }).click();
  else await page.locator('[data-event="skip.pressed"]').first().click();
};

const readProgress = async (customer: Customer, medium: Medium) => {
  const response = await customer.request('viewer/progress', { titleid: media[medium].titleId, contextkey: medium });
  return (await response.json()) as {
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
  test(`${medium}: a newer position on another device is offered before the next save, and no position is lost`, async ({
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
    // The film is short: a move back leaves room for the later moves forward.
    if (medium === 'video') await Promise.all([waitForSave(page), moveBack(page, medium)]);
    const earlyPosition = (await readProgress(customer, medium)).position;

    const laptopContext = await openOtherDevice(browser, customer, baseURL);
    const laptopPage = await laptopContext.newPage();
    await openMedium(laptopPage, customer, medium);
    // The laptop opens at the position of the first device, so nothing is offered.
    await expect(getPositionOffer(laptopPage)).toBeEmpty();
    await Promise.all([waitForSave(laptopPage), moveFarForward(laptopPage, medium)]);
    const farPosition = (await readProgress(customer, medium)).position;
    expect(farPosition.totalProgression).toBeGreaterThan(earlyPosition.totalProgression);

    await (medium === 'video' ? moveBack : moveForward)(page, medium);
    await expect(getPositionOffer(page)).toContainText(/You’re at \d+ ?% on Firefox, Windows/);
    expect((await readProgress(customer, medium)).position).toEqual(farPosition);
    await Promise.all([waitForSave(page), page.getByRole('button', { name: 'Stay here' }).click()]);
    await expect(getPositionOffer(page)).toBeEmpty();
    const savedProgress = await readProgress(customer, medium);
    expect(savedProgress.position.totalProgression).toBeLessThan(farPosition.totalProgression);
    expect(savedProgress.earlier[0]?.position).toEqual(farPosition);

    // The laptop is offered the new position in turn, and accepts it.
    await moveBack(laptopPage, medium);
    await expect(getPositionOffer(laptopPage)).toContainText(/You’re at \d+ ?% on/);
    await laptopPage.getByRole('button', { name: 'Go there' }).click();
    await expect
      .poll(async () => (await readProgress(customer, medium)).position.totalProgression)
      .toBeLessThan(farPosition.totalProgression);
    await laptopContext.close();

    // Reopened, the title is at the newest position, and this device's own position is offered.
    await customer.saveProgress(media[medium].titleId, medium, farPosition, { id: 'tablet-1', name: 'Safari, iPad' });
    await openMedium(page, customer, medium);
    await expect(getPositionOffer(page)).toContainText(/On this device you were at \d+ ?%/);
    await page.getByRole('button', { name: 'Go there' }).click();
    await expect
      .poll(async () => (await readProgress(customer, medium)).position.totalProgression)
      .toBeLessThan(farPosition.totalProgression);
  });

const readSeconds = async (customer: Customer): Promise<number> => (await readProgress(customer, 'audio')).position.seconds ?? -1;

/**
 * Moves forward in a recording while offline, so that the position cannot be saved.
 * @returns the saved position in seconds
 */
const moveOffline = async (page: Page, context: BrowserContext, customer: Customer) => {
  await customer.buy('1019');
  await customer.signInBrowser(context);
  await openMedium(page, customer, 'audio');
  await Promise.all([waitForSave(page), moveForward(page, 'audio')]);
  const savedSeconds = await readSeconds(customer);
  expect(savedSeconds).toBeGreaterThan(20);
  await context.setOffline(true);
  const failedSave = page.waitForEvent('requestfailed', (request) => request.url().includes('/viewer/progress'));
  await moveForward(page, 'audio');
  await failedSave;
  return savedSeconds;
};

test('an unsaved position is sent when the connection returns', async ({ page, context, shop, errors }) => {
  errors.allow(/net::ERR/);
  const customer = await Customer.signUp(shop);
  const savedSeconds = await moveOffline(page, context, customer);
  await context.setOffline(false);
  await expect.poll(() => readSeconds(customer)).toBeGreaterThan(savedSeconds);
});

test('an unsaved position of a closed tab is sent at the next visit', async ({ page, context, shop, errors }) => {
  errors.allow(/net::ERR/);
  const customer = await Customer.signUp(shop);
  const savedSeconds = await moveOffline(page, context, customer);
  await page.close();
  await context.setOffline(false);
  expect(await readSeconds(customer)).toBe(savedSeconds);
  const newTab = await context.newPage();
  await newTab.goto('/mylibrary');
  await expect.poll(() => readSeconds(customer)).toBeGreaterThan(savedSeconds);
});
