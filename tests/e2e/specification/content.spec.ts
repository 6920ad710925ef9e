import { expect, signInNewCustomer, test } from '../support/specification/test.ts';

/** Lists that are reached only by their URL, and the contents of titles. */

test('a catalog and a title set show their titles and link to them [S2./catalog/titles] [S2./titleset/titles]', async ({
  page,
  shop,
}) => {
  for (const [path, names] of [
    ['/catalog/titles/autumn', ['Salt Roads', 'The Tide Clock', 'The Ferry']],
    ['/titleset/titles/tides', ['Low Water', 'The Tide Clock']],
  ] as const) {
    await page.goto(path);
    await shop.waitForState('catalogue', { shown: 'resting' });
    const titles = page.getByRole('main').locator('a[href^="/id:"]');
    await expect(titles).toContainText([...names]);
    await expect(titles).toHaveCount(names.length);
    await page.getByRole('link', { name: 'The Tide Clock' }).first().click();
    await expect(page).toHaveURL(/\/id:5\//);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Tide Clock');
  }
  await page.goto('/catalog/titles/nowhere');
  await shop.waitForState('catalogue', 'notFound');
});

test('an interactive title is played, and resumes at the saved position [S2./viewer]', async ({ page, server, shop }) => {
  const customer = await signInNewCustomer(page, server);
  customer.owned.push('9');
  await page.goto('/mylibrary');
  await shop.control('title.opened').click();
  await shop.waitForState('interactive', { running: 'open' });
  const titleFrame = page.frameLocator('iframe');
  await expect(titleFrame.getByRole('heading')).toHaveText('bank');
  await titleFrame.getByRole('button', { name: 'Cross' }).click();
  await expect(titleFrame.getByRole('heading')).toHaveText('ferry');
  await shop.control('close.pressed').click();
  await expect(page).toHaveURL(/\/mylibrary$/);
  await expect.poll(() => [...customer.positions.values()].some((place) => place.includes('ferry'))).toBe(true);
  await shop.control('title.opened').click();
  await expect(titleFrame.getByRole('heading')).toHaveText('ferry');
});

test('a book in one file is read, and reopens where it was left [S2./viewer]', async ({ page, server, shop }) => {
  const customer = await signInNewCustomer(page, server);
  customer.owned.push('5');
  await page.goto('/viewer?instanceid=copy-5');
  // A page is removed while the next one loads.
  const expectShownText = (text: string) =>
    expect(async () => {
      const shownFrame = page.frames().findLast((frame) => frame.url().startsWith('blob:'));
      expect(await shownFrame?.locator('body').textContent()).toContain(text);
    }).toPass();
  await expectShownText('low water');
  await page.getByRole('button', { name: 'Next page' }).click();
  await expectShownText('Then it rose');
  await shop.control('close.pressed').click();
  await expect.poll(() => [...customer.positions.values()].some((place) => place.includes('Flood.xhtml'))).toBe(true);
  await page.goto('/viewer?instanceid=copy-5');
  await expectShownText('Then it rose');
});

test('a PDF that its server labels as a book is read as a PDF, and reopens where it was left [S2./viewer]', async ({
  page,
  server,
  shop,
}) => {
  const customer = await signInNewCustomer(page, server);
  customer.owned.push('6');
  await page.goto('/viewer?instanceid=copy-6');
  await expect(page.locator('.pdfViewer .page canvas')).toBeVisible();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(shop.flow('book')).toContainText('Page 2 of 2');
  await shop.control('close.pressed').click();
  await expect.poll(() => [...customer.positions.keys()]).toEqual(['6 pdf']);
  await page.goto('/viewer?instanceid=copy-6');
  await expect(shop.flow('book')).toContainText('Page 2 of 2');
});

test('a PDF whose URL has no file extension is read as a PDF [S2./viewer]', async ({ page, server, shop }) => {
  const customer = await signInNewCustomer(page, server);
  customer.owned.push('6');
  await page.route('**/viewer/url?*', (route) => route.fulfill({ json: { url: '/content/document?of=6' } }));
  await page.goto('/viewer?instanceid=copy-6');
  await expect(page.locator('.pdfViewer .page canvas')).toBeVisible();
  await expect(shop.flow('book')).toContainText('Page 1 of 2');
});

test('a book whose URL has its file extension is requested once [S2./viewer]', async ({ page, server, shop }) => {
  const customer = await signInNewCustomer(page, server);
  customer.owned.push('5');
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  await page.goto('/viewer?instanceid=copy-5');
  await shop.waitForState('book', {
    reading: { page: 'open', panel: 'closed', enlarging: 'none', controls: 'shown', look: 'kept' },
  });
  expect(requestedPaths.filter((path) => path === '/content/5.epub')).toHaveLength(1);
});
