import { backgrounds } from '../../../machines/model/store/appearance.ts';
import { languages } from '../../../machines/model/store/language-names.ts';
import { colorRules, findSeriousViolations, waitUntilSettled } from '../pages/axe.ts';
import { chooseLook } from '../../../tools/browser/frame.ts';
import { Customer } from '../../../tools/browser/customer.ts';
import { expect, test } from '../support/shop.ts';

/** Limit of a test, which checks five main pages on three backgrounds each. */
const timeoutMs = 120_000;

// An animated element does not have its final colours yet.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const mainPaths = ['/', '/all', '/id:1001', '/title/purchase?titleid=1001', '/mylibrary'];

for (const language of languages) {
  test(`axe finds no serious violation on the main pages in ${language}, on any background`, async ({ page, context, shop }) => {
    test.setTimeout(timeoutMs);
    const customer = await Customer.signUp(shop);
    await customer.buy('1008');
    await customer.signInBrowser(context);
    const violations: string[] = [];
    for (const path of mainPaths) {
      await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
      await waitUntilSettled(page, path);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      for (const [index, background] of backgrounds.entries()) {
        await chooseLook(page, 'background', background);
        const rules = index === 0 ? [] : colorRules;
        violations.push(...(await findSeriousViolations(page, `${path} in ${language} on ${background}`, rules)));
      }
    }
    expect(violations).toEqual([]);
  });
}

test('axe finds no serious violation in narrow windows with the menu open', async ({ page }) => {
  const violations: string[] = [];
  for (const width of [390, 900]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/all');
    await waitUntilSettled(page, '/all');
    violations.push(...(await findSeriousViolations(page, `/all at ${width} pixels`)));
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(page.getByRole('navigation', { name: 'Categories' })).toBeVisible();
    violations.push(...(await findSeriousViolations(page, `the menu at ${width} pixels`)));
  }
  expect(violations).toEqual([]);
});
