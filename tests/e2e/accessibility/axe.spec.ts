import { backgrounds } from '../../../machines/model/appearance.ts';
import { locales } from '../../../machines/model/language.ts';
import { gravely, isSettled } from '../pages/axe.ts';
import { Customer } from '../pages/customer.ts';
import { everyAddress } from '../pages/every-address.ts';
import { expect, test } from '../support/shop.ts';

/** A page load and a look at all of it, dozens of times. */
const many = 300_000;

/** Answers of the server that belong to what is visited: nobody is signed in, or there is no such thing. */
const answers = /status of (?:401|404|409)/;

// What moves has no colours of its own yet.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('axe finds nothing serious at any address for a visitor', async ({ page, errors }) => {
  test.setTimeout(many);
  errors.allow(answers);
  const found: string[] = [];
  for (const { path } of everyAddress) {
    await page.goto(path);
    await isSettled(page, path);
    found.push(...(await gravely(page, path)));
  }
  expect(found).toEqual([]);
});

test('and nothing for a customer', async ({ page, context, shop, errors }) => {
  test.setTimeout(many);
  errors.allow(answers);
  const customer = await Customer.signUp(shop);
  const transId = await customer.buys('1001');
  await customer.uses(context);
  const found: string[] = [];
  const own = [`/title/purchase/success?transId=${transId}`, `/viewer?instanceid=${await customer.instanceOf('1001')}`];
  for (const path of [...everyAddress.map((address) => address.path), ...own]) {
    await page.goto(path);
    await isSettled(page, path);
    found.push(...(await gravely(page, path)));
  }
  expect(found).toEqual([]);
});

const main = ['/', '/all', '/id:1001', '/title/purchase?titleid=1001', '/mylibrary'];

for (const language of locales) {
  for (const background of backgrounds) {
    test(`and nothing on the main pages in ${language} on ${background}`, async ({ page, context, shop }) => {
      test.setTimeout(many);
      const customer = await Customer.signUp(shop);
      await customer.buys('1008');
      await customer.uses(context);
      await page.goto('/about');
      await page.locator('select[name="background"]').selectOption(background);
      const found: string[] = [];
      for (const path of main) {
        await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
        await isSettled(page, path);
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        found.push(...(await gravely(page, `${path} in ${language} on ${background}`)));
      }
      expect(found).toEqual([]);
    });
  }
}

test('and nothing in narrow windows, the menu open', async ({ page }) => {
  const found: string[] = [];
  for (const width of [390, 900]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/all');
    await isSettled(page, '/all');
    found.push(...(await gravely(page, `/all at ${width} pixels`)));
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(page.getByRole('navigation', { name: 'Categories' })).toBeVisible();
    found.push(...(await gravely(page, `the menu at ${width} pixels`)));
  }
  expect(found).toEqual([]);
});
