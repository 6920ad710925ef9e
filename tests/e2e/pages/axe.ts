import { expect, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';
import { lookChoice, wakeFrame } from '../../../tools/browser/frame.ts';

/** The rules that look at colors: all that another background can break. */
export const colorRules = ['color-contrast', 'link-in-text-block'];

/** The rules that look at what fingers press: axe leaves them out by itself. */
export const touchRules = ['target-size'];

const grave = new Set<unknown>(['serious', 'critical']);

/**
 * Waits until the screen has its heading, nothing on it is still on its way, and the frame has come, with the store's own
 * colours.
 */
export const waitUntilSettled = async (page: Page, path: string): Promise<void> => {
  await wakeFrame(page);
  await expect(page.locator('[aria-busy="true"]'), `what ${path} waits for`).toHaveCount(0);
  // Until a book is open its frame may be replaced by another one.
  await expect(page.locator('[data-flow="book"][data-state*="opening"]'), `the book of ${path}`).toHaveCount(0);
  const isFramed = (await page.getByRole('contentinfo').count()) > 0 && (await page.locator('[data-flow="screen"]').count()) > 0;
  // Pages of documents leave the account out, and with it the choices.
  const hasMenu =
    (await page.locator('header nav a[href^="/sign"], header nav a[href="/account"], header nav button').count()) > 0;
  if (isFramed && hasMenu) await expect(lookChoice(page, 'background').first(), `the frame of ${path}`).toBeAttached();
};

/**
 * Colours that are changing, or are about to, are brought to their end; out of sight they would never reach it by themselves.
 * What inherits a colour may begin to change when another element has ended.
 */
const endTransitions = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (;;) {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const changing = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
      if (changing.length === 0) return;
      for (const transition of changing) transition.finish();
    }
  });

/** Puts axe into a page and its frames, unless it is there from an earlier look. */
const bringAxe = async (page: Page): Promise<void> => {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
  }
};

/**
 * What axe finds serious or critical on the page, by the rules of WCAG 2.2 AA and its own good practices. Of what passes
 * nobody wants the details: it takes a third of the time. `rules` are all, where it does not name some.
 */
export const seriousViolations = async (page: Page, path: string, rules: readonly string[] = []): Promise<string[]> => {
  await endTransitions(page);
  await bringAxe(page);
  const options: RunOptions = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: true }])),
    ...(rules.length > 0 && { runOnly: { type: 'rule', values: [...rules] } }),
  };
  const { violations } = await page.evaluate((given) => axe.run(given), options);
  return violations
    .filter(({ impact }) => grave.has(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${path} ${id} ${String(target)}: ${failureSummary}`));
};

/**
 * The elements of a page with their states, without their words, addresses and names: where axe has found nothing in one of
 * two pages that are alike in this, it finds nothing in the other.
 */
export const structureOf = (page: Page): Promise<string> =>
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
