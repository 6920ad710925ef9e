import { openWithFrame } from '../../../tools/browser/frame.ts';
import { expect, test } from '../support/store.ts';

/** A picture as a data URL, which needs no request. */
const pictureUrl = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/%3E";

test('ShelfName names the shop [S3.property/ShelfName]', async ({ page, setProperties }) => {
  await setProperties({ ShelfName: 'Lamplight Books' });
  await openWithFrame(page, '/');
  await expect(page).toHaveTitle('Lamplight Books');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Lamplight Books');
  await expect(page.getByRole('contentinfo')).toContainText('Lamplight Books');
  await setProperties({ ShelfName: null });
  await openWithFrame(page, '/');
  await expect(page).toHaveTitle('Colophon');
});

test('ShelfLogo sets the picture in the top bar, which otherwise shows the name [S3.property/ShelfLogo]', async ({
  page,
  setProperties,
}) => {
  const bar = page.getByRole('banner');
  await setProperties({ ShelfLogo: pictureUrl });
  await page.goto('/all');
  await expect(bar.getByRole('img', { name: 'Harbour Books' })).toHaveAttribute('src', pictureUrl);
  await setProperties({ ShelfLogo: null });
  await page.goto('/all');
  await expect(bar.getByRole('link', { name: 'Harbour Books' })).toBeVisible();
  await expect(bar.getByRole('img', { name: 'Harbour Books' })).toHaveCount(0);
});

test('ShelfColor colours buttons, and the footer 30% darker [S3.property/ShelfColor]', async ({ page, setProperties }) => {
  await setProperties({ ShelfColor: '#64c832' });
  await openWithFrame(page, '/id:1001');
  await expect(page.getByRole('link', { name: /^Buy/ })).toHaveCSS('background-color', 'rgb(100, 200, 50)');
  await expect(page.getByRole('contentinfo')).toHaveCSS('background-color', 'rgb(70, 140, 35)');
});

test('FavIcon sets the icon of the page [S3.property/FavIcon]', async ({ page, setProperties }) => {
  const icon = page.locator('link[rel=icon]');
  await setProperties({ FavIcon: '/media/store/second/favicon.svg' });
  await page.goto('/');
  await expect(icon).toHaveAttribute('href', /\/media\/store\/second\/favicon\.svg$/);
  await setProperties({ FavIcon: null });
  await page.goto('/');
  await expect(icon).toHaveAttribute('href', /^\/favicon\.svg$/);
});

const kindFlags = [
  {
    flag: 'EnableEbook',
    path: '/ebook',
    textProperty: 'EbooksDisplayText',
    rows: ['[S3.property/EnableEbook]', '[S3.property/EbooksDisplayText]'],
  },
  {
    flag: 'EnableAudioTitle',
    path: '/audio',
    textProperty: 'AudioTitlesDisplayText',
    rows: ['[S3.property/EnableAudioTitle]', '[S3.property/AudioTitlesDisplayText]'],
  },
  {
    flag: 'EnableVideoTitle',
    path: '/video',
    textProperty: 'VideoTitlesDisplayText',
    rows: ['[S3.property/EnableVideoTitle]', '[S3.property/VideoTitlesDisplayText]'],
  },
];

for (const { flag, path, rows } of kindFlags) {
  test(`${flag} adds a link to ${path} to the top bar ${rows[0]}`, async ({ page, setProperties }) => {
    const link = page.getByRole('banner').locator(`a[href="${path}"]`);
    await setProperties({ [flag]: true });
    await page.goto('/id:1001');
    await expect(link).toBeVisible();
    await setProperties({ [flag]: false });
    await page.goto('/id:1001');
    await expect(page.getByRole('banner').locator('a[href="/all"]')).toBeVisible();
    await expect(link).toHaveCount(0);
  });
}

for (const { textProperty, path, rows } of [
  ...kindFlags,
  { textProperty: 'TitlesDisplayText', path: '/all', rows: ['[S3.property/TitlesDisplayText]'] },
]) {
  test(`${textProperty} names ${path} in the top bar and on its page ${rows.at(-1)}`, async ({ page, setProperties }) => {
    await setProperties({ [textProperty]: 'Wonders' });
    await page.goto(path);
    await expect(page.getByRole('banner').locator(`a[href="${path}"]`)).toHaveText('Wonders');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Wonders');
    await expect(page).toHaveTitle(/^Wonders · /);
  });
}

test('ShowPapertrellBrand shows the product’s line in the footer [S3.property/ShowPapertrellBrand]', async ({
  page,
  setProperties,
}) => {
  const line = page.getByRole('contentinfo').getByText('Powered by Colophon');
  await openWithFrame(page, '/all');
  await expect(line).toBeVisible();
  await setProperties({ ShowPapertrellBrand: false });
  await openWithFrame(page, '/all');
  await expect(page.getByRole('contentinfo')).toContainText('Harbour Books');
  await expect(line).toHaveCount(0);
});
