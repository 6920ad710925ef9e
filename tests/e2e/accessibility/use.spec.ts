import type { Page } from '@playwright/test';
import { waitUntilSettled } from '../pages/axe.ts';
import { Keyboard } from '../pages/keyboard.ts';
import { expect, test } from '../support/shop.ts';

const hasFocus = (page: Page, selector: string): Promise<boolean> =>
  page.locator(selector).evaluate((element) => element === document.activeElement);

test('the first Tab stop skips to the content', async ({ page }) => {
  await page.goto('/id:1001');
  await waitUntilSettled(page, '/id:1001');
  await page.keyboard.press('Tab');
  const skipLink = page.getByRole('link', { name: 'Skip to content' });
  await expect(skipLink).toBeFocused();
  await expect(skipLink).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  expect(await hasFocus(page, 'main :focus')).toBe(true);
});

test('a new screen takes the focus, and its name is announced', async ({ page }) => {
  await page.goto('/all');
  await waitUntilSettled(page, '/all');
  await page
    .getByRole('main')
    .getByRole('link', { name: /Night Ferry/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: /Night Ferry/ })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.locator('[aria-live="polite"]', { hasText: /Night Ferry.* · Harbour Books/ })).toBeAttached();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Titles' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
});

test('every focused element has a visible focus indicator', async ({ page }) => {
  await page.goto('/id:1001');
  await waitUntilSettled(page, '/id:1001');
  for (let stop = 0; stop < 25; stop += 1) {
    await page.keyboard.press('Tab');
    const focusIndicator = await page.evaluate(() => {
      const focusedElement = document.activeElement;
      if (focusedElement === null || focusedElement === document.body) return null;
      const { width, height } = focusedElement.getBoundingClientRect();
      // A field may have its outline on the frame around it.
      const { parentElement: parent } = focusedElement;
      const elements = [focusedElement, parent, parent?.parentElement].filter((element) => element != null);
      const outlines = elements.map((element) => getComputedStyle(element));
      const isMarked = outlines.some(
        ({ outlineStyle, outlineWidth }) => outlineStyle === 'solid' && Number.parseFloat(outlineWidth) >= 2,
      );
      return { isMarked, hasSize: width > 0 && height > 0, html: focusedElement.outerHTML.slice(0, 200) };
    });
    if (focusIndicator !== null) expect(focusIndicator, focusIndicator.html).toMatchObject({ isMarked: true, hasSize: true });
  }
});

test('no animation runs for users who prefer reduced motion', async ({ page, context }) => {
  const listAnimated = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('*')].flatMap((element) => {
        const { animationDuration, animationName, transitionDuration } = getComputedStyle(element);
        const seconds = [animationName === 'none' ? '0s' : animationDuration, transitionDuration]
          .flatMap((text) => text.split(','))
          .map(Number.parseFloat);
        return Math.max(...seconds) > 0.001 ? [element.outerHTML.slice(0, 80)] : [];
      }),
    );
  await page.goto('/id:1001');
  await waitUntilSettled(page, '/id:1001');
  expect((await listAnimated()).length).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await listAnimated()).toEqual([]);
  // A loading screen has the most animation.
  await context.route(/\/api\/titles/, () => undefined);
  await page.goto('/id:1008');
  await expect(page.locator('[aria-busy="true"]')).toBeVisible();
  expect(await listAnimated()).toEqual([]);
});

test('a purchase can be started by keyboard in a window zoomed to 200%', async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 450 });
  await page.goto('/id:1001');
  await waitUntilSettled(page, '/id:1001');
  await new Keyboard(page).press(page.getByRole('link', { name: /^Buy/ }));
  await expect(page.getByRole('heading', { level: 1, name: 'Your purchase' })).toBeVisible();
});
