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
const noteRendered = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      Object.assign(globalThis, { rendered: document.querySelector('#root')?.firstElementChild });
    });
  });
};

/** Whether React has hydrated, and the server-rendered element is still in the page. */
const isHydrated = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const first = document.querySelector('#root')?.firstElementChild;
    const isReacts = Object.keys(first ?? {}).some((key) => key.startsWith('__react'));
    return isReacts && first === (globalThis as { rendered?: Element }).rendered;
  });

/** Records whether fewer titles are shown than were server-rendered. */
const recordLostTitles = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const count = (): number => document.querySelectorAll('main a[href^="/id:"]').length;
    document.addEventListener('DOMContentLoaded', () => {
      const rendered = count();
      new MutationObserver(() => count() < rendered && Object.assign(globalThis, { hasLost: true })).observe(document.body, {
        childList: true,
        subtree: true,
      });
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

for (const [path, words] of pages) {
  test(`${path} is shown before its scripts, which hydrate it in place`, async ({ page, ssr, errors }) => {
    if (path === '/nowhere') errors.allow(/404/);
    await noteRendered(page);
    const release = await holdScripts(page);
    await page.goto(ssr.url + path, { waitUntil: 'commit' });
    await expect(page.getByText(words).first()).toBeVisible();
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

test('a signed-in customer is not offered sign-in, and reaches their account, with the names of its pages', async ({
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
  // The title that the screen removes is its own.
  await page.getByRole('button', { name: 'Account' }).click();
  await new ShopPage(page).control('signOut.pressed').first().click();
  await expect(page.locator('[data-flow="signIn"]')).toBeVisible();
});

test('a price shown to a signed-in customer stays until ownership is known', async ({ page, ssr }) => {
  const customer = await Customer.signUp(ssr);
  await customer.buy('1018');
  await customer.signInBrowser(page.context());
  await recordLostTitles(page);
  const known = Promise.withResolvers<void>();
  await page.route('**/api/user/titles**', async (route) => {
    await known.promise;
    await route.continue();
  });
  const asked = page.waitForRequest('**/api/user/titles**');
  await page.goto(ssr.url);
  await asked;
  const card = page.locator('main li').filter({ has: page.locator('a[href^="/id:1018"]') });
  const price = card.getByText(/\d\.\d\d$/).first();
  await expect(page.getByRole('button', { name: 'Account' })).toBeVisible();
  await expect(price).toBeVisible();
  known.resolve();
  await expect(card.getByText('In your library').first()).toBeVisible();
  expect(await hasLostTitles(page)).toBe(false);
});

test('a reloaded list is where it was left, before and after hydration', async ({ page, ssr }) => {
  await recordLostTitles(page);
  await openCompletely(page, `${ssr.url}/all`);
  await page.mouse.wheel(0, 600);
  await expect.poll(() => page.evaluate(() => (history.state as { y?: number } | null)?.y)).toBe(600);
  const left = await page.evaluate(() => scrollY);
  const release = await holdScripts(page);
  await page.reload({ waitUntil: 'commit' });
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(left);
  await release();
  await waitUntilComplete(page);
  expect(await page.evaluate(() => scrollY)).toBe(left);
  expect(await hasLostTitles(page)).toBe(false);
});

test('the chosen language and theme are server-rendered', async ({ page, ssr }) => {
  const shop = new ShopPage(page);
  await page.goto(ssr.url);
  await page
    .getByRole('combobox', { name: /language/i })
    .last()
    .selectOption('fr');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await shop.waitForState('app', 'open');
  await noteRendered(page);
  await page.goto(`${ssr.url}/about`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect.poll(() => isHydrated(page)).toBe(true);
});

test('a list with an invalid cursor in its address is server-rendered from its start', async ({ page, ssr }) => {
  await noteRendered(page);
  await page.goto(`${ssr.url}/all?sort=title&after=nonsense`);
  await expect.poll(() => isHydrated(page)).toBe(true);
  await expect(page.locator('main li a[href^="/id:"]').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to the start' })).toHaveCount(0);
});

test('a link with a language parameter chooses no language for the following pages', async ({ page, ssr }) => {
  await openCompletely(page, `${ssr.url}/all?lang=fr&keep`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  const next = await page.goto(`${ssr.url}/about`);
  expect(await next?.text()).toContain('<html lang="en"');
});

test('with a certificate page, script and covers are served over HTTP/2', async ({ browser }) => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-certificate-'));
  const { files } = await createCertificate(folder);
  const shop = await startFreshShop({
    env: { ...shopOptions.env, SSR_MODE: 'always', TLS_CERT: files.cert, TLS_KEY: files.key },
  });
  const page = await browser.newPage({ ignoreHTTPSErrors: true });
  await noteRendered(page);
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
 * The steps of a visit and the resulting states; personal data is left out, since each record has
 * other pseudonyms for it.
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
 * The events of each actor, in order. The network decides how many pieces a list arrives in, and
 * other actors send events in between.
 */
const groupFactsByPart = (steps: RecordedStep[]): object => {
  const whole = steps.filter(({ event }) => event !== 'places.seen');
  const parts = Object.groupBy(whole, ({ from, event }) => from ?? String(event));
  return Object.fromEntries(
    Object.entries(parts).map(([part, said = []]) => [
      part,
      said.map(({ event }) => event).filter((event, at, all) => event !== all[at - 1]),
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

for (const [path, act] of visits) {
  test(`a server-rendered visit of ${path} is recorded like one that is not`, async ({ browser, ssr, shop }) => {
    const visit = async (url: string): Promise<Trace> => {
      const context = await browser.newContext();
      const page = await context.newPage();
      await openCompletely(page, url + path);
      await act(page);
      await expect.poll(async () => parseTrace((await readRecordedTrace(page)) ?? '{"runs":[]}').runs.length).toBe(1);
      const trace = parseTrace((await readRecordedTrace(page)) ?? '');
      await context.close();
      return trace;
    };
    const [rendered, plain] = [await visit(ssr.url), await visit(shop.url)];
    expect(findDivergences(rendered)).toEqual([null]);
    const [these, those] = [listSteps(rendered), listSteps(plain)];
    if (path === '/all') expect(groupFactsByPart(these)).toEqual(groupFactsByPart(those));
    else expect(these).toEqual(those);
  });
}

/** A screenshot of a page once its pictures are loaded, without a cursor and without animation. */
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
 * The tolerated difference at the edges of glyphs and covers when the same page is rasterised in
 * other tiles, of 255.
 */
const MAX_CHANNEL_DIFFERENCE = 16;

/**
 * The fraction of pixels that differ between two pictures of one size by more than the tolerance.
 */
const pixelDifferenceRatio = async (one: Buffer, other: Buffer): Promise<number> => {
  const [these, those] = await Promise.all([one, other].map((png) => sharp(png).removeAlpha().raw().toBuffer()));
  if (these === undefined || those?.length !== these.length) return 1;
  let differing = 0;
  for (let at = 0; at < these.length; at += 3)
    if ([at, at + 1, at + 2].some((part) => Math.abs(these.readUInt8(part) - those.readUInt8(part)) > MAX_CHANNEL_DIFFERENCE))
      differing += 1;
  return differing / (these.length / 3);
};

const noLayoutShift = { total: 0, moved: [] };

/** Besides those compared below, one page of each kind that is server-rendered. */
const otherPaths = ['/all/fiction-novels', '/about', '/pages/public/help', '/campaign/evening-reads', '/nowhere'];

for (const [width, height] of [
  [390, 844],
  [820, 1100],
  [1366, 900],
] as const) {
  test(`server-rendered pages have no layout shift at ${width} px`, async ({ context, ssr, errors }) => {
    test.setTimeout(120_000);
    errors.allow(/status of 404/);
    const shiftsOn = async (path: string) => {
      const page = await createShiftPage(context);
      await page.setViewportSize({ width, height });
      const shifts = await measureShifts(page, ssr.url + path);
      await page.close();
      return shifts;
    };
    for (const path of otherPaths) expect.soft(await shiftsOn(path), path).toEqual(noLayoutShift);
    await (await Customer.signUp(ssr)).signInBrowser(context);
    for (const path of ['/', '/all', '/id:1001'])
      expect.soft(await shiftsOn(path), `${path} for a customer`).toEqual(noLayoutShift);
  });

  test(`server-rendered, hydrated and client-rendered pages look alike at ${width} px`, async ({ browser, ownSsr, ownShop }) => {
    // The landing page of a shared shop shows earlier purchases of others.
    const open = async () => browser.newPage({ viewport: { width, height }, locale: 'en-GB' });
    test.setTimeout(120_000);
    for (const path of ['/', '/all', '/id:1001', '/subscription']) {
      const page = await open();
      await recordShifts(page);
      const release = await holdScripts(page);
      await page.goto(ownSsr.url + path, { waitUntil: 'commit' });
      await expect(page.locator('main')).toBeVisible();
      const rendered = await takeScreenshot(page);
      await release();
      await waitUntilComplete(page);
      const takenOver = await takeScreenshot(page);
      expect.soft(await readShifts(page), path).toEqual(noLayoutShift);
      // Features that only a browser knows, such as sharing, appear in their reserved space.
      expect.soft(await pixelDifferenceRatio(rendered, takenOver), `${path}, server-rendered and hydrated`).toBeLessThan(0.02);

      const other = await open();
      await openCompletely(other, ownShop.url + path);
      // On a busy machine the last part of the frame may arrive after a period without network
      // traffic.
      await expect
        .poll(
          async () => pixelDifferenceRatio(await takeScreenshot(page), await takeScreenshot(other)),
          `${path}, taken over and plain`,
        )
        .toBeLessThan(0.001);
      await Promise.all([page.close(), other.close()]);
    }
  });
}
