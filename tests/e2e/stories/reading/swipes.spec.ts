import type { CDPSession, Page } from '@playwright/test';
import { Customer } from '../../../../tools/browser/customer.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

/** Moves a finger between two x positions, in pixels; the browser handles the touches as real. */
const swipe = async (touch: CDPSession, from: number, to: number): Promise<void> => {
  const createTouchPoints = (x: number) => [{ x, y: 420 }];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: createTouchPoints(from) });
  for (let step = 1; step <= 6; step += 1) {
    const x = from + ((to - from) * step) / 6;
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: createTouchPoints(x) });
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
};

/** Reads the touch actions that the browser itself may handle on the pages of an EPUB. */
const readTouchActions = (page: Page): Promise<string[]> =>
  Promise.all(
    page
      .frames()
      .filter((frame) => frame.url().includes('.epub/'))
      .map((frame) => frame.evaluate(() => getComputedStyle(document.documentElement).touchAction)),
  );

for (const [medium, titleId] of [
  ['epub', '1001'],
  ['pdf', '1016'],
] as const) {
  test(`swipes turn the pages of a book (${medium}) forward and back, from the window’s sides too`, async ({
    page,
    context,
    shop,
  }) => {
    const view = new ShopPage(page);
    const customer = await Customer.signUp(shop);
    await customer.buy(titleId);
    await customer.signInBrowser(context);
    await page.goto('/');
    await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titleId)}`);
    const urlBefore = page.url();
    const book = view.flow('book');
    await expect(view.control('turn.pressed', book)).toBeEnabled();
    const touch = await context.newCDPSession(page);
    const expectTurn = async (from: number, to: number) => {
      const progressBefore = await view.readProgress();
      await swipe(touch, from, to);
      await expect.poll(async () => Math.sign((await view.readProgress()) - progressBefore)).toBe(from > to ? 1 : -1);
    };
    await expectTurn(300, 60);
    await expectTurn(380, 100);
    await expectTurn(60, 300);
    // A swipe from where a phone's own back gesture starts.
    await expectTurn(6, 260);
    expect(page.url()).toBe(urlBefore);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).overscrollBehaviorX)).toBe('none');
    if (medium === 'epub') expect(new Set(await readTouchActions(page))).toEqual(new Set(['pan-y pinch-zoom']));
    // A tap at the side turns the page as well.
    const progressBefore = await view.readProgress();
    await page.touchscreen.tap(384, 420);
    await expect.poll(() => view.readProgress()).toBeGreaterThan(progressBefore);
  });
}
