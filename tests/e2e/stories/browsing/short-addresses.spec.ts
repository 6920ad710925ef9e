import type { Page } from '@playwright/test';
import { clock, interruptionOf, buyAndOpenTitle } from '../../pages/reading.ts';
import { testWithMediaLifetime } from '../../support/media-lifetime.ts';
import { expect } from '../../support/shop.ts';

/** Seconds that a media URL is valid: each of these stories lasts longer. */
const MEDIA_LIFETIME_S = 20;
const TIMEOUT_MS = 90_000;

const test = testWithMediaLifetime(MEDIA_LIFETIME_S).extend<{ renewals: () => number }>({
  /** How often URLs were renewed since the title was opened. */
  renewals: async ({ page }, use) => {
    let count = -1;
    page.on('response', (answer) => {
      if (answer.url().includes('/viewer/components') && answer.ok()) count += 1;
    });
    await use(() => count);
  },
});

/** The longest time that the player has waited for its file, in milliseconds. */
const recordWaits = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const player = document.querySelector('[data-flow="tracks"]');
    let since: number | null = null;
    Object.assign(window, { longestWait: 0 });
    new MutationObserver(() => {
      const isWaiting = player?.getAttribute('data-state')?.includes('waiting') === true;
      if (isWaiting) since ??= performance.now();
      else if (since !== null) {
        Object.assign(window, { longestWait: Math.max(Number(Reflect.get(window, 'longestWait')), performance.now() - since) });
        since = null;
      }
    }).observe(player ?? document, { attributes: true, attributeFilter: ['data-state'] });
  });

const readLongestWait = (page: Page): Promise<number> => page.evaluate(() => Number(Reflect.get(window, 'longestWait')));
const expectUndisturbed = async (page: Page): Promise<void> => {
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(interruptionOf(page)).toBeEmpty();
};

for (const [medium, titleId] of [
  ['EPUB', '1001'],
  ['PDF', '1016'],
] as const)
  test(`${medium}: pages turn while URLs of ${MEDIA_LIFETIME_S} seconds are renewed`, async ({ page, customer, renewals }) => {
    test.setTimeout(TIMEOUT_MS);
    const view = await buyAndOpenTitle(page, customer, titleId);
    await expect(view.control('turn.pressed', view.flow('book')).first()).toBeEnabled();
    const foot = () => page.locator('[data-flow="book"] footer').innerText();
    const slider = page.locator('[data-event="fraction.chosen"]');
    const moves = [
      () => slider.press('End'),
      () => slider.press('Home'),
      () => page.locator('[data-event="turn.pressed"][data-value="next"]').click(),
    ];
    for (let nth = 0; renewals() < 3; nth += 1) {
      const before = await foot();
      await moves[nth % moves.length]?.();
      await expect.poll(foot).not.toBe(before);
    }
    await expectUndisturbed(page);
  });

test('audio: parts play one after the other while URLs are renewed', async ({ page, customer, renewals }) => {
  test.setTimeout(TIMEOUT_MS);
  const view = await buyAndOpenTitle(page, customer, '1019');
  await view.waitForState('tracks', { attached: 'paused' });
  await recordWaits(page);
  await view.control('play.pressed').click();
  for (const part of ['1', '2', '3']) {
    const begun = renewals();
    await expect.poll(renewals, { timeout: 30_000 }).toBeGreaterThan(begun);
    await page.locator(`[data-event="item.chosen"][data-value="${part}"]`).click();
    await view.waitForState('tracks', { attached: 'playing' });
    const now = await clock(page);
    await expect.poll(() => clock(page)).toBeGreaterThan(now);
  }
  await expectUndisturbed(page);
  expect(await readLongestWait(page)).toBeLessThan(1_000);
});

/** More than half of the film: it plays for longer than its URL is valid. */
const PIECE_BYTES = 1_200_000;

test('video: the film keeps playing past the expiry of its URL, though its server cuts it off', async ({
  page,
  customer,
  renewals,
  errors,
}) => {
  errors.allow(/status of 403/);
  test.setTimeout(TIMEOUT_MS);
  const refusals: number[] = [];
  // Of a long film, the second range is requested when the URL has expired.
  await page.route(/film\.mp4/, async (route) => {
    const request = route.request();
    const begin = Number(/bytes=(\d+)/.exec(request.headers()['range'] ?? '')?.[1] ?? 0);
    const get = (range: string) => route.fetch({ headers: { ...request.headers(), range } });
    const isOpen = async () => (await get('bytes=0-1')).ok();
    if (begin > 0 && renewals() === 0) await expect.poll(isOpen, { timeout: 30_000 }).toBe(false);
    const response = await get(`bytes=${begin}-${begin + PIECE_BYTES - 1}`);
    if (response.status() === 403) refusals.push(await clock(page));
    return route.fulfill({ response });
  });
  const view = await buyAndOpenTitle(page, customer, '1022');
  await view.waitForState('tracks', { attached: 'paused' });
  await recordWaits(page);
  await view.control('play.pressed').click();
  await expect.poll(() => clock(page), { timeout: 60_000 }).toBeGreaterThan(30);
  expect(refusals).not.toEqual([]);
  await expectUndisturbed(page);
  expect(await readLongestWait(page)).toBeLessThan(1_000);
});
