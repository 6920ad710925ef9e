import { createFormPdf } from '../../pages/form-pdf.ts';
import { findSeriousViolations } from '../../pages/axe.ts';
import { buyAndOpenTitle } from '../../pages/reading.ts';
import { expect, test } from '../../support/shop.ts';

test('the PDF viewer has no bar at the top: its footer closes the book and opens the panels [S2.frame/pdfviewer] [S2.login/pdfviewer]', async ({
  page,
  customer,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const view = await buyAndOpenTitle(page, customer, '1016');
  const book = view.flow('book');
  await expect(view.control('turn.pressed', book)).toBeEnabled();
  await expect(book.locator('header')).toHaveCount(1);

  await page.goto(`/pdfviewer?instanceid=${await customer.fetchInstanceId('1016')}`);
  await expect(view.control('turn.pressed', book)).toBeEnabled();
  await expect(page.locator('header')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);

  await view.control('contents.pressed', book).click();
  await expect(book.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(view.control('contents.pressed', book)).toBeFocused();
  await view.control('close.pressed', book).click();
  await view.waitForState('library', 'shown');
});

test('contents of two levels have one tab stop: arrow keys expand a chapter and enter it, Enter opens the page', async ({
  page,
  customer,
}) => {
  const view = await buyAndOpenTitle(page, customer, '1016');
  const book = view.flow('book');
  const getEntry = (name: string) => book.getByRole('treeitem', { name, exact: true });

  await expect(view.control('turn.pressed', book).last()).toBeEnabled();
  await view.control('contents.pressed', book).click();
  await expect(getEntry('How a Cloud Is Made')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(getEntry('Heaps')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(getEntry('Heaps')).toHaveAttribute('aria-expanded', 'true');
  expect(await findSeriousViolations(page, 'the contents')).toEqual([]);
  await page.keyboard.press('ArrowRight');
  await expect(getEntry('Heaps')).not.toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(view.control('panel.closed', book)).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(book.getByRole('dialog')).toHaveCount(0);
  await expect.poll(() => view.readProgress()).toBeGreaterThan(0);

  await view.control('contents.pressed', book).click();
  await book.getByRole('button', { name: 'Parts of Sheets' }).click();
  await expect(getEntry('Sheets')).toHaveAttribute('aria-expanded', 'true');
  await getEntry('Sheets').click({ position: { x: 30, y: 20 } });
  await expect(book.getByRole('dialog')).toHaveCount(0);
});

test('a filled-in form is restored at the next visit, and removed when the customer signs out', async ({ page, customer }) => {
  await page.route('**/media/**/*.pdf', (route) => route.fulfill({ contentType: 'application/pdf', body: createFormPdf() }));
  const view = await buyAndOpenTitle(page, customer, '1016');
  const [nameField, agreedCheckbox] = [page.locator('[data-element-id="10R"]'), page.locator('[data-element-id="12R"]')];
  const listStoredForms = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('colophon.forms.')));

  await nameField.fill('Ines Marlow');
  await nameField.press('ArrowLeft');
  await agreedCheckbox.check();
  await expect(view.flow('book')).toContainText('Page 1 of 2');
  await view.control('close.pressed').click();
  await view.waitForState('library', 'shown');
  await view.control('title.opened').click();
  await expect(nameField).toHaveValue('Ines Marlow');
  await page.reload();
  await expect(nameField).toHaveValue('Ines Marlow');
  await expect(agreedCheckbox).toBeChecked();
  expect(await listStoredForms()).toHaveLength(1);

  await view.control('close.pressed').click();
  await view.waitForState('library', 'shown');
  await page.getByRole('button', { name: 'Account' }).click();
  await view.control('signOut.pressed').click();
  await expect.poll(listStoredForms).toEqual([]);
});
