import { expect, test } from '../support/store.ts';

test('PurchaseCountries shows in the summary where the title is available [S3.property/PurchaseCountries]', async ({
  page,
  shopPage,
  setProperties,
}) => {
  await setProperties({ PurchaseCountries: ['DE', 'FR', 'GB'] });
  await page.goto('/title/purchase?titleid=1001');
  await expect(page.getByText('Available in: Germany, France and United Kingdom')).toBeVisible();
  await setProperties({ PurchaseCountries: null });
  await page.goto('/title/purchase?titleid=1001');
  await expect(shopPage.control('pay.pressed')).toBeVisible();
  await expect(page.getByText('Available in')).toHaveCount(0);
});

const linkText = 'Go further';

test('ActionAfterPurchaseConfirmation sets the target of the receipt’s button [S3.property/ActionAfterPurchaseConfirmation]', async ({
  page,
  shopPage,
  customer,
  setProperties,
  expectRefused,
}) => {
  const receiptPath = `/title/purchase/success?transId=${await customer.buy('1001')}`;
  const targets = {
    library: '/mylibrary',
    home: '/',
    '/pages/public/opening-hours?from=receipt': '/pages/public/opening-hours?from=receipt',
    'https://own.example/thanks': 'https://own.example/thanks',
  };
  for (const [action, href] of Object.entries(targets)) {
    await setProperties({
      StoreUrl: 'https://own.example',
      ActionAfterPurchaseConfirmation: action,
      ActionAfterPurchaseConfirmationLinkText: linkText,
    });
    await page.goto(receiptPath);
    await expect(page.getByRole('link', { name: linkText }), action).toHaveAttribute('href', href);
  }
  for (const action of ['//elsewhere.example/', 'https://elsewhere.example/', 'no such place'])
    await expectRefused({ ActionAfterPurchaseConfirmation: action });
  await setProperties({ ActionAfterPurchaseConfirmation: 'viewer' });
  await page.goto(receiptPath);
  await page.getByRole('button', { name: linkText }).click();
  await expect(shopPage.flow('book')).toBeVisible();
});

test('ActionAfterPurchaseConfirmationLinkText sets the text of the receipt’s button [S3.property/ActionAfterPurchaseConfirmationLinkText]', async ({
  page,
  customer,
  setProperties,
}) => {
  const receiptPath = `/title/purchase/success?transId=${await customer.buy('1001')}`;
  const button = page.getByRole('main').locator('a[href="/mylibrary"]');
  await setProperties({ ActionAfterPurchaseConfirmation: 'library', ActionAfterPurchaseConfirmationLinkText: 'To your shelf' });
  await page.goto(receiptPath);
  await expect(button).toHaveText('To your shelf');
  await setProperties({ ActionAfterPurchaseConfirmationLinkText: null });
  await page.goto(receiptPath);
  await expect(button).toHaveText('My Library');
});
