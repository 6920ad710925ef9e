import { untilWhole } from '../../../tools/bench/layout-shift.ts';
import { holdProgram } from '../support/hold-program.ts';
import { test } from '../support/painting-shop.ts';
import { expect } from '../support/shop.ts';

test('what is pressed before the program is there is made good', async ({ page, painting }) => {
  const release = await holdProgram(page);
  await page.goto(`${painting.url}/id:1001`, { waitUntil: 'commit' });
  await page.locator('[data-event="buy.pressed"]').first().click();
  await release();
  await expect(page).toHaveURL(/\/title\/purchase\?titleid=1001/);
});

test('what is chosen before the program is there is made good', async ({ page, painting }) => {
  const release = await holdProgram(page);
  await page.goto(`${painting.url}/all`, { waitUntil: 'commit' });
  const filters = page.locator('main [type=checkbox][data-value^="kind="]:enabled');
  const filter = filters.first();
  await filter.check();
  await filters.nth(1).check();
  await page.getByRole('radio', { name: 'Free' }).check();
  await page.getByRole('radio', { name: 'Any price' }).check();
  await page.locator('[data-event="sort.chosen"]').selectOption({ index: 1 });
  await release();
  const asked = () => new URL(page.url()).searchParams;
  await expect.poll(() => [...asked().keys()].toSorted()).toEqual(['kind', 'sort']);
  expect(asked().get('kind')?.split(',')).toHaveLength(2);
  await expect(filter).toBeChecked();
  // A second press takes it away again.
  await filter.uncheck();
  await filters.nth(1).uncheck();
  await expect.poll(() => [...asked().keys()]).toEqual(['sort']);
});

test('all that is chosen is, though the first leads to another address of the list', async ({ page, painting }) => {
  const release = await holdProgram(page);
  await page.goto(`${painting.url}/all/popular`, { waitUntil: 'commit' });
  await page.locator('[data-event="sort.chosen"]').selectOption('price');
  await page.locator('main [type=checkbox][data-value^="kind="]:enabled').first().check();
  await release();
  await expect(page).toHaveURL(/\/all\?sort=price&kind=ebook$/);
});

test('prices that are asked for before the program is there narrow the list as it is', async ({ page, painting }) => {
  const release = await holdProgram(page);
  await page.goto(`${painting.url}/all/free?sort=title&kind=book`, { waitUntil: 'commit' });
  await page.getByRole('textbox', { name: 'Price from' }).fill('2');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(`${painting.url}/all?sort=title&kind=book&pricefrom=2&priceto=`);
  const [from, to] = [page.getByRole('textbox', { name: 'Price from' }), page.getByRole('textbox', { name: 'Price to' })];
  await expect(from).toHaveValue('2');
  await to.fill('9');
  await release();
  await untilWhole(page);
  await expect(to).toHaveValue('9');
  await to.press('Enter');
  await expect(page).toHaveURL(`${painting.url}/all?sort=title&kind=book&pricefrom=2&priceto=9`);
  await page.goBack();
  await expect(to).toHaveValue('');
});
