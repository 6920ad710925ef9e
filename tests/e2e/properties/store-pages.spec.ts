import { openWithFrame } from '../../../tools/browser/frame.ts';
import { expect, test } from '../support/store.ts';

test('About is the content of the page /about [S3.property/About]', async ({ page, setProperties }) => {
  await setProperties({ About: '<h2>Who we are</h2><p>Two cats and a ladder.</p>' });
  await page.goto('/about');
  await expect(page.getByRole('heading', { name: 'Who we are' })).toBeVisible();
  await expect(page.getByText('Two cats and a ladder.')).toBeVisible();
  await setProperties({ About: null });
  await page.goto('/about');
  await expect(page.getByText('This page hasn’t been written yet.')).toBeVisible();
});

for (const { textProperty, urlProperty, path, rows } of [
  {
    textProperty: 'TermsOfService',
    urlProperty: 'TermsOfServiceUrl',
    path: '/terms',
    rows: ['[S3.property/TermsOfService]', '[S3.property/TermsOfServiceUrl]'],
  },
  {
    textProperty: 'PrivacyPolicy',
    urlProperty: 'PrivacyPolicyUrl',
    path: '/privacy',
    rows: ['[S3.property/PrivacyPolicy]', '[S3.property/PrivacyPolicyUrl]'],
  },
]) {
  test(`${textProperty} is the content of the page ${path} ${rows[0]}`, async ({ page, setProperties }) => {
    await setProperties({ [textProperty]: '<p>Be <em>kind</em>.</p>', [urlProperty]: 'https://own.example/' });
    await page.goto(path);
    await expect(page.getByRole('main').getByText('kind')).toHaveCSS('font-style', 'italic');
  });

  test(`${urlProperty} is a link on ${path} if the page has no text ${rows[1]}`, async ({ page, setProperties }) => {
    await setProperties({ [textProperty]: null, [urlProperty]: 'https://own.example/small-print' });
    await page.goto(path);
    await expect(page.getByRole('link', { name: 'Read it on the shop’s website' })).toHaveAttribute(
      'href',
      'https://own.example/small-print',
    );
  });
}

test('SupportEmail sets the e-mail link of the footer [S3.property/SupportEmail]', async ({ page, setProperties }) => {
  const link = page.getByRole('contentinfo').locator('a[href^="mailto:"]');
  await setProperties({ SupportEmail: 'cats@lamplight.example' });
  await openWithFrame(page, '/all');
  await expect(link).toHaveAttribute('href', 'mailto:cats@lamplight.example');
  await setProperties({ SupportEmail: null });
  await openWithFrame(page, '/all');
  await expect(page.getByRole('contentinfo')).toContainText('Harbour Books');
  await expect(link).toHaveCount(0);
});

test('CustomCode adds HTML to the landing page, whose scripts do not run [S3.property/CustomCode]', async ({
  page,
  errors,
  setProperties,
}) => {
  // The browser logs this while the sanitiser parses the HTML.
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
