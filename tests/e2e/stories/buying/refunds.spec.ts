import { formatOrderNumber } from '../../../../machines/model/buying/order-number.ts';
import { runStoreCli } from '../../../../tools/store/command.ts';
import { findSeriousViolations } from '../../pages/axe.ts';
import { Customer } from '../../../../tools/browser/customer.ts';
import { waitForEmail, getLinkPath } from '../../../../tools/browser/emails.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { adminToken, expect, test } from '../../support/shop.ts';

test.use({ viewport: { width: 390, height: 844 }, locale: 'fr-FR' });

const TITLE_ID = '1001';
const TITLE_NAME = 'The Keeper’s Third Log';

test('a purchase that an operator refunds leaves the library, shows the refund, and can be bought again', async ({
  page,
  context,
  shop: server,
  errors,
}) => {
  errors.allow(/status of 40[34]/);
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(server);
  await customer.signInBrowser(context);
  const transId = await customer.buy(TITLE_ID);
  const instanceId = await customer.fetchInstanceId(TITLE_ID);

  let stderr = '';
  const command = ['purchases', 'refund', '--store', 'harbour', '--shop', server.url, '--order', formatOrderNumber(transId)];
  const refundEmail = await waitForEmail(server, customer.email, async () => {
    const exitCode = await runStoreCli(command, {
      environment: { ADMIN_TOKEN: adminToken },
      root: server.data,
      folder: server.data,
      out: () => {},
      err: (text) => {
        stderr += text;
      },
    });
    expect(stderr).toContain(`was refunded to ${customer.email}`);
    expect(exitCode).toBe(0);
  });
  expect(getLinkPath(refundEmail)).toBe('/title/purchase/success');

  await page.goto('/mylibrary');
  await shop.waitForState('library', 'empty');
  const main = page.getByRole('main');
  await expect(main).toContainText(`«\u202F${TITLE_NAME}\u202F» a été remboursé le`);
  expect(await findSeriousViolations(page, 'library')).toEqual([]);
  await main.getByRole('link', { name: `Reçu pour ${TITLE_NAME}` }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Remboursé' })).toBeVisible();
  await expect(page.getByText('Montant remboursé')).toBeVisible();
  await expect(shop.control('read.pressed')).toHaveCount(0);
  expect(await findSeriousViolations(page, 'receipt')).toEqual([]);

  // The URL of the copy no longer opens the title.
  await page.goto(`/viewer?instanceid=${instanceId}`);
  await shop.waitForState('viewer', 'notOwned');

  await page.goto(`/id:${TITLE_ID}`);
  await expect(shop.control('buy.pressed')).toBeVisible();
  await customer.buy(TITLE_ID);
  await page.goto('/mylibrary');
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page.getByText('a été remboursé le')).toBeVisible();
  await page.goto('/account');
  await expect(page.getByRole('main')).toContainText('Remboursé');
});
