import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { hasProgram } from '../program.ts';

/** Removes the print time and Chromium's version, so that the same book has the same bytes. */
function removeStamps(pdf: Buffer, publishedOn: string): Buffer {
  const day = `D:${publishedOn.replaceAll('-', '')}000000+00'00'`;
  const text = pdf
    .toString('latin1')
    .replace(/\(D:\d{14}\+00'00'\)/g, `(${day})`)
    .replace(/\/Creator \((?:\\.|[^)\\])*\)/, (stamp) => '/Creator (Colophon)'.padEnd(stamp.length));
  return Buffer.from(text, 'latin1');
}

/** Packs the PDF's objects into streams, about a third smaller; unchanged without qpdf. */
function packObjects(pdf: Buffer): Buffer {
  if (!hasProgram('qpdf')) return pdf;
  const folder = mkdtempSync(join(tmpdir(), 'colophon-pdf-'));
  try {
    const [inputPath, outputPath] = [join(folder, 'printed.pdf'), join(folder, 'packed.pdf')];
    writeFileSync(inputPath, pdf);
    execFileSync('qpdf', ['--object-streams=generate', '--deterministic-id', inputPath, outputPath]);
    return readFileSync(outputPath);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export interface Print {
  pdf: Buffer;
  pages: number;
}

/** Prints the HTML to a tagged PDF with an outline of its headings. */
export async function printPdf(browser: Browser, html: string, publishedOn: string): Promise<Print> {
  const page = await browser.newPage();
  try {
    await page.setContent(html, { waitUntil: 'load' });
    const printedPdf = await page.pdf({
      outline: true,
      tagged: true,
      preferCSSPageSize: true,
      printBackground: true,
    });
    const pages = printedPdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
    return { pdf: packObjects(removeStamps(printedPdf, publishedOn)), pages };
  } finally {
    await page.close();
  }
}
