import { commentsHost } from '../../../tools/tours/comments-host.ts';
import { expect, test } from '../support/store.ts';

const titlePath = '/id:1001';

test('ShowBuyTitle shows the Buy button [S3.property/ShowBuyTitle]', async ({ page, shopPage, setProperties }) => {
  await page.goto(titlePath);
  await expect(shopPage.control('buy.pressed')).toHaveText('Buy for $9.99');
  await setProperties({ ShowBuyTitle: false });
  await page.goto(titlePath);
  await expect(shopPage.control('sample.pressed')).toBeVisible();
  await expect(shopPage.control('buy.pressed')).toHaveCount(0);
});

test('ShowTitlePrice shows prices in lists, on the title’s page and in its structured data [S3.property/ShowTitlePrice]', async ({
  page,
  shopPage,
  setProperties,
}) => {
  const prices = page.getByRole('main').getByText(/\$\d/);
  const fetchHtml = async (): Promise<string> => (await page.request.get(titlePath, { headers: { accept: 'text/html' } })).text();
  await page.goto(titlePath);
  await expect(prices.first()).toHaveText('$9.99');
  expect(await fetchHtml()).toContain('"offers"');
  await setProperties({ ShowTitlePrice: false });
  await page.goto(titlePath);
  await expect(shopPage.control('buy.pressed')).toHaveText('Buy');
  await expect(prices).toHaveCount(0);
  expect(await fetchHtml()).not.toContain('"offers"');
  await page.goto('/all');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await shopPage.waitForState('catalogue', { shown: 'resting' });
  await expect(prices).toHaveCount(0);
});

test('EnableTax marks a price as excluding tax [S3.property/EnableTax]', async ({ page, shopPage, setProperties }) => {
  const note = page.getByText('plus tax');
  await page.goto(titlePath);
  await expect(shopPage.control('buy.pressed')).toBeVisible();
  await expect(note).toHaveCount(0);
  await setProperties({ EnableTax: true });
  await page.goto(titlePath);
  await expect(note).toBeVisible();
  // A free title is not taxed.
  await page.goto('/id:1011');
  await expect(shopPage.control('buy.pressed')).toHaveText('Get it for free');
  await expect(note).toHaveCount(0);
});

test('EnableBuyWithCredits offers payment with credits [S3.property/EnableBuyWithCredits]', async ({
  page,
  shopPage,
  setProperties,
}) => {
  const line = page.getByText('You can also pay with credits.');
  await page.goto(titlePath);
  await expect(line).toBeVisible();
  await setProperties({ EnableBuyWithCredits: false });
  await page.goto(titlePath);
  await expect(shopPage.control('buy.pressed')).toBeVisible();
  await expect(line).toHaveCount(0);
});

test('CreditCurrency names the credits [S3.property/CreditCurrency]', async ({ page, setProperties }) => {
  await setProperties({ CreditCurrency: 'Lanterns' });
  await page.goto(titlePath);
  await expect(page.getByText('You can also pay with Lanterns.')).toBeVisible();
});

test('CreditsPerRenewal mentions the credits of a subscription [S3.property/CreditsPerRenewal]', async ({
  page,
  setProperties,
}) => {
  await setProperties({ CreditsPerRenewal: 7 });
  await page.goto(titlePath);
  await expect(page.getByText('You can also pay with credits. A subscription brings more with each renewal.')).toBeVisible();
  await setProperties({ CreditsPerRenewal: null });
  await page.goto(titlePath);
  await expect(page.getByText('You can also pay with credits.', { exact: true })).toBeVisible();
});

test('EnableGiftingTitle shows the button to give a title [S3.property/EnableGiftingTitle]', async ({
  page,
  shopPage,
  setProperties,
}) => {
  const link = page.getByRole('link', { name: 'Give as a gift' });
  await page.goto(titlePath);
  await expect(link).toHaveAttribute('href', '/title/gift?titleid=1001');
  await setProperties({ EnableGiftingTitle: false });
  await page.goto(titlePath);
  await expect(shopPage.control('buy.pressed')).toBeVisible();
  await expect(link).toHaveCount(0);
});

test('EnableWebTitleRedeem shows the link to redeem a code [S3.property/EnableWebTitleRedeem]', async ({
  page,
  shopPage,
  setProperties,
}) => {
  const link = page.getByRole('main').getByRole('link', { name: 'Redeem a code' });
  await page.goto(titlePath);
  await expect(link).toHaveAttribute('href', '/redeem');
  await setProperties({ EnableWebTitleRedeem: false });
  await page.goto(titlePath);
  await expect(shopPage.control('buy.pressed')).toBeVisible();
  await expect(link).toHaveCount(0);
});

test('ShowRelatedTitles shows related titles [S3.property/ShowRelatedTitles]', async ({ page, shopPage, setProperties }) => {
  await page.goto(titlePath);
  await page.locator('[data-in-view="related"]').scrollIntoViewIfNeeded();
  await expect(page.getByRole('region', { name: 'You may also like' }).getByRole('link').first()).toBeVisible();
  await setProperties({ ShowRelatedTitles: false });
  await page.goto(titlePath);
  await shopPage.waitForState('title', { shown: { ownership: 'notOwned', related: 'hidden', comments: 'hidden' } });
});

/** Replaces the script of the comments service; writes the arguments of its call into the page. */
const commentsScript = `window.Coral = { createStreamEmbed(stream) { document.getElementById(stream.id).textContent = JSON.stringify(stream); } };`;

test('EnableMblurb shows comments of the configured service [S3.property/EnableMblurb]', async ({
  page,
  shop,
  setProperties,
}) => {
  await page.route(`${commentsHost}/assets/js/embed.js`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: commentsScript }),
  );
  await setProperties({ EnableMblurb: true });
  await page.goto(titlePath);
  await page.locator('[data-in-view="comments"]').scrollIntoViewIfNeeded();
  await expect(page.getByRole('heading', { name: 'Comments' })).toBeVisible();
  expect(JSON.parse((await page.locator('#coral_thread').textContent()) ?? '')).toEqual({
    id: 'coral_thread',
    autoRender: true,
    rootURL: commentsHost,
    storyID: '1001',
    storyURL: `${shop.url}/id:1001/The-Keeper%E2%80%99s-Third-Log`,
  });
});

test('comments that fail to load are hidden', async ({ page, shopPage, errors, setProperties }) => {
  errors.allow(/Failed to load resource.*comments\.example|comments\.example/);
  await page.route(`${commentsHost}/**`, (route) => route.abort());
  await setProperties({ EnableMblurb: true, ShowRelatedTitles: false });
  await page.goto(titlePath);
  await shopPage.waitForState('title', { shown: { ownership: 'notOwned', related: 'hidden', comments: 'below' } });
  await page.locator('[data-in-view="comments"]').scrollIntoViewIfNeeded();
  await shopPage.waitForState('title', { shown: { ownership: 'notOwned', related: 'hidden', comments: 'hidden' } });
  await expect(page.getByText('Comments')).toHaveCount(0);
});
