import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { createCoverPage, fitWords } from './covers/all.ts';
import { getEntry } from './numbers.ts';
import type { Work } from './source/work.ts';

export const demoFolder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'server', 'demo');

/** Empties and returns the output folder of a title. */
export function createEmptyFolder(work: Work): string {
  const folder = join(demoFolder, 'media', getEntry(work.slug).id);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

export function saveFile(folder: string, file: string, data: Uint8Array | string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, data);
}

/** Renders the cover in both sizes, saves it, and returns the large one. */
export async function makeCover(browser: Browser, work: Work, folder: string): Promise<Buffer> {
  const html = createCoverPage({ ...work, look: getEntry(work.slug).look });
  const page = await browser.newPage({ viewport: { width: 600, height: 900 } });
  try {
    await page.setContent(html);
    await page.evaluate(fitWords);
    const large = await page.screenshot({ type: 'jpeg', quality: 88 });
    await page.setViewportSize({ width: 240, height: 360 });
    await page.setContent(
      `<style>*{margin:0}img{display:block;width:240px;height:360px}</style><img src="data:image/jpeg;base64,${large.toString('base64')}">`,
    );
    const small = await page.screenshot({ type: 'jpeg', quality: 86 });
    saveFile(folder, 'cover.jpg', large);
    saveFile(folder, 'cover-240.jpg', small);
    return large;
  } finally {
    await page.close();
  }
}
