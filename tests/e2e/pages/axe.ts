import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { lookChoice, wakeFrame } from './frame.ts';

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
  const isFramed = (await page.getByRole('contentinfo').count()) > 0 && (await page.locator('[data-flow="screen"]').count()) > 0;
  // Pages of documents leave the account out, and with it the choices.
  const hasMenu =
    (await page.locator('header nav a[href^="/sign"], header nav a[href="/account"], header nav button').count()) > 0;
  if (isFramed && hasMenu) await expect(lookChoice(page, 'background').first(), `the frame of ${path}`).toBeAttached();
};

/** Colours that are changing, or are about to, are brought to their end; out of sight they would never reach it by themselves. */
const endTransitions = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
  });

/**
 * What axe finds serious or critical on the page, by the rules of WCAG 2.2 AA and its own good practices. No page of the
 * shop has a frame of another origin, so axe needs no second page to gather its results in ("legacy"), and of what passes
 * nobody wants the details: it takes a third of the time. `rules` are all, where it does not name some.
 */
export const seriousViolations = async (page: Page, path: string, rules: readonly string[] = []): Promise<string[]> => {
  await endTransitions(page);
  const enabled = Object.fromEntries(rules.map((rule) => [rule, { enabled: true }]));
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'], rules: enabled });
  const { violations } = await (rules.length === 0 ? builder : builder.withRules([...rules])).analyze();
  return violations
    .filter(({ impact }) => grave.has(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${path} ${id} ${String(target)}: ${failureSummary}`));
};
