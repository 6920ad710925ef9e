import { rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import type { Trace } from '../../../../machines/trace/format.ts';
import {
  recordShifts,
  openCompletely,
  createShiftPage,
  measureShifts,
  readShifts,
  waitUntilComplete,
} from '../../../../tools/bench/layout-shift.ts';
import { createCertificate } from '../../../server/support/own-certificate.ts';
import { Customer } from '../../../../tools/browser/customer.ts';
import { findDivergences, parseTrace, readRecordedTrace } from '../../../../tools/browser/recorded-trace.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { startFreshShop } from '../../support/fresh-shop.ts';
import { holdScripts } from '../../support/hold-scripts.ts';
import { test } from '../../support/ssr-shop.ts';
import { expect, shopOptions } from '../../support/shop.ts';

/** Records, before any script runs, the server-rendered element. */
const recordRenderedElement = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      Object.assign(globalThis, { rendered: document.querySelector('#root')?.firstElementChild });
    });
  });
};

/** Whether React has hydrated, and the server-rendered element is still in the page. */
const isHydrated = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const rootElement = document.querySelector('#root')?.firstElementChild;
    const isReactElement = Object.keys(rootElement ?? {}).some((key) => key.startsWith('__react'));
    return isReactElement && rootElement === (globalThis as { rendered?: Element }).rendered;
  });

/** Records whether fewer titles are shown than were server-rendered. */
const recordLostTitles = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const countTitles = (): number => document.querySelectorAll('main a[href^="/id:"]').length;
    document.addEventListener('DOMContentLoaded', () => {
      const renderedCount = countTitles();
      const observer = new MutationObserver(() => countTitles() < renderedCount && Object.assign(globalThis, { hasLost: true }));
      observer.observe(document.body, { childList: true, subtree: true });
    });
  });
};

const hasLostTitles = (page: Page): Promise<boolean> => page.evaluate(() => 'hasLost' in globalThis);

const pages = [
  ['/', 'New on the shelves'],
  ['/all', 'Titles'],
  ['/all?sort=price', 'Titles'],
  ['/id:1001', 'The Keeper’s Third Log'],
  ['/about', 'About'],
  ['/subscription', 'Subscriptions'],
  ['/campaign/evening-reads', 'Evening Reads'],
  ['/nowhere', 'Oops! Wrong Turn'],
] as const;

for (const [path, visibleText] of pages) {
  test(`${path} is shown before its scripts, which hydrate it in place`, async ({ page, ssr, errors }) => {
    if (path === '/nowhere') errors.allow(/404/);
    await recordRenderedElement(page);
    const release = await holdScripts(page);
    await page.goto(ssr.url + path, { waitUntil: 'commit' });
    await expect(page.getByText(visibleText).first()).toBeVisible();
    await release();
    await expect.poll(() => isHydrated(page)).toBe(true);
  });
}

test('a visitor whose session has ended is offered sign-in', async ({ page, ssr, errors }) => {
  errors.allow(/status of 401/);
  await page.addInitScript(() => localStorage.setItem('id_token', 'spent'));
  const release = await holdScripts(page);
  await page.goto(`${ssr.url}/about`, { waitUntil: 'commit' });
  await expect(page.locator('main')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign in', exact: true })).toBeHidden();
  await release();
  await expect(page.getByRole('link', { name: 'Sign in', exact: true })).toBeVisible();
});

test('a signed-in customer is not offered sign-in, and the window title follows the pages of their account', async ({
  page,
  ssr,
}) => {
  const customer = await Customer.signUp(ssr);
  await page.addInitScript(
    ([token, userId, email]) => {
      localStorage.setItem('id_token', token ?? '');
      localStorage.setItem('userid', userId ?? '');
      localStorage.setItem('emailid', email ?? '');
    },
    [customer.token, customer.userId, customer.email],
  );
  const release = await holdScripts(page);
  await page.goto(`${ssr.url}/all`, { waitUntil: 'commit' });
  await expect(page.locator('main a[href^="/id:"]').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign in', exact: true })).toBeHidden();
  await release();
  await page.getByRole('button', { name: 'Account' }).click();
  await expect(page).toHaveTitle('Titles · Harbour Books');
  await page.getByRole('link', { name: 'Library' }).first().click();
  await expect(page).toHaveTitle('My Library · Harbour Books');
  // A screen that is left removes its own `<title>`, not the server-rendered one.
  await page.getByRole('button', { name: 'Account' }).click();
  await new ShopPage(page).control('signOut.pressed').first().click();
  await expect(page.locator('[data-flow="signIn"]')).toBeVisible();
});

test('a price shown to a signed-in customer remains until ownership is known', async ({ page, ssr }) => {
  const customer = await Customer.signUp(ssr);
  await customer.buy('1018');
  await customer.signInBrowser(page.context());
  await recordLostTitles(page);
  const ownership = Promise.withResolvers<void>();
  await page.route('**/api/user/titles**', async (route) => {
    await ownership.promise;
    await route.continue();
  });
  const titlesRequest = page.waitForRequest('**/api/user/titles**');
  await page.goto(ssr.url);
  await titlesRequest;
  const card = page.locator('main li').filter({ has: page.locator('a[href^="/id:1018"]') });
  const price = card.getByText(/\d\.\d\d$/).first();
  await expect(page.getByRole('button', { name: 'Account' })).toBeVisible();
  await expect(price).toBeVisible();
  ownership.resolve();
  await expect(card.getByText('In your library').first()).toBeVisible();
  expect(await hasLostTitles(page)).toBe(false);
});

test('a reloaded list keeps its scroll position, before and after hydration', async ({ page, ssr }) => {
  await recordLostTitles(page);
  await openCompletely(page, `${ssr.url}/all`);
  await page.mouse.wheel(0, 600);
  await expect.poll(() => page.evaluate(() => (history.state as { y?: number } | null)?.y)).toBe(600);
  const scrollYBefore = await page.evaluate(() => scrollY);
  const release = await holdScripts(page);
  await page.reload({ waitUntil: 'commit' });
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrollYBefore);
  await release();
  await waitUntilComplete(page);
  expect(await page.evaluate(() => scrollY)).toBe(scrollYBefore);
  expect(await hasLostTitles(page)).toBe(false);
});

test('the chosen language is server-rendered', async ({ page, ssr }) => {
  const shop = new ShopPage(page);
  await page.goto(ssr.url);
  await page
    .getByRole('combobox', { name: /language/i })
    .last()
    .selectOption('fr');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await shop.waitForState('app', 'open');
  await recordRenderedElement(page);
  await page.goto(`${ssr.url}/about`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect.poll(() => isHydrated(page)).toBe(true);
});

test('a list with an invalid cursor in its URL is server-rendered from its start', async ({ page, ssr }) => {
  await recordRenderedElement(page);
  await page.goto(`${ssr.url}/all?sort=title&after=nonsense`);
  await expect.poll(() => isHydrated(page)).toBe(true);
  await expect(page.locator('main li a[href^="/id:"]').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to the start' })).toHaveCount(0);
});

test('a link with a language parameter chooses no language for the following pages', async ({ page, ssr }) => {
  await openCompletely(page, `${ssr.url}/all?lang=fr&keep`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  const nextResponse = await page.goto(`${ssr.url}/about`);
  expect(await nextResponse?.text()).toContain('<html lang="en"');
});

test('with a certificate, the page, its scripts and covers are served over HTTP/2', async ({ browser }) => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-certificate-'));
  const { files } = await createCertificate(folder);
  const shop = await startFreshShop({
    env: { ...shopOptions.env, SSR_MODE: 'always', TLS_CERT: files.cert, TLS_KEY: files.key },
  });
  const page = await browser.newPage({ ignoreHTTPSErrors: true });
  await recordRenderedElement(page);
  await page.goto(`${shop.url}/all`);
  await expect.poll(() => isHydrated(page)).toBe(true);
  const protocols = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .map((entry) => entry as PerformanceResourceTiming)
      .map(({ initiatorType, nextHopProtocol }) => `${initiatorType} ${nextHopProtocol}`),
  );
  expect(protocols).toEqual(expect.arrayContaining(['navigation h2', 'script h2', 'img h2']));
  expect(protocols.filter((each) => !each.endsWith(' h2'))).toEqual([]);
  await page.close();
  await shop.remove();
  await rm(folder, { recursive: true });
});

type RecordedStep = { kind: string; from: string | null | undefined; event: string | null; states: object[] };

/**
 * Lists the steps of a visit and the resulting states. Personal data is left out, since each record
 * has other pseudonyms for it.
 */
const listSteps = ({ runs }: Trace): RecordedStep[] =>
  runs.flatMap(({ steps }) =>
    steps.map(({ input, reactions }) => ({
      kind: input.kind,
      from: 'from' in input ? input.from : null,
      event: 'event' in input ? input.event.type : null,
      states: reactions.map(({ actor, on, state }) => ({ actor, on, state })),
    })),
  );

/**
 * Groups the events by actor, in order and without repetitions: the network decides in how many
 * pieces a list arrives, and between which events of other actors.
 */
const groupFactsByActor = (steps: RecordedStep[]): object => {
  const comparedSteps = steps.filter(({ event }) => event !== 'visibleRange.changed');
  const stepsByActor = Object.groupBy(comparedSteps, ({ from, event }) => from ?? String(event));
  return Object.fromEntries(
    Object.entries(stepsByActor).map(([actor, actorSteps = []]) => [
      actor,
      actorSteps.map(({ event }) => event).filter((event, index, events) => event !== events[index - 1]),
    ]),
  );
};

/** The visitor's actions at each address. */
const visits: [string, (page: Page) => Promise<void>][] = [
  ['/', async () => {}],
  ['/about', async () => {}],
  [
    '/all',
    async (page) => {
      await page.locator('[data-event="sort.chosen"]').selectOption('price');
      await new ShopPage(page).waitForState('catalogue', { shown: 'resting' });
    },
  ],
  ['/campaign/evening-reads', async () => {}],
  [
    '/id:1001',
    async (page) => {
      await new ShopPage(page).control('buy.pressed').first().click();
      await new ShopPage(page).waitForState('purchase', 'ready');
    },
  ],
];

for (const [path, performActions] of visits) {
  test(`a visit of the server-rendered ${path} is recorded like one of the client-rendered page`, async ({
    browser,
    ssr,
    shop,
  }) => {
    const visit = async (url: string): Promise<Trace> => {
      const context = await browser.newContext();
      const page = await context.newPage();
      await openCompletely(page, url + path);
      await performActions(page);
      await expect.poll(async () => parseTrace((await readRecordedTrace(page)) ?? '{"runs":[]}').runs.length).toBe(1);
      const trace = parseTrace((await readRecordedTrace(page)) ?? '');
      await context.close();
      return trace;
    };
    const [renderedTrace, plainTrace] = [await visit(ssr.url), await visit(shop.url)];
    expect(findDivergences(renderedTrace)).toEqual([null]);
    const [renderedSteps, plainSteps] = [listSteps(renderedTrace), listSteps(plainTrace)];
    if (path === '/all') expect(groupFactsByActor(renderedSteps)).toEqual(groupFactsByActor(plainSteps));
    else expect(renderedSteps).toEqual(plainSteps);
  });
}

/** Takes a screenshot of a page once its pictures are loaded, without cursor and animation. */
const takeScreenshot = async (page: Page): Promise<Buffer> => {
  await page.waitForFunction(() =>
    [...document.images].every((picture) => {
      const { top, left } = picture.getBoundingClientRect();
      return picture.complete || (picture.loading === 'lazy' && (top >= innerHeight || left >= innerWidth));
    }),
  );
  await page.evaluate(() =>
    Promise.all([...document.images].filter(({ complete }) => complete).map((picture) => picture.decode())),
  );
  await page.evaluate(() => document.fonts.ready);
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
};

/**
 * Tolerated difference of a colour channel, of 255: edges of glyphs and covers differ when the same
 * page is rasterised in other tiles.
 */
const MAX_CHANNEL_DIFFERENCE = 16;

/** Returns the fraction of pixels that differ by more than the tolerance; 1 if the sizes differ. */
const measurePixelDifference = async (firstPng: Buffer, secondPng: Buffer): Promise<number> => {
  const [firstPixels, secondPixels] = await Promise.all(
    [firstPng, secondPng].map((png) => sharp(png).removeAlpha().raw().toBuffer()),
  );
  if (firstPixels === undefined || secondPixels?.length !== firstPixels.length) return 1;
  let differingCount = 0;
  const differs = (index: number): boolean =>
    Math.abs(firstPixels.readUInt8(index) - secondPixels.readUInt8(index)) > MAX_CHANNEL_DIFFERENCE;
  for (let offset = 0; offset < firstPixels.length; offset += 3)
    if ([offset, offset + 1, offset + 2].some(differs)) differingCount += 1;
  return differingCount / (firstPixels.length / 3);
};

const noLayoutShift = { total: 0, moved: [] };

/** One page of each server-rendered kind, besides the pages that are compared below. */
const otherPaths = ['/all/fiction-novels', '/about', '/pages/public/help', '/campaign/evening-reads', '/nowhere'];

for (const [width, height] of [
  [390, 844],
  [820, 1100],
  [1366, 900],
] as const) {
  test(`server-rendered pages have no layout shift at ${width} px`, async ({ context, ssr, errors }) => {
    test.setTimeout(120_000);
    errors.allow(/status of 404/);
    const measureShiftsOn = async (path: string) => {
      const page = await createShiftPage(context);
      await page.setViewportSize({ width, height });
      const shifts = await measureShifts(page, ssr.url + path);
      await page.close();
      return shifts;
    };
    for (const path of otherPaths) expect.soft(await measureShiftsOn(path), path).toEqual(noLayoutShift);
    await (await Customer.signUp(ssr)).signInBrowser(context);
    for (const path of ['/', '/all', '/id:1001'])
      expect.soft(await measureShiftsOn(path), `${path} for a customer`).toEqual(noLayoutShift);
  });

  test(`server-rendered, hydrated and client-rendered pages look alike at ${width} px`, async ({ browser, ownSsr, ownShop }) => {
    // The test has its own shops: the landing page of a shared shop shows purchases of other tests.
    const openPage = async () => browser.newPage({ viewport: { width, height }, locale: 'en-GB' });
    test.setTimeout(120_000);
    for (const path of ['/', '/all', '/id:1001', '/subscription']) {
      const page = await openPage();
      await recordShifts(page);
      const release = await holdScripts(page);
      await page.goto(ownSsr.url + path, { waitUntil: 'commit' });
      await expect(page.locator('main')).toBeVisible();
      const renderedPng = await takeScreenshot(page);
      await release();
      await waitUntilComplete(page);
      const hydratedPng = await takeScreenshot(page);
      expect.soft(await readShifts(page), path).toEqual(noLayoutShift);
      // Features that only a browser knows, such as sharing, appear in their reserved space.
      expect
        .soft(await measurePixelDifference(renderedPng, hydratedPng), `${path}, server-rendered and hydrated`)
        .toBeLessThan(0.02);

      const plainPage = await openPage();
      await openCompletely(plainPage, ownShop.url + path);
      // On a busy computer the last chunk of the frame may arrive after a period without network
      // traffic.
      await expect
        .poll(
          async () => measurePixelDifference(await takeScreenshot(page), await takeScreenshot(plainPage)),
          `${path}, hydrated and client-rendered`,
        )
        .toBeLessThan(0.001);
      await Promise.all([page.close(), plainPage.close()]);
    }
  });
}
