import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFormPdf } from '../pages/form-pdf.ts';
import { hasRealFiles, getRealInputPath } from '../../server/publication/support/real-books.ts';
import { expect, test as base } from './support/fixtures.ts';

const test = base.extend<{ write: (name: string, file: Buffer) => Promise<string> }>({
  write: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'colophon-form-'));
    await use(async (name, file) => {
      await writeFile(join(folder, name), file);
      return join(folder, name);
    });
    await rm(folder, { recursive: true });
  },
});

const title = { titleId: '1016', contextKey: 'pdf' };
const formStorageKey = 'colophon.forms.u1';

test.beforeEach(({ book }) =>
  book.page.evaluate(() => {
    localStorage.setItem('id_token', 'token');
    localStorage.setItem('userid', 'u1');
  }),
);

test('form fields are restored, except passwords, and none of the form’s scripts runs', async ({ book, page, write }) => {
  const file = await write('form.pdf', createFormPdf());
  const getField = (id: string) => page.locator(`[data-element-id="${id}"]`);
  const [name, password, consentBox] = [getField('10R'), getField('13R'), getField('12R')];
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    return dialog.dismiss();
  });
  await book.open(file, { title });
  await name.fill('Ines Marlow');
  await password.fill('hidden');
  await consentBox.check();
  await expect.poll(() => page.evaluate((key) => localStorage.getItem(key), formStorageKey)).toContain('Ines Marlow');
  await name.press('End');
  await name.pressSequentially('!');
  await name.blur();
  await book.turn('next');
  await getField('14R').fill('hidden again');
  await getField('14R').blur();
  await book.turn('previous');
  await expect(name).toHaveValue('Ines Marlow!');
  await book.close();
  const values = (await page.evaluate((key) => localStorage.getItem(key), formStorageKey)) ?? '';
  expect(values).toContain('Ines Marlow!');
  expect(values).not.toContain('hidden');
  expect([dialogs, await page.evaluate(() => window.name)]).toEqual([[], '']);

  await book.open(file, { title });
  await expect(name).toHaveValue('Ines Marlow!');
  await expect(consentBox).toBeChecked();
  await expect(password).toHaveValue('');

  await book.open(file, { title: { ...title, contextKey: 'sample' } });
  await expect(name).toHaveValue('');
  await book.open(await write('again.pdf', createFormPdf('A new edition')), { title });
  await expect(name).toHaveValue('');
});

test('a form that is open when its customer signs out is not saved', async ({ book, page, write }) => {
  await book.open(await write('form.pdf', createFormPdf()), { title });
  await page.evaluate(() => localStorage.clear());
  await page.locator('[data-element-id="10R"]').fill('Ines Marlow');
  await book.close();
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});

test('a form filled in by another program is restored', async ({ book, page }) => {
  test.skip(!hasRealFiles, 'the real titles are not beside the project');
  const file = getRealInputPath('pdf', 'p7-form.pdf');
  await book.open(file, { title });
  const name = page.locator('.annotationLayer input[name="name"]');
  await expect(name).toHaveValue('typed');
  await name.fill('Ines Marlow');
  await book.close();
  await book.open(file, { title });
  await expect(name).toHaveValue('Ines Marlow');
});
