import { Customer } from '../../../../tools/browser/customer.ts';
import { createEmail, ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

const titles = { epub: '1002', pdf: '1017', audio: '1020' };

/** Reads the position that the server has stored; null if it has none. */
const readPosition = async (customer: Customer, titleid: string, contextkey: string): Promise<Record<string, unknown> | null> => {
  const response = await customer.request('viewer/progress', { titleid, contextkey });
  return ((await response.json()) as { position: Record<string, unknown> | null }).position;
};

for (const [medium, titleId] of [
  ['epub', titles.epub],
  ['pdf', titles.pdf],
] as const) {
  test(`the whole title (${medium}) continues where its sample was left`, async ({ page, context, shop }) => {
    const view = new ShopPage(page);
    const customer = await Customer.signUp(shop);
    await customer.signInBrowser(context);
    await page.goto(`/viewer?instanceid=${titleId}&sample=1`);
    const book = view.flow('book');
    await expect(view.control('turn.pressed', book)).toBeEnabled();
    const nextButton = book.locator('[data-event="turn.pressed"][data-value="next"]');
    for (let turn = 0; turn < 2; turn += 1) {
      const progressBefore = await view.readProgress();
      await nextButton.click();
      await expect.poll(() => view.readProgress()).toBeGreaterThan(progressBefore);
    }
    await view.control('close.pressed', book).click();
    await expect(view.flow('title')).toBeVisible();
    const samplePosition = await readPosition(customer, titleId, 'sample');
    expect(samplePosition?.['href']).toBeTruthy();
    await customer.buy(titleId);
    await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titleId)}`);
    await expect(nextButton).toBeEnabled();
    await expect
      .poll(async () => readPosition(customer, titleId, medium))
      .toMatchObject({ href: samplePosition?.['href'], cfi: samplePosition?.['cfi'], label: samplePosition?.['label'] });
  });
}

test('a book whose sample was read to its end continues with the new content', async ({ page, context, shop }) => {
  const view = new ShopPage(page);
  const customer = await Customer.signUp(shop);
  await customer.signInBrowser(context);
  await page.goto(`/viewer?instanceid=${titles.epub}&sample=1`);
  const book = view.flow('book');
  await expect(view.control('turn.pressed', book)).toBeEnabled();
  await book.getByRole('slider').evaluate((input: HTMLInputElement) => {
    input.value = input.max;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await expect.poll(async () => (await readPosition(customer, titles.epub, 'sample'))?.['href']).toContain('imprint');
  await customer.buy(titles.epub);
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titles.epub)}`);
  await expect(view.control('turn.pressed', book)).toBeEnabled();
  await expect.poll(async () => (await readPosition(customer, titles.epub, 'epub'))?.['href']).toMatch(/chapter-0[2-9]/);
});

test('a recording continues where its sample was left; the sample is marked, and offers the whole title', async ({
  page,
  context,
  shop,
}) => {
  const view = new ShopPage(page);
  const customer = await Customer.signUp(shop);
  await customer.signInBrowser(context);
  await page.goto(`/viewer?instanceid=${titles.audio}&sample=1`);
  await view.waitForState('tracks', { attached: 'paused' });
  await expect(page.getByText('Sample', { exact: true })).toBeVisible();
  const slider = page.locator('[data-clock="slider"]');
  await slider.evaluate((input: HTMLInputElement) => {
    input.value = '12';
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await expect.poll(async () => Math.round(Number(await slider.inputValue()))).toBe(12);
  await view.control('buy.pressed').click();
  await view.waitForState('purchase', 'ready');
  await expect.poll(async () => readPosition(customer, titles.audio, 'sample')).toMatchObject({ seconds: 12 });
  await customer.buy(titles.audio);
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titles.audio)}`);
  await view.waitForState('tracks', { attached: 'paused' });
  await expect.poll(async () => Math.round(Number(await slider.inputValue()))).toBe(12);
});

test('a visitor who must sign up for a sample sees the reason, and then the sample', async ({ page }) => {
  const view = new ShopPage(page);
  await page.goto(`/id:${titles.epub}`);
  await view.control('sample.pressed').click();
  await view.waitForState('signUp', 'asking');
  await expect(page.getByText('Create a free account to open the sample.')).toBeVisible();
  await page.getByRole('link', { name: 'Sign in', exact: true }).last().click();
  await expect(page.getByText('Sign in to open the sample.')).toBeVisible();
  await page.goBack();
  await view.signUp(createEmail());
  const topBar = view.flow('book').locator('header');
  await expect(topBar.getByText('Sample', { exact: true })).toBeVisible();
  await expect(topBar.getByRole('button', { name: /^Buy.*\d/ })).toBeVisible();
});
