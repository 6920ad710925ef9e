import type { Page } from '@playwright/test';
import { Customer } from '../../../../tools/browser/customer.ts';
import { readClock } from '../../pages/reading.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

const titles = { audio: '1019', otherAudio: '1020', film: '1022' };

const playingState = { attached: 'playing' };
const pausedState = { attached: 'paused' };

const createOwner = async (shop: Parameters<typeof Customer.signUp>[0], ...titleIds: string[]): Promise<Customer> => {
  const customer = await Customer.signUp(shop);
  for (const titleId of titleIds) await customer.buy(titleId);
  return customer;
};

test('a recording shows its cover, and reopens at the second at which it was closed', async ({ page, context, shop }) => {
  const shopPage = new ShopPage(page);
  const customer = await createOwner(shop, titles.audio);
  await customer.signInBrowser(context);
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titles.audio)}`);
  await shopPage.waitForState('tracks', pausedState);
  const cover = page.locator('[data-flow="tracks"] img');
  await expect.poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(600);
  await shopPage.control('play.pressed').click();
  await expect.poll(() => readClock(page)).toBeGreaterThan(2);
  const secondsBefore = await readClock(page);
  await shopPage.control('close.pressed').click();
  await shopPage.waitForState('library', 'shown');
  await shopPage.control('title.opened').click();
  await shopPage.waitForState('tracks', pausedState);
  await expect.poll(() => readClock(page)).toBeGreaterThanOrEqual(secondsBefore);
});

test('a retry loads the part that failed, which then plays', async ({ page, context, shop, errors }) => {
  errors.allow(/Failed to load resource/);
  const shopPage = new ShopPage(page);
  const customer = await createOwner(shop, titles.audio);
  await customer.signInBrowser(context);
  const isThirdTrack = ({ pathname }: URL) => pathname.endsWith('track-03.mp3');
  await page.route(isThirdTrack, (route) => route.abort());
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titles.audio)}`);
  await shopPage.waitForState('tracks', pausedState);
  const thirdPart = page.locator('[data-event="item.chosen"][data-value="3"]');
  await thirdPart.click();
  await expect(page.locator('[data-flow="interruption"]')).toContainText('The shop can’t be reached');
  await page.unroute(isThirdTrack);
  await shopPage.control('continue.pressed').click();
  await shopPage.waitForState('tracks', playingState);
  await expect(thirdPart).toHaveAttribute('aria-current', 'true');
});

test('each title keeps its speed, a new one has the last speed of its medium, and volume applies to all', async ({
  page,
  context,
  shop,
}) => {
  const shopPage = new ShopPage(page);
  const customer = await createOwner(shop, titles.audio, titles.otherAudio, titles.film);
  await customer.signInBrowser(context);
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titles.audio)}`);
  await shopPage.waitForState('tracks', pausedState);
  await page.getByLabel('Speed').selectOption('1.5');
  await page.keyboard.press('m');
  await expect(page.getByRole('button', { name: 'Unmute' })).toBeVisible();
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titles.otherAudio)}`);
  await shopPage.waitForState('tracks', pausedState);
  await expect(page.getByLabel('Speed')).toHaveValue('1.5');
  await expect(page.getByRole('button', { name: 'Unmute' })).toBeVisible();
  await page.getByLabel('Speed').selectOption('2');
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titles.film)}`);
  await shopPage.waitForState('tracks', pausedState);
  await expect(page.getByLabel('Speed')).toHaveValue('1');
  await expect(page.getByRole('button', { name: 'Unmute' })).toBeVisible();
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titles.audio)}`);
  await shopPage.waitForState('tracks', pausedState);
  await expect(page.getByLabel('Speed')).toHaveValue('1.5');
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titles.otherAudio)}`);
  await shopPage.waitForState('tracks', pausedState);
  await expect(page.getByLabel('Speed')).toHaveValue('2');
});

test('on a phone in landscape the film fills the screen, with the bars over it until the pointer rests', async ({
  page,
  context,
  shop,
}) => {
  await page.setViewportSize({ width: 844, height: 390 });
  const shopPage = new ShopPage(page);
  const customer = await createOwner(shop, titles.film);
  await customer.signInBrowser(context);
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titles.film)}`);
  await shopPage.waitForState('tracks', pausedState);
  const film = page.locator('video');
  expect(await film.boundingBox()).toEqual({ x: 0, y: 0, width: 844, height: 390 });
  for (const name of ['play.pressed', 'seek.chosen', 'captions.chosen', 'mute.pressed', 'fullScreen.pressed', 'close.pressed']) {
    await expect(shopPage.control(name), name).toBeInViewport({ ratio: 1 });
  }
  await film.click({ position: { x: 420, y: 160 } });
  await shopPage.waitForState('tracks', playingState);
  const bar = shopPage.control('pause.pressed').locator('xpath=ancestor::*[@data-bar]');
  await expect(bar).toHaveCSS('opacity', '0');
  await page.mouse.move(300, 100);
  await expect(bar).toHaveCSS('opacity', '1');
  await film.click({ position: { x: 420, y: 160 } });
  await shopPage.waitForState('tracks', pausedState);
});

/** Serves a title with sixty parts, which all have the content of the first. */
const serveSeveralItems = async (page: Page): Promise<void> => {
  await page.route('**/viewer/components*', async (route) => {
    const response = await route.fetch();
    const publication = (await response.json()) as { items: { id: string; name: string }[] };
    const [firstItem] = publication.items;
    const items = Array.from({ length: 60 }, (_, index) => ({
      ...firstItem,
      chapters: undefined,
      id: `${index + 1}`,
      name: `Part ${index + 1} of the night`,
    }));
    await route.fulfill({ json: { ...publication, items } });
  });
  await page.route('**/viewer/url*', (route) =>
    route.continue({
      url: route
        .request()
        .url()
        .replace(/content=\d+/, 'content=1'),
    }),
  );
};

for (const [layout, viewport, titleId, isDrawer] of [
  ['beside a recording', { width: 1280, height: 720 }, titles.audio, false],
  ['below a recording', { width: 390, height: 844 }, titles.audio, false],
  ['beside a recording on a phone in landscape', { width: 844, height: 390 }, titles.audio, false],
  ['over a film', { width: 844, height: 390 }, titles.film, true],
] as const)
  test(`the list of parts ${layout} opens at the current part`, async ({ page, context, shop }) => {
    await page.setViewportSize(viewport);
    const shopPage = new ShopPage(page);
    const customer = await createOwner(shop, titleId);
    await customer.signInBrowser(context);
    await serveSeveralItems(page);
    const position = { itemId: '40', seconds: 1, totalProgression: 0.65 };
    await page.route('**/viewer/progress*', (route) =>
      route.request().method() === 'GET' ? route.fulfill({ json: { position, version: 1 } }) : route.fallback(),
    );
    await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titleId)}`);
    await shopPage.waitForState('tracks', pausedState);
    if (isDrawer) await page.getByRole('button', { name: 'Parts' }).click();
    const partList = page.getByRole('navigation', { name: 'Parts' });
    const currentPart = partList.locator('[aria-current]');
    await expect(currentPart).toContainText('Part 40 of the night');
    if (!isDrawer) await expect(shopPage.control('play.pressed')).toBeInViewport({ ratio: 1 });
    await partList.scrollIntoViewIfNeeded();
    await expect(currentPart).toBeInViewport({ ratio: 1 });
    expect((await partList.boundingBox())?.height).toBeGreaterThan(200);
    if (!isDrawer) return;
    await partList.evaluate((element) => element.scrollTo(0, 0));
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Parts' }).click();
    await expect(currentPart).toBeInViewport({ ratio: 1 });
  });

test('on a phone in landscape, another part of a film is chosen from a list over the picture', async ({
  page,
  context,
  shop,
}) => {
  await page.setViewportSize({ width: 844, height: 390 });
  const shopPage = new ShopPage(page);
  const customer = await createOwner(shop, titles.film);
  await customer.signInBrowser(context);
  await page.route('**/viewer/components*', async (route) => {
    const response = await route.fetch();
    const publication = (await response.json()) as { items: { id: string; name: string }[] };
    const [firstItem] = publication.items;
    if (firstItem === undefined) throw new Error('The film has no part.');
    await route.fulfill({ json: { ...publication, items: [firstItem, { ...firstItem, id: '2', name: 'The second evening' }] } });
  });
  // Both parts have the same film.
  await page.route('**/viewer/url*content=2&*', (route) =>
    route.continue({ url: route.request().url().replace('content=2&', 'content=1&') }),
  );
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titles.film)}`);
  await shopPage.waitForState('tracks', pausedState);
  const partList = page.getByRole('navigation', { name: 'Parts' });
  const secondPart = partList.getByRole('button', { name: 'The second evening' });
  await expect(secondPart).toBeHidden();
  const partsButton = page.getByRole('button', { name: 'Parts' });
  await partsButton.focus();
  await page.keyboard.press('Enter');
  await expect(secondPart).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(secondPart).toBeHidden();
  await expect(partsButton).toBeFocused();
  await partsButton.click();
  await secondPart.click();
  await expect(secondPart).toBeHidden();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(secondPart).toBeVisible();
  await expect(secondPart).toHaveAttribute('aria-current', 'true');
  await expect(partsButton).toBeHidden();
});

test('a film’s captions are in the chosen language, and a key turns them off and on', async ({ page, context, shop }) => {
  const shopPage = new ShopPage(page);
  const customer = await createOwner(shop, titles.film);
  await customer.signInBrowser(context);
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titles.film)}`);
  await shopPage.waitForState('tracks', pausedState);
  const readCues = () =>
    page.locator('video').evaluate((video: HTMLVideoElement) => {
      const visibleTracks = [...video.textTracks].filter(({ mode }) => mode === 'showing');
      return visibleTracks.flatMap(({ cues }) => [...(cues ?? [])].slice(0, 1).map((cue) => (cue as VTTCue).text));
    });
  await expect.poll(readCues).toEqual(['Twice a day the sea goes out and leaves its door open.']);
  await page.getByLabel('Language of the captions').selectOption('fr');
  await expect.poll(readCues).toEqual(['Deux fois par jour, la mer sort et laisse sa porte ouverte.']);
  await page.locator('[data-flow="tracks"]').focus();
  await page.keyboard.press('c');
  await expect.poll(readCues).toEqual([]);
  await page.keyboard.press('c');
  await expect.poll(readCues).toHaveLength(1);
});

test('a key shows a film in full screen, and the full-screen button leaves it', async ({ page, context, shop }) => {
  const shopPage = new ShopPage(page);
  const customer = await createOwner(shop, titles.film);
  await customer.signInBrowser(context);
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titles.film)}`);
  await shopPage.waitForState('tracks', pausedState);
  await page.keyboard.press('f');
  const leaveButton = page.getByRole('button', { name: 'Leave full screen' });
  await expect(leaveButton).toBeVisible();
  expect(await page.evaluate(() => document.fullscreenElement?.getAttribute('data-flow'))).toBe('tracks');
  await leaveButton.click();
  await expect(page.getByRole('button', { name: 'Full screen', exact: true })).toBeVisible();
  expect(await page.evaluate(() => document.fullscreenElement)).toBeNull();
});
