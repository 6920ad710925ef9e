import { openWithFrame, wakeFrame } from '../../../tools/browser/frame.ts';
import { expect, test } from '../support/store.ts';

const footerRole = 'contentinfo';

test('Faq sets the questions and answers on /about, or the target of the Help link [S3.property/Faq]', async ({
  page,
  setProperties,
}) => {
  const help = page.getByRole(footerRole).getByRole('link', { name: 'Help', exact: true });
  await setProperties({ Faq: '<h3>May I bring my dog?</h3><p>Please do.</p>' });
  await openWithFrame(page, '/all');
  await help.click();
  await expect(page).toHaveURL('/about');
  await expect(page.getByRole('heading', { name: 'May I bring my dog?' })).toBeVisible();
  await setProperties({ Faq: 'https://help.lamplight.example/dogs' });
  await openWithFrame(page, '/about');
  await expect(help).toHaveAttribute('href', 'https://help.lamplight.example/dogs');
  await expect(page.getByText('May I bring my dog?')).toHaveCount(0);
});

for (const { property, row, value, href } of [
  {
    property: 'StoreUrl',
    row: '[S3.property/StoreUrl]',
    value: 'https://www.lamplight.example/books',
    href: 'https://www.lamplight.example/books',
  },
  {
    property: 'StoreUrlAlt',
    row: '[S3.property/StoreUrlAlt]',
    value: 'https://lanterns.example/',
    href: 'https://lanterns.example/',
  },
  {
    property: 'ShopifyShop',
    row: '[S3.property/ShopifyShop]',
    value: 'lamplight-prints',
    href: 'https://lamplight-prints.myshopify.com/',
  },
]) {
  test(`${property} adds a link to the footer ${row}`, async ({ page, setProperties }) => {
    const link = page.getByRole(footerRole).locator(`a[href="${href}"]`);
    await setProperties({ [property]: value });
    await openWithFrame(page, '/all');
    await expect(link).toHaveText(new URL(href).hostname.replace('www.', ''));
    await setProperties({ [property]: null });
    await openWithFrame(page, '/all');
    await expect(page.getByRole(footerRole).getByRole('link', { name: 'About' })).toBeVisible();
    await expect(link).toHaveCount(0);
  });
}

test('ShowCookieConsent shows the cookie notice until it is dismissed [S3.property/ShowCookieConsent]', async ({
  page,
  setProperties,
}) => {
  const notice = page.getByRole('region', { name: 'Cookies' });
  await openWithFrame(page, '/all');
  await expect(page.getByRole(footerRole).getByRole('link', { name: 'About' })).toBeVisible();
  await expect(notice).toHaveCount(0);
  await setProperties({ ShowCookieConsent: true });
  await openWithFrame(page, '/all');
  await notice.getByRole('button', { name: 'Got it' }).click();
  await expect(notice).toHaveCount(0);
  await page.reload();
  await wakeFrame(page);
  await expect(page.getByRole(footerRole).getByRole('link', { name: 'About' })).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test('CookieConsentUrl sets the link of the cookie notice [S3.property/CookieConsentUrl]', async ({ page, setProperties }) => {
  const link = page.getByRole('region', { name: 'Cookies' }).getByRole('link', { name: 'Read more' });
  await setProperties({ ShowCookieConsent: true, CookieConsentUrl: 'https://own.example/crumbs' });
  await openWithFrame(page, '/all');
  await expect(link).toHaveAttribute('href', 'https://own.example/crumbs');
  await setProperties({ CookieConsentUrl: null });
  await openWithFrame(page, '/all');
  await expect(page.getByRole('region', { name: 'Cookies' })).toBeVisible();
  await expect(link).toHaveCount(0);
});

const newsletterCheckbox = { name: 'One letter a month: new titles, and what we thought of them.' };

test('ShowNewsletterControls offers the newsletter at sign-up [S3.property/ShowNewsletterControls]', async ({
  page,
  setProperties,
}) => {
  await openWithFrame(page, '/signup');
  await expect(page.getByRole('checkbox', newsletterCheckbox)).not.toBeChecked();
  await setProperties({ ShowNewsletterControls: false });
  await openWithFrame(page, '/signup');
  await expect(page.getByRole('checkbox')).toHaveCount(1);
});

test('NewsletterSignupText replaces the text of the newsletter checkbox [S3.property/NewsletterSignupText]', async ({
  page,
  setProperties,
}) => {
  await setProperties({ NewsletterSignupText: 'Tell me of the cats.' });
  await openWithFrame(page, '/signup');
  await expect(page.getByRole('checkbox', { name: 'Tell me of the cats.' })).toBeVisible();
  await setProperties({ NewsletterSignupText: null });
  await openWithFrame(page, '/signup');
  await expect(page.getByRole('checkbox', { name: 'Send me the newsletter.' })).toBeVisible();
});
