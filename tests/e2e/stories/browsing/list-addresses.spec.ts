import { LongList } from '../../pages/long-list.ts';
import { expect, test } from '../../support/shop.ts';

test('a catalog and a title set are lists with their own name, the sidebar and no Subscribe link [S2./catalog/titles] [S2./titleset/titles] [S2.frame/catalog]', async ({
  page,
}) => {
  for (const path of ['/catalog/titles/spring-catalogue', '/titleset/titles/winter-evenings']) {
    await page.goto(path);
    await new LongList(page).waitForState({ shown: 'resting' });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/spring|winter/i);
    await expect(page.getByRole('navigation', { name: 'Categories' })).toBeVisible();
    await expect(page.locator('header').getByRole('link', { name: /subscribe/i })).toHaveCount(0);
  }
});

test('a URL with a title’s name is replaced by the title’s canonical URL [S2.title-by-type]', async ({ page }) => {
  await page.goto('/all');
  await new LongList(page).waitForState({ shown: 'resting' });
  for (const path of ['/audio/the-night-signalman', '/video/low-water/1022']) {
    await page.goto(path);
    await expect(page.locator('[data-flow="title"]')).toBeVisible();
    await expect(page).toHaveURL(/\/id:10(19|22)\/[A-Z]/);
  }
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/\/all$/);
});

test('a category is found by Id and by name at any depth, and its URL remains as typed [S2.sub-category]', async ({ page }) => {
  for (const path of [
    '/audio/Fiction',
    '/all/x/fiction-novels',
    '/ebook/fiction/novels/fiction-novels',
    '/all/a/b/c/fiction-novels',
  ]) {
    await page.goto(`${path}?sort=nonsense&pricefrom=abc&priceto=-5&search=`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(path.includes('novels') ? 'Novels' : 'Fiction');
    await expect(page).toHaveURL(new RegExp(`${path}\\?sort=nonsense`));
    await expect(page.getByRole('navigation', { name: 'Active filters' })).toHaveCount(0);
  }
});

test('an unknown list URL shows that no list was found, and links to all titles', async ({ page, errors }) => {
  errors.allow(/Failed to load resource/);
  for (const path of ['/all/nowhere', '/audio/nowhere', '/video/a/b', '/catalog/titles/nowhere', '/all/a/b/c/d']) {
    await page.goto(path);
    await new LongList(page).waitForState('notFound');
    await expect(page.getByRole('link', { name: 'See all titles' })).toBeVisible();
  }
});
