import { untilWhole } from '../../../../tools/bench/layout-shift.ts';
import { holdProgram } from '../../support/hold-program.ts';
import { test } from '../../support/painting-shop.ts';
import { expect } from '../../support/shop.ts';

test('a press that leads elsewhere does so before the program is there', async ({ page, painting }) => {
  const release = await holdProgram(page);
  for (const [event, address] of [
    ['buy.pressed', '/title/purchase?titleid=1001'],
    ['sample.pressed', '/viewer?instanceid=1001&sample=1'],
  ] as const) {
    await page.goto(`${painting.url}/id:1001`, { waitUntil: 'commit' });
    await page.locator(`a[data-event="${event}"]`).click();
    await expect(page).toHaveURL(painting.url + address);
  }
  await release();
  await expect(page.locator('[data-flow="signUp"]')).toBeVisible();
});

test('a press on a button that the program alone can answer is repeated by it', async ({ page, painting }) => {
  const release = await holdProgram(page);
  await page.goto(`${painting.url}/id:1011`, { waitUntil: 'commit' });
  await page.locator('button[data-event="buy.pressed"]').click();
  await release();
  await expect(page).toHaveURL(/\/signin\?.*action=get/);
});

test('a list is sorted and narrowed before the program is there', async ({ page, painting }) => {
  const release = await holdProgram(page);
  await page.goto(`${painting.url}/all`, { waitUntil: 'commit' });
  const filters = page.locator('main [type=checkbox][data-value^="kind="]:enabled');
  const asked = () => Object.fromEntries(new URL(page.url()).searchParams);
  await filters.first().click();
  await expect.poll(asked).toEqual({ kind: 'ebook' });
  await expect(filters.first()).toBeChecked();
  await filters.nth(1).click();
  await expect.poll(asked).toEqual({ kind: 'audio,ebook' });
  await page.getByRole('radio', { name: 'Free' }).click();
  await expect.poll(asked).toEqual({ kind: 'audio,ebook', free: 'true' });
  await page.getByRole('radio', { name: 'Any price' }).click();
  await expect.poll(asked).toEqual({ kind: 'audio,ebook' });
  await page.locator('[data-event="sort.chosen"]').selectOption('price');
  await expect.poll(asked).toEqual({ kind: 'audio,ebook', sort: 'price' });
  await release();
  await untilWhole(page);
  // A second press takes it away again.
  await filters.first().uncheck();
  await expect.poll(asked).toEqual({ kind: 'audio', sort: 'price' });
});

test('all that is chosen before an answer comes is asked for', async ({ page, painting }) => {
  const release = await holdProgram(page);
  await page.goto(`${painting.url}/all/popular`, { waitUntil: 'commit' });
  await expect(page.locator('main li').first()).toBeVisible();
  await page.evaluate(() => {
    for (const choice of document.querySelectorAll<HTMLElement>('main [type=checkbox][data-value^="kind="]:enabled'))
      choice.click();
  });
  await expect(page).toHaveURL(/\/all\/popular\?kind=[a-z]+%2C[a-z%2C]+$/);
  await release();
});

test('prices that are asked for before the program is there narrow the list as it is', async ({ page, painting }) => {
  const release = await holdProgram(page);
  await page.goto(`${painting.url}/all/free?sort=title&kind=ebook`, { waitUntil: 'commit' });
  await page.getByRole('textbox', { name: 'Price from' }).fill('2');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(`${painting.url}/all?sort=title&pricefrom=2&kind=ebook`);
  const [from, to] = [page.getByRole('textbox', { name: 'Price from' }), page.getByRole('textbox', { name: 'Price to' })];
  await expect(from).toHaveValue('2');
  await to.fill('9');
  await release();
  await untilWhole(page);
  await expect(to).toHaveValue('9');
  await to.press('Enter');
  await expect(page).toHaveURL(`${painting.url}/all?sort=title&pricefrom=2&kind=ebook&priceto=9`);
  await page.goBack();
  await expect(to).toHaveValue('');
});
