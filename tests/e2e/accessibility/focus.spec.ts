import type { Page } from '@playwright/test';
import { waitUntilSettled } from '../pages/axe.ts';
import { ShopPage } from '../../../tools/browser/shop.ts';
import { stubResponse } from '../../../tools/browser/wire.ts';
import { expect, test } from '../support/shop.ts';

const phone = { width: 390, height: 844 };

/**
 * Measures whether the focused element is entirely under the top bar, and by how many pixels it
 * overflows the sides of the window.
 */
const measureHiddenFocus = (page: Page): Promise<{ name: string; isUnderTopBar: boolean; overflowPx: number }> =>
  page.evaluate(() => {
    const { activeElement: focusedElement } = document;
    const topBar = document.querySelector('header');
    if (focusedElement === null) throw new Error('No element has the focus: expected one in the document.');
    if (topBar === null) throw new Error('The page has no top bar: expected an element <header>.');
    const { bottom, left, right } = focusedElement.getBoundingClientRect();
    return {
      name: focusedElement.textContent.slice(0, 40),
      isUnderTopBar: !topBar.contains(focusedElement) && bottom <= topBar.getBoundingClientRect().bottom,
      overflowPx: Math.max(0, -left, right - document.documentElement.clientWidth),
    };
  });

for (const viewport of [phone, { width: 1366, height: 900 }]) {
  test(`no focused link in the content is hidden by the top bar or cut off at the side, at ${viewport.width} pixels`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    await page.goto('/');
    await waitUntilSettled(page, '/');
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let stop = 0; stop < 30; stop += 1) {
        await page.keyboard.press(key);
        const isLinkInMain = await page.evaluate(() => document.querySelector('main a:focus') !== null);
        if (!isLinkInMain) continue;
        await expect.poll(() => measureHiddenFocus(page)).toMatchObject({ isUnderTopBar: false, overflowPx: 0 });
      }
    }
  });
}

test('moving back up a page by keyboard keeps the focus visible', async ({ page }) => {
  await page.goto('/id:1009');
  await waitUntilSettled(page, '/id:1009');
  await page.getByRole('contentinfo').getByRole('link').first().focus();
  for (let stop = 0; stop < 25; stop += 1) {
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => measureHiddenFocus(page)).toMatchObject({ isUnderTopBar: false });
  }
});

test('moving past the menu by keyboard closes it', async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto('/about');
  await waitUntilSettled(page, '/about');
  const closeButton = page.getByRole('button', { name: 'Close the menu' });
  await page.getByRole('button', { name: 'Menu' }).press('Enter');
  await expect(closeButton).toBeVisible();
  for (let stop = 0; stop < 40 && (await closeButton.isVisible()); stop += 1) await page.keyboard.press('Tab');
  await expect(closeButton).toBeHidden();
});

test('a successful retry leaves the focus in the screen', async ({ page, errors }) => {
  errors.allow(/status of 500/);
  const shop = new ShopPage(page);
  await stubResponse(page, '/titles/1005', 'oops', 500);
  await page.goto('/id:1005');
  await shop.waitForState('title', 'failed');
  await page.unrouteAll();
  await shop.control('retry.pressed').press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Wend');
  await expect(page.getByRole('main')).toBeFocused();
});

test('a script that does not load is reported by the page itself', async ({ page, errors }) => {
  errors.allow(/Failed to load resource/);
  await page.route(/\/assets\/(?:shop|index)-[^/]*\.js$/, (route) => route.abort());
  await page.goto('/');
  const failureMessage = page.getByText('Loading failed! Please reload.');
  await expect(failureMessage).toBeHidden();
  // The message appears after a CSS delay, which is skipped here.
  await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
  await expect(failureMessage).toBeVisible();
});
