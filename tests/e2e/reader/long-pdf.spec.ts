import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scannedPdf } from '../../support/scanned-pdf.ts';
import { expect, test } from './support/fixtures.ts';

test('a scan of 500 pages shows its first page after a few requests, and the last one after a few more', async ({ book }) => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-scan-'));
  const file = join(folder, 'scan.pdf');
  await writeFile(file, scannedPdf(500));
  const { page } = book;
  const parts: number[] = [];
  page.on('response', (answer) => {
    if (answer.url().endsWith('/scan.pdf')) parts.push(Number(answer.headers()['content-length'] ?? 0));
  });
  await book.open(file);
  await expect(page.locator('.page[data-page-number="1"] .canvasWrapper canvas')).toBeVisible();
  const bytes = () => parts.reduce((sum, size) => sum + size, 0);
  test.info().annotations.push({ type: 'first page', description: `${parts.length} requests, ${bytes()} bytes` });
  expect(parts.length).toBeLessThanOrEqual(15);
  expect(bytes()).toBeLessThan(1_500_000);

  await book.command({ type: 'book.goToFraction', fraction: 1 });
  await expect(page.locator('.page[data-page-number="500"] .canvasWrapper canvas')).toBeVisible();
  test.info().annotations.push({ type: 'last page', description: `${parts.length} requests, ${bytes()} bytes` });
  expect(parts.length).toBeLessThanOrEqual(20);
  await rm(folder, { recursive: true });
});
