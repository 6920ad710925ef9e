import { expect, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';
import { getLookSelect, wakeFrame } from '../../../tools/browser/frame.ts';

/** Rules about colours: only these can be violated by another background. */
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
  // Until a book is open its iframe may be replaced by another one.
  await expect(page.locator('[data-flow="book"][data-state*="opening"]'), `the book of ${path}`).toHaveCount(0);
  const isFramed = (await page.getByRole('contentinfo').count()) > 0 && (await page.locator('[data-flow="screen"]').count()) > 0;
  // Document pages hide the account menu, and with it the theme choices.
  const hasMenu =
    (await page.locator('header nav a[href^="/sign"], header nav a[href="/account"], header nav button').count()) > 0;
  if (isFramed && hasMenu) await expect(getLookSelect(page, 'background').first(), `the frame of ${path}`).toBeAttached();
};

/**
 * Finishes running and pending colour transitions, which off screen would never end. The end of a
 * transition may start another one for an inherited colour, hence the loop.
 */
const finishTransitions = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (;;) {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
      if (transitions.length === 0) return;
      for (const transition of transitions) transition.finish();
    }
  });

/** Injects axe into a page and its frames, unless it is already there. */
const injectAxe = async (page: Page): Promise<void> => {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
  }
};

/**
 * Returns axe's serious and critical violations on the page, by the rules of WCAG 2.2 AA and axe's
 * own best practices. Details of passed rules are left out: they take a third of the time.
 * @param rules the ids of the rules to check; by default all
 */
export const findSeriousViolations = async (page: Page, path: string, rules: readonly string[] = []): Promise<string[]> => {
  await finishTransitions(page);
  await injectAxe(page);
  const options: RunOptions = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: true }])),
    ...(rules.length > 0 && { runOnly: { type: 'rule', values: [...rules] } }),
  };
  const { violations } = await page.evaluate((axeOptions) => axe.run(axeOptions), options);
  return violations
    .filter(({ impact }) => seriousImpacts.has(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${path} ${id} ${String(target)}: ${failureSummary}`));
};

/**
 * Returns the elements of a page with their states, without texts, URLs and names: if axe has no
 * finding on one of two pages with equal structure, it has none on the other.
 */
export const readStructure = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const ignoredNames = /^(?:id|href|src|srcset|alt|title|name|value|content|for|aria-(?:label.*|describedby|controls|owns))$/;
    const formatAttribute = ({ name, value }: Attr): string =>
      ignoredNames.test(name) ? `${name}${value === '' ? '' : '…'}` : `${name}=${value}`;
    const markText = ({ childNodes }: Element): string =>
      [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim() !== '') ? '…' : '';
    return [document.documentElement, ...document.body.querySelectorAll('*')]
      .map((element) => [element.tagName, ...[...element.attributes].map(formatAttribute), markText(element)].join(' '))
      .join('\n');
  });
