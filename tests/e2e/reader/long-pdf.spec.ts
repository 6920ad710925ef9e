import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScannedPdf } from '../../support/scanned-pdf.ts';
import { expect, test } from './support/fixtures.ts';

test('a scan of 500 pages shows its first page after at most 15 requests, its last one after at most 20', async ({ book }) => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-scan-'));
  const file = join(folder, 'scan.pdf');
  await writeFile(file, createScannedPdf(500));
  const { page } = book;
  const responseSizes: number[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/scan.pdf')) responseSizes.push(Number(response.headers()['content-length'] ?? 0));
  });
  await book.open(file);
  await expect(page.locator('.page[data-page-number="1"] .canvasWrapper canvas')).toBeVisible();
  const sumBytes = () => responseSizes.reduce((sum, size) => sum + size, 0);
  test.info().annotations.push({ type: 'first page', description: `${responseSizes.length} requests, ${sumBytes()} bytes` });
  expect(responseSizes.length).toBeLessThanOrEqual(15);
  expect(sumBytes()).toBeLessThan(1_500_000);

  await book.command({ type: 'book.goToFraction', fraction: 1 });
  await expect(page.locator('.page[data-page-number="500"] .canvasWrapper canvas')).toBeVisible();
  test.info().annotations.push({ type: 'last page', description: `${responseSizes.length} requests, ${sumBytes()} bytes` });
  expect(responseSizes.length).toBeLessThanOrEqual(20);
  await rm(folder, { recursive: true });
});

/**
 * A PDF of two pages, with a link from the first to the second. It has no cross-reference table:
 * pdf.js finds the objects of a document without one.
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

test('going back after a link within a PDF returns to the page of the link', async ({ book }) => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-linked-'));
  const file = join(folder, 'linked.pdf');
  await writeFile(file, linkedPdf);
  await book.open(file);
  await book.page.locator('.annotationLayer a').click();
  const readPressedLinks = async () =>
    (await book.readFacts()).flatMap((fact) => (fact.type === 'book.linkPressed' ? [fact.href] : []));
  await expect.poll(readPressedLinks).toEqual([expect.stringMatching(/^#dest=/)]);
  const locatorBefore = await book.readLocator();
  expect(locatorBefore.page).toBe(1);
  await book.command({ type: 'book.goTo', href: (await readPressedLinks())[0] ?? '' });
  await expect.poll(async () => (await book.readLocator()).page).toBe(2);
  await book.command({ type: 'book.goToPlace', place: locatorBefore });
  await expect.poll(() => book.readLocator()).toEqual(locatorBefore);
  await rm(folder, { recursive: true });
});
