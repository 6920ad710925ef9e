import type { RunningShop } from '../../../../tools/shop/running-shop.ts';
import { runStoreCli } from '../../../../tools/store/command.ts';
import { findSeriousViolations } from '../../pages/axe.ts';
import { Customer, cards } from '../../../../tools/browser/customer.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { adminToken, expect, test } from '../../support/shop.ts';

test.use({ viewport: { width: 390, height: 844 }, locale: 'fr-FR' });

const TITLE_ID = '1001';

const runOperatorCommand = async (shop: RunningShop, ...args: string[]): Promise<void> => {
  let stderr = '';
  const exitCode = await runStoreCli([...args, '--store', 'harbour', '--shop', shop.url], {
    environment: { ADMIN_TOKEN: adminToken },
    root: shop.data,
    folder: shop.data,
    out: () => {},
    err: (text) => {
      stderr += text;
    },
  });
  expect(exitCode, stderr).toBe(0);
};

test('in a store that adds tax, a customer enters their country, sees the tax, pays it, and has it in the receipt', async ({
  page,
  context,
  ownShop,
}) => {
  // The test starts its own shop, and makes a complete purchase.
  test.slow();
  await runOperatorCommand(ownShop, 'properties', 'set', '--set', 'EnableTax=true');
  await runOperatorCommand(ownShop, 'taxes', 'set', '--country', 'FR', '--name', 'TVA', '--percent', '5.5');
  await runOperatorCommand(
    ownShop,
    'taxes',
    'set',
    '--country',
    'US',
    '--region',
    'CA',
    '--region-name',
    'California',
    '--name',
    'Sales tax',
    '--percent',
    '7.25',
  );
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(ownShop);
  await page.goto(`${ownShop.url}/title/purchase?titleid=${TITLE_ID}`);
  await shop.waitForState('purchase', 'ready');
  await expect(shop.flow('purchase')).toContainText('Les taxes s’ajoutent à ce prix.');
  await customer.signInBrowser(context);
  await page.goto(`${ownShop.url}/title/purchase?titleid=${TITLE_ID}`);
  await shop.waitForState('tax', 'choosing');
  await expect(shop.control('pay.pressed')).toBeDisabled();
  await page.getByLabel('Pays').selectOption({ label: 'États-Unis' });
  await expect(shop.flow('tax')).toContainText('Choisissez votre État ou votre région');
  await expect(shop.control('pay.pressed')).toBeDisabled();
  await page.getByLabel('État ou région').selectOption('CA');
  await shop.waitForState('tax', 'quoted');
  await expect(shop.flow('tax')).toContainText(/Sales tax \(7,25\s%\)/);
  await page.getByLabel('Pays').selectOption('FR');
  await shop.waitForState('tax', 'quoted');
  const taxFlow = shop.flow('tax');
  await expect(taxFlow).toContainText(/TVA \(5,5\s%\)/);
  const [price = '', , total = ''] = await taxFlow.locator('dd').allTextContents();
  const parseAmount = (text: string): number => Number(text.replace(/[^\d,]/g, '').replace(',', '.'));
  expect(parseAmount(total)).toBeCloseTo(Math.round(parseAmount(price) * 105.5) / 100, 2);
  expect(await findSeriousViolations(page, 'checkout with tax')).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.screenshot({ path: test.info().outputPath('tax.png'), fullPage: true });

  await shop.control('pay.pressed').click();
  await expect(page.locator('.amount')).toHaveText(total);
  await page.locator('[name="number"]').fill(cards.good);
  await page.locator('[name="expiry"]').fill('12/34');
  await page.locator('[name="cvc"]').fill('123');
  await page.locator('[name="name"]').fill('A Reader');
  await page.locator('form button').first().click();
  await expect(page).toHaveURL(/\/title\/purchase\/success/);
  await expect(page.getByRole('main')).toContainText(/TVA \(5,5\s%\)/);
  await expect(page.getByRole('main')).toContainText(total);
  expect(await findSeriousViolations(page, 'receipt with tax')).toEqual([]);

  // The customer's country is known at the next purchase.
  await page.goto(`${ownShop.url}/title/purchase?titleid=1008`);
  await shop.waitForState('tax', 'quoted');
  await expect(page.getByLabel('Pays')).toHaveValue('FR');
});

test('a code is applied at the summary, removed and applied again, and a wallet pays', async ({
  page,
  context,
  shop: server,
  errors,
}) => {
  test.slow();
  errors.allow(/status of 40\d/);
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(server);
  await customer.signInBrowser(context);
  await page.goto(`/title/purchase?titleid=${TITLE_ID}`);
  await shop.waitForState('purchase', 'ready');
  const summary = shop.flow('purchase');
  await page.getByText('Vous avez un code').click();
  const applyCode = async (code: string): Promise<void> => {
    await page.getByRole('textbox', { name: /^Code/ }).fill(code);
    await shop.control('code.submitted').click();
    await shop.waitForState('purchase', 'ready');
  };
  for (const [code, message] of [
    ['NOBODYS', 'Nous ne reconnaissons pas ce code'],
    ['DEMO-OLD', 'expiré'],
    ['DEMO-CREDITS', 'Ce code ne s’applique pas à ce titre.'],
  ] as const) {
    await applyCode(code);
    await expect(summary).toContainText(message);
  }
  expect(await findSeriousViolations(page, 'a code that is refused')).toEqual([]);
  await applyCode('demo 20 percent');
  await expect(summary).toContainText('7,99');
  await shop.control('code.removed').click();
  await expect(summary).toContainText('Vous avez un code');
  await expect(summary).toContainText('9,99');
  await page.getByText('Vous avez un code').click();
  await applyCode('DEMO-20-PERCENT');
  await expect(summary).toContainText('7,99');

  await page.getByLabel('Portefeuille de test').check();
  expect(await findSeriousViolations(page, 'checkout with a code and a wallet')).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.screenshot({ path: test.info().outputPath('wallet.png'), fullPage: true });
  await shop.control('pay.pressed').click();
  await expect(page.getByRole('heading', { name: 'Portefeuille de test' })).toBeVisible();
  expect(await findSeriousViolations(page, 'the wallet')).toEqual([]);
  await page.screenshot({ path: test.info().outputPath('wallet-page.png'), fullPage: true });
  await page.getByRole('button', { name: 'Refuser' }).click();
  await expect(page.getByRole('alert')).toContainText('Vous avez refusé le paiement.');
  await page.getByRole('button', { name: 'Autoriser' }).click();
  await expect(page).toHaveURL(/\/title\/purchase\/success/);
  await expect(page.getByRole('main')).toContainText('7,99');
  expect(await customer.fetchLibrary()).toEqual([TITLE_ID]);
});
