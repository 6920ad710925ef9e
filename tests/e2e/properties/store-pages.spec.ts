import { openWithFrame } from '../../../tools/browser/frame.ts';
import { expect, test } from '../support/store.ts';

test('About: the page /about [S3.property/About]', async ({ page, setProperties }) => {
  await setProperties({ About: '<h2>Who we are</h2><p>Two cats and a ladder.</p>' });
  await page.goto('/about');
  await expect(page.getByRole('heading', { name: 'Who we are' })).toBeVisible();
  await expect(page.getByText('Two cats and a ladder.')).toBeVisible();
  await setProperties({ About: null });
  await page.goto('/about');
  await expect(page.getByText('This page hasn’t been written yet.')).toBeVisible();
});

for (const { text, url, path, rows } of [
  {
    text: 'TermsOfService',
    url: 'TermsOfServiceUrl',
    path: '/terms',
    rows: ['[S3.property/TermsOfService]', '[S3.property/TermsOfServiceUrl]'],
  },
  {
    text: 'PrivacyPolicy',
    url: 'PrivacyPolicyUrl',
    path: '/privacy',
    rows: ['[S3.property/PrivacyPolicy]', '[S3.property/PrivacyPolicyUrl]'],
  },
]) {
  test(`${text}: the page ${path} ${rows[0]}`, async ({ page, setProperties }) => {
    await setProperties({ [text]: '<p>Be <em>kind</em>.</p>', [url]: 'https://own.example/' });
    await page.goto(path);
    await expect(page.getByRole('main').getByText('kind')).toHaveCSS('font-style', 'italic');
  });

  test(`${url}: the target of ${path} when it has no text ${rows[1]}`, async ({ page, setProperties }) => {
    await setProperties({ [text]: null, [url]: 'https://own.example/small-print' });
    await page.goto(path);
    await expect(page.getByRole('link', { name: 'Read it on the shop’s website' })).toHaveAttribute(
      'href',
      'https://own.example/small-print',
    );
  });
}

test('SupportEmail: the address for support [S3.property/SupportEmail]', async ({ page, setProperties }) => {
  const link = page.getByRole('contentinfo').locator('a[href^="mailto:"]');
  await setProperties({ SupportEmail: 'cats@lamplight.example' });
  await openWithFrame(page, '/all');
  await expect(link).toHaveAttribute('href', 'mailto:cats@lamplight.example');
  await setProperties({ SupportEmail: null });
  await openWithFrame(page, '/all');
  await expect(page.getByRole('contentinfo')).toContainText('Harbour Books');
  await expect(link).toHaveCount(0);
});

test('CustomCode: the store’s own HTML on the front page; no script in it runs [S3.property/CustomCode]', async ({
  page,
  errors,
  setProperties,
}) => {
  // The browser logs this about the text on its way to the sanitiser.
  errors.allow(/inline event handler .* Content Security Policy/);
  await setProperties({
    CustomCode: '<h2>Rain today</h2><p onclick="document.title = 1">Come in.</p><script>document.title = "taken"</script>',
  });
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Rain today' })).toBeVisible();
  await page.getByText('Come in.').click();
  await expect(page).toHaveTitle('Harbour Books');
  await expect(page.getByRole('main').locator('script, [onclick]')).toHaveCount(0);
});
