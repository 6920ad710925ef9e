import { writeFile } from 'node:fs/promises';
import { container, packageOf, page as chapter } from '../../server/publication/support/pieces.ts';
import { zip } from '../../server/publication/support/zip.ts';
import { expect, test } from './support/fixtures.ts';

test('a book cannot lead its reader away by itself', async ({ book, context }, info) => {
  const file = info.outputPath('refresh.epub');
  const refresh = (to: string) => `<meta http-equiv="refresh" content="0; url=${to}"/><p>Stay.</p>`;
  await writeFile(
    file,
    zip([
      container,
      packageOf({
        manifest: '<item id="two" href="two.xhtml" media-type="application/xhtml+xml"/>',
        spine: '<itemref idref="two"/>',
      }),
      chapter('one.xhtml', refresh('/unfinished')),
      chapter('two.xhtml', refresh('https://elsewhere.example/')),
    ]),
  );
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  await book.open(file);
  await expect(book.frames()[0]?.locator('p') ?? book.page.locator('#missing')).toHaveText('Stay.');
  await book.turn('next');
  await expect(book.frames()[0]?.locator('p') ?? book.page.locator('#missing')).toHaveText('Stay.');
  await book.page.waitForLoadState('networkidle');
  expect(asked.filter((url) => /unfinished|elsewhere/.test(url))).toEqual([]);
});
