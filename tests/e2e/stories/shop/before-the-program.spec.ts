import { waitUntilComplete } from '../../../../tools/bench/layout-shift.ts';
import { holdScripts } from '../../support/hold-scripts.ts';
import { test } from '../../support/ssr-shop.ts';
import { expect } from '../../support/shop.ts';

test('a press on a link navigates before the scripts are loaded', async ({ page, ssr }) => {
  const release = await holdScripts(page);
  for (const [event, path] of [
    ['buy.pressed', '/title/purchase?titleid=1001'],
    ['sample.pressed', '/viewer?instanceid=1001&sample=1'],
  ] as const) {
    await page.goto(`${ssr.url}/id:1001`, { waitUntil: 'commit' });
    await page.locator(`a[data-event="${event}"]`).click();
    await expect(page).toHaveURL(ssr.url + path);
  }
  await release();
  await expect(page.locator('[data-flow="signUp"]')).toBeVisible();
});

test('a press on a button that needs scripts is replayed after they load', async ({ page, ssr }) => {
  const release = await holdScripts(page);
  await page.goto(`${ssr.url}/id:1011`, { waitUntil: 'commit' });
  await page.locator('button[data-event="buy.pressed"]').click();
  await release();
  await expect(page).toHaveURL(/\/signin\?.*action=get/);
});

test('a list is sorted and filtered before the scripts are loaded', async ({ page, ssr }) => {
  const release = await holdScripts(page);
  await page.goto(`${ssr.url}/all`, { waitUntil: 'commit' });
  const filters = page.locator('main [type=checkbox][data-value^="kind="]:enabled');
  const readQuery = () => Object.fromEntries(new URL(page.url()).searchParams);
  await filters.first().click();
  await expect.poll(readQuery).toEqual({ kind: 'ebook' });
  await expect(filters.first()).toBeChecked();
  await filters.nth(1).click();
  await expect.poll(readQuery).toEqual({ kind: 'audio,ebook' });
  await page.getByRole('radio', { name: 'Free' }).click();
  await expect.poll(readQuery).toEqual({ kind: 'audio,ebook', free: 'true' });
  await page.getByRole('radio', { name: 'Any price' }).click();
  await expect.poll(readQuery).toEqual({ kind: 'audio,ebook' });
  await page.locator('[data-event="sort.chosen"]').selectOption('price');
  await expect.poll(readQuery).toEqual({ kind: 'audio,ebook', sort: 'price' });
  await release();
  await waitUntilComplete(page);
  // A second press removes the filter.
  await filters.first().uncheck();
  await expect.poll(readQuery).toEqual({ kind: 'audio', sort: 'price' });
});

test('all filters chosen before a response arrives are requested', async ({ page, ssr }) => {
  const release = await holdScripts(page);
  await page.goto(`${ssr.url}/all/popular`, { waitUntil: 'commit' });
  await expect(page.locator('main li').first()).toBeVisible();
  await page.evaluate(() => {
    for (const choice of document.querySelectorAll<HTMLElement>('main [type=checkbox][data-value^="kind="]:enabled'))
      choice.click();
  });
  await expect(page).toHaveURL(/\/all\/popular\?kind=[a-z]+%2C[a-z%2C]+$/);
  await release();
});

test('prices submitted before the scripts are loaded filter the current list', async ({ page, ssr }) => {
  const release = await holdScripts(page);
  await page.goto(`${ssr.url}/all/free?sort=title&kind=ebook`, { waitUntil: 'commit' });
  await page.getByRole('textbox', { name: 'Price from' }).fill('2');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(`${ssr.url}/all?sort=title&pricefrom=2&kind=ebook`);
  const priceFrom = page.getByRole('textbox', { name: 'Price from' });
  const priceTo = page.getByRole('textbox', { name: 'Price to' });
  await expect(priceFrom).toHaveValue('2');
  await priceTo.fill('9');
  await release();
  await waitUntilComplete(page);
  await expect(priceTo).toHaveValue('9');
  await priceTo.press('Enter');
  await expect(page).toHaveURL(`${ssr.url}/all?sort=title&pricefrom=2&kind=ebook&priceto=9`);
  await page.goBack();
  await expect(priceTo).toHaveValue('');
});
