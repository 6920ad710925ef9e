import { writeFile } from 'node:fs/promises';
import { container, packageOf, page as folderPage } from '../../server/publication/support/pieces.ts';
import { zip } from '../../server/publication/support/zip.ts';
import { archiveOf, openArchive, page } from './support/archived-book.ts';
import { expect, test } from './support/fixtures.ts';

const words = '<p>Words words words words.</p>'.repeat(200);

test('a chapter without text has a place like any other', async ({ book, server }, info) => {
  await book.page.goto(server.memoryUrl);
  const pages = [
    { name: 'a.xhtml', content: page(words) },
    { name: 'b.xhtml', content: page('') },
    { name: 'c.xhtml', content: page(words) },
  ];
  await openArchive(book, archiveOf(pages));
  await book.command({ type: 'book.goTo', href: 'b.xhtml' });
  const place = await book.locator();
  expect(place).toMatchObject({ href: 'b.xhtml', progression: 0 });
  expect(place.totalProgression).toBeGreaterThan(0.4);
  expect(place.page).toBeGreaterThan(1);
  const file = info.outputPath('blank.epub');
  const two = {
    manifest: '<item id="two" href="two.xhtml" media-type="application/xhtml+xml"/>',
    spine: '<itemref idref="two"/>',
  };
  await writeFile(file, zip([container, packageOf(two), folderPage('one.xhtml'), folderPage('two.xhtml', '')]));
  await book.open(file);
  await book.turn('next');
  expect(await book.locator()).toMatchObject({ href: 'OPS/two.xhtml', progression: 0, page: 2 });
});
