import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScannedPdf } from '../../support/scanned-pdf.ts';
import { expect, test } from './support/fixtures.ts';

test('a scan of 500 pages shows its first page after a few requests, and the last one after a few more', async ({ book }) => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-scan-'));
  const file = join(folder, 'scan.pdf');
  await writeFile(file, createScannedPdf(500));
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

/**
 * Two pages, with a link from the first to the second. pdf.js finds the objects of a document
 * without a cross-reference table.
 */
const linkedPdf = `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Annots [5 0 R] >> endobj
4 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] >> endobj
5 0 obj << /Type /Annot /Subtype /Link /Rect [50 50 250 250] /Border [0 0 1] /Dest [4 0 R /Fit] >> endobj
trailer << /Root 1 0 R >>
%%EOF
`;

test('a link within a PDF reports its target, and the way back leads to its page', async ({ book }) => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-linked-'));
  const file = join(folder, 'linked.pdf');
  await writeFile(file, linkedPdf);
  await book.open(file);
  await book.page.locator('.annotationLayer a').click();
  const pressed = async () => (await book.facts()).flatMap((fact) => (fact.type === 'book.linkPressed' ? [fact.href] : []));
  await expect.poll(pressed).toEqual([expect.stringMatching(/^#dest=/)]);
  const left = await book.locator();
  expect(left.page).toBe(1);
  await book.command({ type: 'book.goTo', href: (await pressed())[0] ?? '' });
  await expect.poll(async () => (await book.locator()).page).toBe(2);
  await book.command({ type: 'book.goToPlace', place: left });
  await expect.poll(() => book.locator()).toEqual(left);
  await rm(folder, { recursive: true });
});
