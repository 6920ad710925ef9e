import { formatOrderNumber } from '../../../../machines/model/buying/order-number.ts';
import { runStoreCli } from '../../../../tools/store/command.ts';
import { seriousViolations } from '../../pages/axe.ts';
import { Customer } from '../../../../tools/browser/customer.ts';
import { waitForEmail, getLinkPath } from '../../../../tools/browser/emails.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { adminToken, expect, test } from '../../support/shop.ts';

test.use({ viewport: { width: 390, height: 844 }, locale: 'fr-FR' });

const TITLE = '1001';
const NAME = 'The Keeper’s Third Log';

test('an operator refunds an order by its number: the title leaves, and the customer sees the refund and can buy it again', async ({
  page,
  context,
  shop: server,
  errors,
}) => {
  errors.allow(/status of 40[34]/);
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(server);
  await customer.signInBrowser(context);
  const transId = await customer.buy(TITLE);
  const copy = await customer.fetchInstanceId(TITLE);

  let said = '';
  const order = ['purchases', 'refund', '--store', 'harbour', '--shop', server.url, '--order', formatOrderNumber(transId)];
  const letter = await waitForEmail(server, customer.email, async () => {
    const exitCode = await runStoreCli(order, {
      environment: { ADMIN_TOKEN: adminToken },
      root: server.data,
      folder: server.data,
      out: () => {},
      err: (text) => {
        said += text;
      },
    });
    expect(said).toContain(`was refunded to ${customer.email}`);
    expect(exitCode).toBe(0);
  });
  expect(getLinkPath(letter)).toBe('/title/purchase/success');

  await page.goto('/mylibrary');
  await shop.waitForState('library', 'empty');
  const notice = page.getByRole('main');
  await expect(notice).toContainText(`«\u202F${NAME}\u202F» a été remboursé le`);
  expect(await seriousViolations(page, 'library')).toEqual([]);
  await notice.getByRole('link', { name: `Reçu pour ${NAME}` }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Remboursé' })).toBeVisible();
  await expect(page.getByText('Montant remboursé')).toBeVisible();
  await expect(shop.control('read.pressed')).toHaveCount(0);
  expect(await seriousViolations(page, 'receipt')).toEqual([]);

  // The copy's address no longer opens it, and offers a next step.
  await page.goto(`/viewer?instanceid=${copy}`);
  await shop.waitForState('viewer', 'notOwned');

  await page.goto(`/id:${TITLE}`);
  await expect(shop.control('buy.pressed')).toBeVisible();
  await customer.buy(TITLE);
  await page.goto('/mylibrary');
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page.getByText('a été remboursé le')).toBeVisible();
  await page.goto('/account');
  await expect(page.getByRole('main')).toContainText('Remboursé');
});
