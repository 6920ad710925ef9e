import { expect, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';
import { getLookSelect, wakeFrame } from '../../../tools/browser/frame.ts';

/** Rules about colours: only these can break on another background. */
export const colorRules = ['color-contrast', 'link-in-text-block'];

/** Rules about touch targets, which axe leaves out by default. */
export const touchRules = ['target-size'];

const seriousImpacts = new Set<unknown>(['serious', 'critical']);

/**
 * Waits until the screen has its heading, nothing on it is loading, and the frame has the store's
 * own colours.
 */
export const waitUntilSettled = async (page: Page, path: string): Promise<void> => {
  await wakeFrame(page);
  await expect(page.locator('[aria-busy="true"]'), `pending parts of ${path}`).toHaveCount(0);
  // Until a book is open its frame may be replaced by another one.
  await expect(page.locator('[data-flow="book"][data-state*="opening"]'), `the book of ${path}`).toHaveCount(0);
  const isFramed = (await page.getByRole('contentinfo').count()) > 0 && (await page.locator('[data-flow="screen"]').count()) > 0;
  // Document pages hide the account menu, and with it the theme choices.
  const hasMenu =
    (await page.locator('header nav a[href^="/sign"], header nav a[href="/account"], header nav button').count()) > 0;
  if (isFramed && hasMenu) await expect(getLookSelect(page, 'background').first(), `the frame of ${path}`).toBeAttached();
};

/**
 * Finishes running and pending colour transitions; off screen they would never end. Inherited
 * colours may start a transition when another one has ended, hence the loop.
 */
const finishTransitions = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (;;) {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const changing = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
      if (changing.length === 0) return;
      for (const transition of changing) transition.finish();
    }
  });

/** Injects axe into a page and its frames, unless it is already there. */
const injectAxe = async (page: Page): Promise<void> => {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
  }
};

/**
 * Axe's serious and critical violations on the page, by the rules of WCAG 2.2 AA and axe's own best
 * practices. Details of passed rules are left out: they take a third of the time. `rules` defaults
 * to all.
 */
export const seriousViolations = async (page: Page, path: string, rules: readonly string[] = []): Promise<string[]> => {
  await finishTransitions(page);
  await injectAxe(page);
  const options: RunOptions = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: true }])),
    ...(rules.length > 0 && { runOnly: { type: 'rule', values: [...rules] } }),
  };
  const { violations } = await page.evaluate((given) => axe.run(given), options);
  return violations
    .filter(({ impact }) => seriousImpacts.has(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${path} ${id} ${String(target)}: ${failureSummary}`));
};

/**
 * The elements of a page with their states, without texts, addresses and names: if axe has no
 * finding on one of two pages with equal structure, it has none on the other.
 */
export const readStructure = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const free = /^(?:id|href|src|srcset|alt|title|name|value|content|for|aria-(?:label.*|describedby|controls|owns))$/;
    const attribute = ({ name, value }: Attr): string =>
      free.test(name) ? `${name}${value === '' ? '' : '…'}` : `${name}=${value}`;
    const words = ({ childNodes }: Element): string =>
      [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim() !== '') ? '…' : '';
    return [document.documentElement, ...document.body.querySelectorAll('*')]
      .map((element) => [element.tagName, ...[...element.attributes].map(attribute), words(element)].join(' '))
      .join('\n');
  });
