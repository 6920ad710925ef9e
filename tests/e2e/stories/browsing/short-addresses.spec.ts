import type { Page } from '@playwright/test';
import { readClock, getInterruption, buyAndOpenTitle } from '../../pages/reading.ts';
import { testWithMediaLifetime } from '../../support/media-lifetime.ts';
import { expect } from '../../support/shop.ts';

/** Seconds that a media URL is valid: each of these stories lasts longer. */
const MEDIA_LIFETIME_S = 20;
const TIMEOUT_MS = 90_000;

const test = testWithMediaLifetime(MEDIA_LIFETIME_S).extend<{ countRenewals: () => number }>({
  /** Returns how often URLs were renewed since the title was opened. */
  countRenewals: async ({ page }, use) => {
    let count = -1;
    page.on('response', (response) => {
      if (response.url().includes('/viewer/components') && response.ok()) count += 1;
    });
    await use(() => count);
  },
});

/** Starts to record the longest time that the player waits for its file, in milliseconds. */
const recordWaits = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const player = document.querySelector('[data-flow="tracks"]');
    let waitStart: number | null = null;
    Object.assign(window, { longestWait: 0 });
    new MutationObserver(() => {
      const isWaiting = player?.getAttribute('data-state')?.includes('waiting') === true;
      if (isWaiting) waitStart ??= performance.now();
      else if (waitStart !== null) {
        const longestWait = Math.max(Number(Reflect.get(window, 'longestWait')), performance.now() - waitStart);
        Object.assign(window, { longestWait });
        waitStart = null;
      }
    }).observe(player ?? document, { attributes: true, attributeFilter: ['data-state'] });
  });

const readLongestWait = (page: Page): Promise<number> => page.evaluate(() => Number(Reflect.get(window, 'longestWait')));
const expectUndisturbed = async (page: Page): Promise<void> => {
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(getInterruption(page)).toBeEmpty();
};

for (const [medium, titleId] of [
  ['EPUB', '1001'],
  ['PDF', '1016'],
] as const)
  test(`${medium}: pages turn while URLs of ${MEDIA_LIFETIME_S} seconds are renewed`, async ({
    page,
    customer,
    countRenewals,
  }) => {
    test.setTimeout(TIMEOUT_MS);
    const view = await buyAndOpenTitle(page, customer, titleId);
    await expect(view.control('turn.pressed', view.flow('book')).first()).toBeEnabled();
    const readFooter = () => page.locator('[data-flow="book"] footer').innerText();
    const slider = page.locator('[data-event="fraction.chosen"]');
    const moves = [
      () => slider.press('End'),
      () => slider.press('Home'),
      () => page.locator('[data-event="turn.pressed"][data-value="next"]').click(),
    ];
    for (let index = 0; countRenewals() < 3; index += 1) {
      const footerBefore = await readFooter();
      await moves[index % moves.length]?.();
      await expect.poll(readFooter).not.toBe(footerBefore);
    }
    await expectUndisturbed(page);
  });

test('audio: parts play one after the other while URLs are renewed', async ({ page, customer, countRenewals }) => {
  test.setTimeout(TIMEOUT_MS);
  const view = await buyAndOpenTitle(page, customer, '1019');
  await view.waitForState('tracks', { attached: 'paused' });
  await recordWaits(page);
  await view.control('play.pressed').click();
  for (const part of ['1', '2', '3']) {
    const renewalsBefore = countRenewals();
    await expect.poll(countRenewals, { timeout: 30_000 }).toBeGreaterThan(renewalsBefore);
    await page.locator(`[data-event="item.chosen"][data-value="${part}"]`).click();
    await view.waitForState('tracks', { attached: 'playing' });
    const secondsBefore = await readClock(page);
    await expect.poll(() => readClock(page)).toBeGreaterThan(secondsBefore);
  }
  await expectUndisturbed(page);
  expect(await readLongestWait(page)).toBeLessThan(1_000);
});

/** Size of a range: more than half of the film, which plays for longer than its URL is valid. */
const RANGE_BYTES = 1_200_000;

test('video: the film continues after its URL has expired and the server has refused a range', async ({
  page,
  customer,
  countRenewals,
  errors,
}) => {
  errors.allow(/status of 403/);
  test.setTimeout(TIMEOUT_MS);
  const refusalSeconds: number[] = [];
  // As with a long film, the second range is requested only after the URL has expired.
  await page.route(/film\.mp4/, async (route) => {
    const request = route.request();
    const firstByte = Number(/bytes=(\d+)/.exec(request.headers()['range'] ?? '')?.[1] ?? 0);
    const fetchRange = (range: string) => route.fetch({ headers: { ...request.headers(), range } });
    const isUrlValid = async () => (await fetchRange('bytes=0-1')).ok();
    if (firstByte > 0 && countRenewals() === 0) await expect.poll(isUrlValid, { timeout: 30_000 }).toBe(false);
    const response = await fetchRange(`bytes=${firstByte}-${firstByte + RANGE_BYTES - 1}`);
    if (response.status() === 403) refusalSeconds.push(await readClock(page));
    return route.fulfill({ response });
  });
  const view = await buyAndOpenTitle(page, customer, '1022');
  await view.waitForState('tracks', { attached: 'paused' });
  await recordWaits(page);
  await view.control('play.pressed').click();
  await expect.poll(() => readClock(page), { timeout: 60_000 }).toBeGreaterThan(30);
  expect(refusalSeconds).not.toEqual([]);
  await expectUndisturbed(page);
  expect(await readLongestWait(page)).toBeLessThan(1_000);
});
