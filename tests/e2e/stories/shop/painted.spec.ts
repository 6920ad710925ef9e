import { rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import type { Trace } from '../../../../machines/trace/format.ts';
import { noteShifts, openWhole, shiftPage, shiftsAt, shiftsIn, untilWhole } from '../../../../tools/bench/layout-shift.ts';
import { ownCertificate } from '../../../server/support/own-certificate.ts';
import { Customer } from '../../../../tools/browser/customer.ts';
import { divergencesOf, parseTrace, recordedTrace } from '../../../../tools/browser/recorded-trace.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { startFreshShop } from '../../support/fresh-shop.ts';
import { holdProgram } from '../../support/hold-program.ts';
import { test } from '../../support/painting-shop.ts';
import { expect, shopOptions } from '../../support/shop.ts';

/** Notes, before any script runs, the element that the server has painted. */
const notePainted = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      Object.assign(globalThis, { painted: document.querySelector('#root')?.firstElementChild });
    });
  });
};

/** Whether React has taken over, and the painted element is still the one that is seen. */
const isTakenOver = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const first = document.querySelector('#root')?.firstElementChild;
    const isReacts = Object.keys(first ?? {}).some((key) => key.startsWith('__react'));
    return isReacts && first === (globalThis as { painted?: Element }).painted;
  });

/** Notes when fewer titles are there than were painted. */
const noteLost = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const count = (): number => document.querySelectorAll('main a[href^="/id:"]').length;
    document.addEventListener('DOMContentLoaded', () => {
      const painted = count();
      new MutationObserver(() => count() < painted && Object.assign(globalThis, { hasLost: true })).observe(document.body, {
        childList: true,
        subtree: true,
      });
    });
  });
};

const hasLost = (page: Page): Promise<boolean> => page.evaluate(() => 'hasLost' in globalThis);

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
  test(`${path} is there before its program, which takes over what stands`, async ({ page, painting, errors }) => {
    if (path === '/nowhere') errors.allow(/404/);
    await notePainted(page);
    const release = await holdProgram(page);
    await page.goto(painting.url + path, { waitUntil: 'commit' });
    await expect(page.getByText(words).first()).toBeVisible();
    await release();
    await expect.poll(() => isTakenOver(page)).toBe(true);
  });
}

test('whoever is not signed in any more is offered the way in', async ({ page, painting, errors }) => {
  errors.allow(/status of 401/);
  await page.addInitScript(() => localStorage.setItem('id_token', 'spent'));
  const release = await holdProgram(page);
  await page.goto(`${painting.url}/about`, { waitUntil: 'commit' });
  await expect(page.locator('main')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign in', exact: true })).toBeHidden();
  await release();
  await expect(page.getByRole('link', { name: 'Sign in', exact: true })).toBeVisible();
});

test('whoever is signed in is not offered the way in, and comes into their account, with the names of its pages', async ({
  page,
  painting,
}) => {
  const customer = await Customer.signUp(painting);
  await page.addInitScript(
    ([token, userId, email]) => {
      localStorage.setItem('id_token', token ?? '');
      localStorage.setItem('userid', userId ?? '');
      localStorage.setItem('emailid', email ?? '');
    },
    [customer.token, customer.userId, customer.email],
  );
  const release = await holdProgram(page);
  await page.goto(`${painting.url}/all`, { waitUntil: 'commit' });
  await expect(page.locator('main a[href^="/id:"]').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign in', exact: true })).toBeHidden();
  await release();
  await page.getByRole('button', { name: 'Account' }).click();
  await expect(page).toHaveTitle('Titles · Harbour Books');
  await page.getByRole('link', { name: 'Library' }).first().click();
  await expect(page).toHaveTitle('My Library · Harbour Books');
  // The title that the screen takes away is its own.
  await page.getByRole('button', { name: 'Account' }).click();
  await new ShopPage(page).press('signOut.pressed').first().click();
  await expect(page.locator('[data-flow="signIn"]')).toBeVisible();
});

test('a price that a signed-in customer sees stays until it is known what is theirs', async ({ page, painting }) => {
  const customer = await Customer.signUp(painting);
  await customer.buys('1018');
  await customer.uses(page.context());
  await noteLost(page);
  const known = Promise.withResolvers<void>();
  await page.route('**/api/user/titles**', async (route) => {
    await known.promise;
    await route.continue();
  });
  const asked = page.waitForRequest('**/api/user/titles**');
  await page.goto(painting.url);
  await asked;
  const card = page.locator('main li').filter({ has: page.locator('a[href^="/id:1018"]') });
  const price = card.getByText(/\d\.\d\d$/).first();
  await expect(page.getByRole('button', { name: 'Account' })).toBeVisible();
  await expect(price).toBeVisible();
  known.resolve();
  await expect(card.getByText('In your library').first()).toBeVisible();
  expect(await hasLost(page)).toBe(false);
});

test('a list that is loaded again is where it was left, before and after its program comes', async ({ page, painting }) => {
  await noteLost(page);
  await openWhole(page, `${painting.url}/all`);
  await page.mouse.wheel(0, 600);
  await expect.poll(() => page.evaluate(() => (history.state as { y?: number } | null)?.y)).toBe(600);
  const left = await page.evaluate(() => scrollY);
  const release = await holdProgram(page);
  await page.reload({ waitUntil: 'commit' });
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(left);
  await release();
  await untilWhole(page);
  expect(await page.evaluate(() => scrollY)).toBe(left);
  expect(await hasLost(page)).toBe(false);
});

test('the language and the look that were chosen come painted', async ({ page, painting }) => {
  const shop = new ShopPage(page);
  await page.goto(painting.url);
  await page
    .getByRole('combobox', { name: /language/i })
    .last()
    .selectOption('fr');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await shop.isIn('app', 'open');
  await notePainted(page);
  await page.goto(`${painting.url}/about`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect.poll(() => isTakenOver(page)).toBe(true);
});

test('a list whose address leads nowhere in it comes painted from its start', async ({ page, painting }) => {
  await notePainted(page);
  await page.goto(`${painting.url}/all?sort=title&after=nonsense`);
  await expect.poll(() => isTakenOver(page)).toBe(true);
  await expect(page.locator('main li a[href^="/id:"]').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'To the start of the list' })).toHaveCount(0);
});

test('a link that somebody sent who reads without scripts chooses no language for the pages that follow', async ({
  page,
  painting,
}) => {
  await openWhole(page, `${painting.url}/all?lang=fr&keep`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  const next = await page.goto(`${painting.url}/about`);
  expect(await next?.text()).toContain('<html lang="en"');
});

test('with a certificate page, script and covers come over HTTP/2', async ({ browser }) => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-certificate-'));
  const { files } = await ownCertificate(folder);
  const shop = await startFreshShop({
    env: { ...shopOptions.env, PAINT: 'always', TLS_CERT: files.cert, TLS_KEY: files.key },
  });
  const page = await browser.newPage({ ignoreHTTPSErrors: true });
  await notePainted(page);
  await page.goto(`${shop.url}/all`);
  await expect.poll(() => isTakenOver(page)).toBe(true);
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

type StepSeen = { kind: string; from: string | null | undefined; event: string | null; states: object[] };

/** What happened in a visit, step by step, and to which states it led; what is personal has other pseudonyms in each record. */
const stepsOf = ({ runs }: Trace): StepSeen[] =>
  runs.flatMap(({ steps }) =>
    steps.map(({ input, reactions }) => ({
      kind: input.kind,
      from: 'from' in input ? input.from : null,
      event: 'event' in input ? input.event.type : null,
      states: reactions.map(({ actor, on, state }) => ({ actor, on, state })),
    })),
  );

/** What each part said, in its order. A list comes in as many pieces as the network makes of it, between which other parts speak. */
const saidByPart = (steps: StepSeen[]): object => {
  const whole = steps.filter(({ event }) => event !== 'places.seen');
  const parts = Object.groupBy(whole, ({ from, event }) => from ?? String(event));
  return Object.fromEntries(
    Object.entries(parts).map(([part, said = []]) => [
      part,
      said.map(({ event }) => event).filter((event, at, all) => event !== all[at - 1]),
    ]),
  );
};

/** What a visitor does at an address. */
const visits: [string, (page: Page) => Promise<void>][] = [
  ['/', async () => {}],
  ['/about', async () => {}],
  [
    '/all',
    async (page) => {
      await page.locator('[data-event="sort.chosen"]').selectOption('price');
      await new ShopPage(page).isIn('catalogue', { shown: 'resting' });
    },
  ],
  ['/campaign/evening-reads', async () => {}],
  [
    '/id:1001',
    async (page) => {
      await new ShopPage(page).press('buy.pressed').first().click();
      await new ShopPage(page).isIn('purchase', 'ready');
    },
  ],
];

for (const [path, act] of visits) {
  test(`a painted visit of ${path} is recorded as a plain one is`, async ({ browser, painting, shop }) => {
    const visit = async (url: string): Promise<Trace> => {
      const context = await browser.newContext();
      const page = await context.newPage();
      await openWhole(page, url + path);
      await act(page);
      await expect.poll(async () => parseTrace((await recordedTrace(page)) ?? '{"runs":[]}').runs.length).toBe(1);
      const trace = parseTrace((await recordedTrace(page)) ?? '');
      await context.close();
      return trace;
    };
    const [painted, plain] = [await visit(painting.url), await visit(shop.url)];
    expect(divergencesOf(painted)).toEqual([null]);
    const [these, those] = [stepsOf(painted), stepsOf(plain)];
    if (path === '/all') expect(saidByPart(these)).toEqual(saidByPart(those));
    else expect(these).toEqual(those);
  });
}

/** What is seen of a page once its pictures are there; nothing blinks, and nothing moves. */
const lookOf = async (page: Page): Promise<Buffer> => {
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

/** By how much the edges of letters and covers may differ when the same is drawn in other pieces, of 255. */
const FAINT = 16;

/** The share of pixels that differ between two pictures of one size by more than what is faint. */
const differenceOf = async (one: Buffer, other: Buffer): Promise<number> => {
  const [these, those] = await Promise.all([one, other].map((png) => sharp(png).removeAlpha().raw().toBuffer()));
  if (these === undefined || those?.length !== these.length) return 1;
  let differing = 0;
  for (let at = 0; at < these.length; at += 3)
    if ([at, at + 1, at + 2].some((part) => Math.abs(these.readUInt8(part) - those.readUInt8(part)) > FAINT)) differing += 1;
  return differing / (these.length / 3);
};

const still = { total: 0, moved: [] };

/** Beside those that are compared below, one of each kind that comes painted. */
const others = ['/all/fiction-novels', '/about', '/pages/public/help', '/campaign/evening-reads', '/nowhere'];

for (const [width, height] of [
  [390, 844],
  [820, 1100],
  [1366, 900],
] as const) {
  test(`nothing moves by itself on painted pages at ${width} px`, async ({ context, painting, errors }) => {
    test.setTimeout(120_000);
    errors.allow(/status of 404/);
    const shiftsOn = async (path: string) => {
      const page = await shiftPage(context);
      await page.setViewportSize({ width, height });
      const shifts = await shiftsAt(page, painting.url + path);
      await page.close();
      return shifts;
    };
    for (const path of others) expect.soft(await shiftsOn(path), path).toEqual(still);
    await (await Customer.signUp(painting)).uses(context);
    for (const path of ['/', '/all', '/id:1001']) expect.soft(await shiftsOn(path), `${path} for a customer`).toEqual(still);
  });

  test(`painted, taken over and plain pages look alike at ${width} px`, async ({ browser, ownPainting, ownShop }) => {
    // What others have bought before in a shared shop is on its landing page.
    const open = async () => browser.newPage({ viewport: { width, height }, locale: 'en-GB' });
    test.setTimeout(120_000);
    for (const path of ['/', '/all', '/id:1001', '/subscription']) {
      const page = await open();
      await noteShifts(page);
      const release = await holdProgram(page);
      await page.goto(ownPainting.url + path, { waitUntil: 'commit' });
      await expect(page.locator('main')).toBeVisible();
      const painted = await lookOf(page);
      await release();
      await untilWhole(page);
      const takenOver = await lookOf(page);
      expect.soft(await shiftsIn(page), path).toEqual(still);
      // What only a browser knows, such as its ways to share, comes in the places that are kept for it.
      expect.soft(await differenceOf(painted, takenOver), `${path}, painted and taken over`).toBeLessThan(0.02);

      const other = await open();
      await openWhole(other, ownShop.url + path);
      // On a busy machine the last of the frame may come after everything has been quiet for a while.
      await expect
        .poll(async () => differenceOf(await lookOf(page), await lookOf(other)), `${path}, taken over and plain`)
        .toBeLessThan(0.001);
      await Promise.all([page.close(), other.close()]);
    }
  });
}
