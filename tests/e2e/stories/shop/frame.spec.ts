import type { Locator } from '@playwright/test';
import type { FramePart } from '../../../../machines/flows/flow-definition.ts';
import { chooseLook, expectFrame, frameParts, openWithFrame } from '../../../../tools/browser/frame.ts';
import { Customer } from '../../../../tools/browser/customer.ts';
import { expect, test } from '../../support/shop.ts';

const readTop = (locator: Locator): Promise<number> => locator.evaluate((element) => element.getBoundingClientRect().top);

const foldedParts: FramePart[] = ['sidebar', 'home', 'explore'];
const allFrameParts = frameParts;

for (const [layout, width] of [
  ['desktop', 1221],
  ['tablet', 1220],
  ['tablet', 768],
  ['mobile', 767],
] as const) {
  test(`a window ${width} px wide has the ${layout} layout [S2.layout] [S2.layout/sidebar]`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await openWithFrame(page, '/all');
    const isFolded = layout !== 'desktop';
    await expectFrame(
      page,
      allFrameParts.filter((part) => !isFolded || !foldedParts.includes(part)),
    );
    const [search, account] = [page.getByRole('search'), page.getByRole('navigation', { name: 'Your account' })];
    const isBelow = (await readTop(search)) > (await readTop(account)) + 30;
    expect(isBelow, 'the search has a row of its own').toBe(layout === 'mobile');
    const menu = page.getByRole('button', { name: 'Menu' });
    if (!isFolded) return expect(menu).toBeHidden();
    await menu.click();
    await expect(page.getByRole('navigation', { name: 'Categories' }).getByRole('link').first()).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Explore' }).getByRole('link', { name: 'Home' })).toBeVisible();
  });
}

test('an open menu disappears when the window becomes wide, and blocks nothing [S2.layout/sidebar]', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 900 });
  await page.goto('/all');
  const closeButton = page.getByRole('button', { name: 'Close the menu' });
  const explore = page.getByRole('navigation', { name: 'Explore' });
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(closeButton).toBeVisible();
  await page.setViewportSize({ width: 1366, height: 900 });
  await expect(closeButton).toBeHidden();
  await expect(page.getByRole('complementary').getByRole('navigation', { name: 'Categories' })).toBeVisible();
  await expect(explore).toHaveCount(1);
  await explore.getByRole('link', { name: 'eBooks' }).click();
  await expect(page).toHaveURL('/ebook');
  await page.setViewportSize({ width: 900, height: 900 });
  await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible();
  await expect(closeButton).toBeHidden();
});

test('a customer’s list loads the frame at once, for its prices; a visitor’s first screen loads without it', async ({
  page,
  context,
  shop,
}) => {
  // Timers of one second or longer never fire, so that deferred chunks are not loaded.
  await context.addInitScript(() => {
    const originalSetTimeout = setTimeout;
    const setShortTimeout = (run: () => void, delay = 0): number => (delay >= 1000 ? 0 : Number(originalSetTimeout(run, delay)));
    Object.assign(globalThis, { setTimeout: setShortTimeout });
  });
  const card = page.getByRole('link', { name: /^The Lamp Mender/ });
  const saveButton = page.getByRole('button', { name: 'Save The Lamp Mender for later' });
  await page.goto('/all', { waitUntil: 'networkidle' });
  await expect(card).toContainText('$5.99');
  await expect(saveButton).toHaveCount(0);
  await (await Customer.signUp(shop)).signInBrowser(context);
  await page.reload();
  await expect(saveButton).toBeVisible();
  await expect(card).toContainText('$5.99');
});

test('the top bar has the specified labels [S1.topbar] [S1.topbar-more] [S2.frame/subscribe]', async ({
  page,
  context,
  shop,
}) => {
  await (await Customer.signUp(shop)).signInBrowser(context);
  await page.goto('/all');
  const bar = page.getByRole('banner');
  for (const name of ['Home', /^Subscribe/, 'My Library']) await expect(bar.getByRole('link', { name })).toBeVisible();
  await bar.getByRole('button', { name: 'Account' }).click();
  for (const name of ['My Profile', 'Help']) await expect(bar.getByRole('link', { name })).toBeVisible();
  await bar.getByRole('link', { name: 'My Profile' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Profile');
  await expect(page).toHaveTitle(/^My Profile /);
  await bar.getByRole('button', { name: 'Account' }).click();
  await bar.getByRole('button', { name: 'Logout' }).click();
  await expect(bar.getByRole('link', { name: 'Sign in' })).toBeVisible();
});

test('the menus of the top bar close when the focus leaves them, and by their own button', async ({ page, context, shop }) => {
  const bar = page.getByRole('banner');
  const expectMenuCloses = async (button: string, lastControl: Locator): Promise<void> => {
    await bar.getByRole('button', { name: button }).focus();
    await page.keyboard.press('Enter');
    await expect(lastControl).toBeVisible();
    await lastControl.focus();
    await page.keyboard.press('Tab');
    await expect(lastControl).toBeHidden();
    await bar.getByRole('button', { name: button }).click();
    await lastControl.focus();
    await bar.getByRole('button', { name: button }).click();
    await expect(lastControl).toBeHidden();
  };
  await openWithFrame(page, '/all');
  await expectMenuCloses('Appearance', bar.locator('select').last());
  await (await Customer.signUp(shop)).signInBrowser(context);
  await openWithFrame(page, '/all');
  await expectMenuCloses('Account', bar.getByRole('button', { name: 'Logout' }));
});

test('a chosen theme is remembered; one that no longer exists is replaced by the default [S2.theme] [S9.layout-not-kept]', async ({
  page,
}) => {
  await page.goto('/');
  await chooseLook(page, 'background', 'night');
  await chooseLook(page, 'topBar', 'forest');
  const readBackground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const readBarColor = () => page.getByRole('banner').evaluate((header) => getComputedStyle(header).backgroundColor);
  await expect.poll(readBackground).toBe('rgb(22, 20, 18)');
  await page.reload();
  await expect.poll(readBackground).toBe('rgb(22, 20, 18)');
  expect(await readBarColor()).toBe('rgb(28, 66, 50)');
  const keysWithLayout = await page.evaluate(() =>
    Object.keys(localStorage).filter((key) => /layout/i.test(localStorage.getItem(key) ?? '')),
  );
  expect(keysWithLayout).toEqual([]);
  await page.evaluate(() => localStorage.setItem('colophon.appearance', '{"background":"neon","topBar":"forest","sidebar":[]}'));
  await page.reload();
  await expect.poll(readBackground).toBe('rgb(250, 248, 244)');
  expect(await readBarColor()).toBe('rgb(28, 66, 50)');
});

test('the search fits beside everything in a customer’s bar, at every width', async ({ page, context, shop }) => {
  await (await Customer.signUp(shop)).signInBrowser(context);
  await openWithFrame(page, '/all');
  const credits = page.getByRole('banner').getByText(/\d credits?/i);
  for (const width of [320, 390, 767, 768, 834, 900, 1024, 1220, 1221, 1366]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(credits).toBeVisible();
    const box = await page.getByRole('search').boundingBox();
    expect(box?.width, `the search in a window of ${width} pixels`).toBeGreaterThan(150);
  }
});
