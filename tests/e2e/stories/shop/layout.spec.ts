/** Positions of elements, and the absence of layout shifts. */
import type { Locator, Page } from '@playwright/test';
import { languages } from '../../../../machines/model/store/language-names.ts';
import { createShiftPage, measureShifts, windows } from '../../../../tools/bench/layout-shift.ts';
import { waitUntilSettled } from '../../pages/axe.ts';
import { Customer } from '../../../../tools/browser/customer.ts';
import { expect, test } from '../../support/shop.ts';

/** Limit of a test, which loads dozens of pages over a slow network. */
const timeoutMs = 120_000;

const mainPaths = [
  '/',
  '/all',
  '/all/fiction-novels',
  '/id:1001',
  '/about',
  '/signin',
  '/title/purchase?titleid=1001',
  '/nowhere',
];
/** Pages rendered by the client; server-rendered pages are measured in `ssr.spec.ts`. */
const measuredPaths = ['/', '/all/fiction-novels', '/id:1001', '/signin', '/title/purchase?titleid=1001'];
const customerPaths = ['/account', '/mylibrary'];

for (const viewport of windows) {
  test(`the main pages have no layout shift at ${viewport.width} pixels`, async ({ context, shop }) => {
    test.setTimeout(timeoutMs);
    for (const path of measuredPaths) {
      const page = await createShiftPage(context);
      await page.setViewportSize(viewport);
      expect(await measureShifts(page, `${shop.url}${path}`), path).toEqual({ total: 0, moved: [] });
      await page.close();
    }
    const customer = await Customer.signUp(shop);
    await customer.buy('1008');
    await customer.signInBrowser(context);
    for (const path of customerPaths) {
      const page = await createShiftPage(context);
      await page.setViewportSize(viewport);
      expect(await measureShifts(page, `${shop.url}${path}`), `${path} for a customer`).toEqual({ total: 0, moved: [] });
      await page.close();
    }
  });
}

/** Reads the positions of the controls in the top bar and in the strip below it, by name. */
const readBarItems = (page: Page): Promise<[string, string][]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('header :is(a, button, input), header + div a')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .map((element) => {
        const { x, y } = element.getBoundingClientRect();
        const name = element.getAttribute('aria-label') ?? element.textContent.trim();
        return [`${element.localName} ${name}`, `${Math.round(x)}, ${Math.round(y)}`];
      }),
  );

const barPaths = [...mainPaths, '/wishlist', '/redeem', '/cart', '/subscription', '/terms'];

for (const viewport of windows)
  test(`nothing in the top bar moves from page to page at ${viewport.width} pixels`, async ({ page, errors }) => {
    errors.allow(/status of 404/);
    await page.setViewportSize(viewport);
    const positionsByName = new Map<string, string>();
    for (const path of barPaths) {
      await page.goto(path);
      await waitUntilSettled(page, path);
      for (const [name, position] of await readBarItems(page)) {
        expect(position, `${name} on ${path}`).toBe(positionsByName.get(name) ?? position);
        positionsByName.set(name, position);
      }
    }
    expect(positionsByName.size).toBeGreaterThan(6);
  });

test('no viewer is wider than a narrow phone, even with a title of a long name', async ({ browser, shop }) => {
  const customer = await Customer.signUp(shop);
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'fr-FR', baseURL: shop.url });
  await customer.signInBrowser(context);
  const page = await context.newPage();
  // A book, a PDF, a recording, a film and an interactive title.
  for (const titleId of ['1001', '1018', '1021', '1023', '1024']) {
    await page.goto(`/viewer?instanceid=${titleId}&sample=1`);
    const reader = page.locator('[data-flow="book"], [data-flow="tracks"], [data-flow="interactive"]');
    await expect(reader).toBeVisible();
    await waitUntilSettled(page, titleId);
    const overflowPx = await reader.evaluate(
      (element) => Math.max(element.scrollWidth, document.documentElement.scrollWidth) - innerWidth,
    );
    expect(overflowPx, `pixels of ${titleId} beyond the window`).toBeLessThanOrEqual(0);
  }
  await context.close();
});

const getBox = async (element: Locator): Promise<{ x: number; y: number; width: number; height: number }> => {
  const box = await element.boundingBox();
  if (box === null) throw new Error('The element is not visible.');
  return box;
};

/** Measures the left edge of a link's text or of a picture, in pixels, without padding. */
const measureTextStart = (locator: Locator): Promise<number> =>
  locator.evaluate((element) => {
    const { left } = element.getBoundingClientRect();
    return Math.round(left + Number.parseFloat(getComputedStyle(element).paddingLeft));
  });

/** Returns the texts on cards that the mark of the medium covers. */
const findCoveredAuthors = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main a[href^="/id:"]')].flatMap((card) => {
      const mark = card.querySelector('[role=img]')?.getBoundingClientRect();
      if (mark === undefined) return [];
      return [...card.querySelectorAll('span')]
        .filter((span) => span.childElementCount === 0 && span.textContent.trim() !== '')
        .filter((span) => {
          const { left, right, top, bottom } = span.getBoundingClientRect();
          return left < mark.right && right > mark.left && top < mark.bottom && bottom > mark.top;
        })
        .map((span) => span.textContent);
    }),
  );

for (const language of ['en', 'fr', 'zh'])
  test(`logo, navigation and sidebar share a left edge, hero and sidebar a top edge, in ${language}`, async ({ page }) => {
    await page.goto(`/?lang=${language}`);
    await waitUntilSettled(page, '/');
    const bar = page.getByRole('banner');
    const sidebar = await getBox(page.getByRole('complementary'));
    const logo = await measureTextStart(bar.getByRole('img').first());
    const navigation = await measureTextStart(bar.locator('nav a[href="/all"]'));
    expect([logo, navigation]).toEqual([sidebar.x, sidebar.x]);
    const hero = await getBox(page.getByRole('main').locator('section').first());
    expect(Math.round(hero.y)).toBe(Math.round(sidebar.y));
    expect(await findCoveredAuthors(page)).toEqual([]);
    for (const width of [900, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await findCoveredAuthors(page), `at ${width} pixels`).toEqual([]);
      // The left edges of the hero and of the filters.
      const edges = [
        page.getByRole('main').locator('section').first(),
        page.getByRole('navigation').locator('a[href="/all/new"]:visible').first(),
      ];
      const [heroX, filtersX] = await Promise.all(edges.map(async (edge) => Math.round((await getBox(edge)).x)));
      expect(heroX, `at ${width} pixels`).toBe(filtersX);
    }
  });

test('the steps of a purchase fit beside each other on the narrowest phones, in every language', async ({
  page,
  shop,
  context,
}) => {
  const customer = await Customer.signUp(shop);
  await customer.signInBrowser(context);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const language of languages) {
    await page.goto(`/title/purchase?titleid=1004&lang=${language}`);
    const steps = page.getByRole('main').locator('ol > li');
    await expect(steps).toHaveCount(3);
    const overflows = await steps.evaluateAll((items) => items.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    expect(overflows, language).toEqual([0, 0, 0]);
  }
});

test('the page of an owned title is no wider than a phone, in any language', async ({ page, shop, context }) => {
  const customer = await Customer.signUp(shop);
  await customer.buy('1022');
  await customer.signInBrowser(context);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const language of languages) {
    await page.goto(`/id:1022?lang=${language}`);
    await page.locator('[data-event="read.pressed"]').waitFor();
    const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflowPx, language).toBeLessThanOrEqual(0);
  }
});

test('the footer arrives with the first screen, below the visible part', async ({ page, context }) => {
  await context.route(/\/api\/titles/, () => undefined);
  for (const { width, height } of windows) {
    await page.setViewportSize({ width, height });
    await page.goto('/');
    await expect(page.locator('[aria-busy="true"]')).toBeVisible();
    const footer = page.getByRole('contentinfo');
    await expect(footer.getByRole('link', { name: 'About' })).toBeAttached();
    expect((await getBox(footer)).y, `at ${width} pixels`).toBeGreaterThanOrEqual(height);
  }
});

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('every link is at least 24 pixels high, except those within a sentence', async ({ page, context, shop }) => {
    const customer = await Customer.signUp(shop);
    await customer.buy('1008');
    await customer.signInBrowser(context);
    for (const path of ['/', '/all/fiction-novels', '/id:1001', '/account']) {
      await page.goto(path);
      await waitUntilSettled(page, path);
      const lowLinks = await page.evaluate(() =>
        [...document.querySelectorAll('a[href]')]
          .filter((link) => link.checkVisibility() && getComputedStyle(link).display !== 'inline')
          .filter((link) => link.getBoundingClientRect().height < 24)
          .map((link) => link.textContent),
      );
      expect(lowLinks, path).toEqual([]);
    }
  });
});

/** Reads the visible lines of a book, from the top, each with the beginning of its paragraph. */
const readVisibleLines = (page: Page): Promise<{ top: number; paragraph: string }[]> => {
  const frame = page.frames().findLast((each) => each.url().includes('book.epub/') && !each.isDetached());
  if (frame === undefined) throw new Error('The book has no loaded chapter.');
  return frame.evaluate(() => {
    const frameBox = frameElement?.getBoundingClientRect() ?? new DOMRect();
    const lines = [...document.querySelectorAll('p')].flatMap((paragraph) => {
      const range = document.createRange();
      range.selectNodeContents(paragraph);
      return [...range.getClientRects()]
        .filter(({ left, right }) => left + frameBox.left >= 0 && right + frameBox.left <= parent.innerWidth)
        .map(({ top }) => ({ top: Math.round(top + frameBox.top), paragraph: paragraph.textContent.slice(0, 40) }));
    });
    const tops = new Map(lines.map((line) => [line.top, line]));
    return [...tops.values()].toSorted((a, b) => a.top - b.top);
  });
};

test('in a low window the text of a book uses the space of hidden bars, and keeps its position', async ({
  page,
  context,
  shop,
}) => {
  await page.setViewportSize({ width: 600, height: 400 });
  const customer = await Customer.signUp(shop);
  await customer.buy('1001');
  await customer.signInBrowser(context);
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId('1001')}`);
  const footer = page.locator('[data-flow="book"] footer');
  await page.locator('[data-event="contents.pressed"]').click();
  await page.locator('[data-event="entry.chosen"]').nth(3).click();
  await expect(footer).toContainText('left in this chapter');
  for (let turn = 0; turn < 4; turn += 1) {
    const textBefore = await footer.innerText();
    await page.keyboard.press('ArrowRight');
    await expect(footer).not.toHaveText(textBefore, { useInnerText: true });
  }
  const footerText = await footer.innerText();
  const withBars = await readVisibleLines(page);

  await page.keyboard.press('Escape');
  await expect(footer).toHaveAttribute('inert');
  await expect.poll(async () => (await readVisibleLines(page)).length).toBeGreaterThan(withBars.length);
  const withoutBars = await readVisibleLines(page);
  expect(withoutBars.length).toBeGreaterThanOrEqual(8);
  expect(withoutBars.map(({ paragraph }) => paragraph)).toContain(withBars[0]?.paragraph);
  const box = await page.locator('[data-mount-point="book"]').boundingBox();
  expect(box).toMatchObject({ y: 0, height: 400 });

  await page.keyboard.press('Escape');
  await expect(footer).not.toHaveAttribute('inert');
  await expect(footer).toHaveText(footerText, { useInnerText: true });
  expect(await readVisibleLines(page)).toEqual(withBars);
});
