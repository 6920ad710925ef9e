/** Where things stand, and that they stay there. */
import type { Locator, Page } from '@playwright/test';
import { languages } from '../../../../machines/model/store/language-names.ts';
import { shiftPage, shiftsAt, windows } from '../../../../tools/bench/layout-shift.ts';
import { waitUntilSettled } from '../../pages/axe.ts';
import { Customer } from '../../../../tools/browser/customer.ts';
import { expect, test } from '../../support/shop.ts';

/** Dozens of page loads over a slow network. */
const many = 120_000;

const main = ['/', '/all', '/all/fiction-novels', '/id:1001', '/about', '/signin', '/title/purchase?titleid=1001', '/nowhere'];
/** The others are measured where they come painted, in `painted.spec.ts`. */
const measured = ['/', '/all/fiction-novels', '/id:1001', '/signin', '/title/purchase?titleid=1001'];
const customers = ['/account', '/mylibrary'];

for (const viewport of windows) {
  test(`nothing moves by itself on the main pages at ${viewport.width} pixels`, async ({ context, shop }) => {
    test.setTimeout(many);
    for (const path of measured) {
      const page = await shiftPage(context);
      await page.setViewportSize(viewport);
      expect(await shiftsAt(page, `${shop.url}${path}`), path).toEqual({ total: 0, moved: [] });
      await page.close();
    }
    const customer = await Customer.signUp(shop);
    await customer.buys('1008');
    await customer.uses(context);
    for (const path of customers) {
      const page = await shiftPage(context);
      await page.setViewportSize(viewport);
      expect(await shiftsAt(page, `${shop.url}${path}`), `${path} for a customer`).toEqual({ total: 0, moved: [] });
      await page.close();
    }
  });
}

/** The places of what the top bar and the strip under it lead by, by its name. */
const placesInBar = (page: Page): Promise<[string, string][]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('header :is(a, button, input), header + div a')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .map((element) => {
        const { x, y } = element.getBoundingClientRect();
        const name = element.getAttribute('aria-label') ?? element.textContent.trim();
        return [`${element.localName} ${name}`, `${Math.round(x)}, ${Math.round(y)}`];
      }),
  );

const bars = [...main, '/wishlist', '/redeem', '/cart', '/subscription', '/terms'];

for (const viewport of windows)
  test(`nothing in the top bar moves from page to page at ${viewport.width} pixels`, async ({ page, errors }) => {
    errors.allow(/status of 404/);
    await page.setViewportSize(viewport);
    const known = new Map<string, string>();
    for (const path of bars) {
      await page.goto(path);
      await waitUntilSettled(page, path);
      for (const [name, place] of await placesInBar(page)) {
        expect(place, `${name} on ${path}`).toBe(known.get(name) ?? place);
        known.set(name, place);
      }
    }
    expect(known.size).toBeGreaterThan(6);
  });

test('no reader is wider than a narrow phone, however long the name is', async ({ browser, shop }) => {
  const customer = await Customer.signUp(shop);
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'fr-FR', baseURL: shop.url });
  await customer.uses(context);
  const page = await context.newPage();
  // A book, a PDF, a recording, a film and an interactive title.
  for (const titleId of ['1001', '1018', '1021', '1023', '1024']) {
    await page.goto(`/viewer?instanceid=${titleId}&sample=1`);
    const reader = page.locator('[data-flow="book"], [data-flow="tracks"], [data-flow="interactive"]');
    await expect(reader).toBeVisible();
    await waitUntilSettled(page, titleId);
    const wider = await reader.evaluate(
      (element) => Math.max(element.scrollWidth, document.documentElement.scrollWidth) - innerWidth,
    );
    expect(wider, `pixels of ${titleId} beyond the window`).toBeLessThanOrEqual(0);
  }
  await context.close();
});

const boxOf = async (place: Locator): Promise<{ x: number; y: number; width: number; height: number }> => {
  const box = await place.boundingBox();
  if (box === null) throw new Error('This is not to be seen.');
  return box;
};

/** Where the text of a link, or a picture, begins: what is around it may be padding. */
const inkOf = (place: Locator): Promise<number> =>
  place.evaluate((element) => {
    const { left } = element.getBoundingClientRect();
    return Math.round(left + Number.parseFloat(getComputedStyle(element).paddingLeft));
  });

/** The rectangles of the medium's mark and the author that lie on each other, of all cards. */
const coveredAuthors = (page: Page): Promise<string[]> =>
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
  test(`logo, navigation and sidebar have one left edge, hero and sidebar one top, in ${language}`, async ({ page }) => {
    await page.goto(`/?lang=${language}`);
    await waitUntilSettled(page, '/');
    const bar = page.getByRole('banner');
    const sidebar = await boxOf(page.getByRole('complementary'));
    const logo = await inkOf(bar.getByRole('img').first());
    const navigation = await inkOf(bar.locator('nav a[href="/all"]'));
    expect([logo, navigation]).toEqual([sidebar.x, sidebar.x]);
    const hero = await boxOf(page.getByRole('main').locator('section').first());
    expect(Math.round(hero.y)).toBe(Math.round(sidebar.y));
    expect(await coveredAuthors(page)).toEqual([]);
    for (const width of [900, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await coveredAuthors(page), `at ${width} pixels`).toEqual([]);
      // The search's left edge, the filters' and the hero's.
      const edges = [
        page.getByRole('main').locator('section').first(),
        page.getByRole('navigation').locator('a[href="/all/new"]:visible').first(),
      ];
      const [one, other] = await Promise.all(edges.map(async (edge) => Math.round((await boxOf(edge)).x)));
      expect(one, `at ${width} pixels`).toBe(other);
    }
  });

test('the steps of a purchase have room beside each other on the narrowest telephones, in every language', async ({
  page,
  shop,
  context,
}) => {
  const customer = await Customer.signUp(shop);
  await customer.uses(context);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const language of languages) {
    await page.goto(`/title/purchase?titleid=1004&lang=${language}`);
    const steps = page.getByRole('main').locator('ol > li');
    await expect(steps).toHaveCount(3);
    const over = await steps.evaluateAll((items) => items.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    expect(over, language).toEqual([0, 0, 0]);
  }
});

test('the page of a title that is owned is no wider than a phone, in any language', async ({ page, shop, context }) => {
  const customer = await Customer.signUp(shop);
  await customer.buys('1022');
  await customer.uses(context);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const language of languages) {
    await page.goto(`/id:1022?lang=${language}`);
    await page.locator('[data-event="read.pressed"]').waitFor();
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wider, language).toBeLessThanOrEqual(0);
  }
});

test('the foot is there with the first screen, below what is to be seen at once', async ({ page, context }) => {
  await context.route(/\/api\/titles/, () => undefined);
  for (const { width, height } of windows) {
    await page.setViewportSize({ width, height });
    await page.goto('/');
    await expect(page.locator('[aria-busy="true"]')).toBeVisible();
    const foot = page.getByRole('contentinfo');
    await expect(foot.getByRole('link', { name: 'About' })).toBeAttached();
    expect((await boxOf(foot)).y, `at ${width} pixels`).toBeGreaterThanOrEqual(height);
  }
});

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('every link is at least 24 pixels high, but those within a sentence', async ({ page, context, shop }) => {
    const customer = await Customer.signUp(shop);
    await customer.buys('1008');
    await customer.uses(context);
    for (const path of ['/', '/all/fiction-novels', '/id:1001', '/account']) {
      await page.goto(path);
      await waitUntilSettled(page, path);
      const low = await page.evaluate(() =>
        [...document.querySelectorAll('a[href]')]
          .filter((link) => link.checkVisibility() && getComputedStyle(link).display !== 'inline')
          .filter((link) => link.getBoundingClientRect().height < 24)
          .map((link) => link.textContent),
      );
      expect(low, path).toEqual([]);
    }
  });
});

/** The lines of text that a book shows, top down, each with the beginning of its paragraph. */
const shownLines = (page: Page): Promise<{ top: number; paragraph: string }[]> => {
  const frame = page.frames().findLast((each) => each.url().includes('book.epub/') && !each.isDetached());
  if (frame === undefined) throw new Error('There is no page.');
  return frame.evaluate(() => {
    const at = frameElement?.getBoundingClientRect() ?? new DOMRect();
    const lines = [...document.querySelectorAll('p')].flatMap((paragraph) => {
      const range = document.createRange();
      range.selectNodeContents(paragraph);
      return [...range.getClientRects()]
        .filter(({ left, right }) => left + at.left >= 0 && right + at.left <= parent.innerWidth)
        .map(({ top }) => ({ top: Math.round(top + at.top), paragraph: paragraph.textContent.slice(0, 40) }));
    });
    const tops = new Map(lines.map((line) => [line.top, line]));
    return [...tops.values()].toSorted((one, other) => one.top - other.top);
  });
};

test('in a low window the text has the room of hidden bars, and keeps its place', async ({ page, context, shop }) => {
  await page.setViewportSize({ width: 600, height: 400 });
  const customer = await Customer.signUp(shop);
  await customer.buys('1001');
  await customer.uses(context);
  await page.goto(`/viewer?instanceid=${await customer.instanceOf('1001')}`);
  const foot = page.locator('[data-flow="book"] footer');
  await page.locator('[data-event="contents.pressed"]').click();
  await page.locator('[data-event="entry.chosen"]').nth(3).click();
  await expect(foot).toContainText('left in this chapter');
  for (let turn = 0; turn < 4; turn += 1) {
    const before = await foot.innerText();
    await page.keyboard.press('ArrowRight');
    await expect(foot).not.toHaveText(before, { useInnerText: true });
  }
  const place = await foot.innerText();
  const withBars = await shownLines(page);

  await page.keyboard.press('Escape');
  await expect(foot).toHaveAttribute('inert');
  await expect.poll(async () => (await shownLines(page)).length).toBeGreaterThan(withBars.length);
  const withoutBars = await shownLines(page);
  expect(withoutBars.length).toBeGreaterThanOrEqual(8);
  expect(withoutBars.map(({ paragraph }) => paragraph)).toContain(withBars[0]?.paragraph);
  const box = await page.locator('[data-mount-point="book"]').boundingBox();
  expect(box).toMatchObject({ y: 0, height: 400 });

  await page.keyboard.press('Escape');
  await expect(foot).not.toHaveAttribute('inert');
  await expect(foot).toHaveText(place, { useInnerText: true });
  expect(await shownLines(page)).toEqual(withBars);
});
