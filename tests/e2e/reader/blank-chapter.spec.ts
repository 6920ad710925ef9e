import { writeFile } from 'node:fs/promises';
import { container, packageDocument, page as folderPage } from '../../server/publication/support/pieces.ts';
import { zip } from '../../server/publication/support/zip.ts';
import { createArchive, openArchive, pageXhtml } from './support/archived-book.ts';
import { expect, test } from './support/fixtures.ts';

const longParagraphs = '<p>Words words words words.</p>'.repeat(200);

test('a chapter without text has an ordinary place', async ({ book, server }, info) => {
  await book.page.goto(server.blobPolicyUrl);
  const pages = [
    { name: 'a.xhtml', content: pageXhtml(longParagraphs) },
    { name: 'b.xhtml', content: pageXhtml('') },
    { name: 'c.xhtml', content: pageXhtml(longParagraphs) },
  ];
  await openArchive(book, createArchive(pages));
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
  await writeFile(file, zip([container, packageDocument(two), folderPage('one.xhtml'), folderPage('two.xhtml', '')]));
  await book.open(file);
  await book.turn('next');
  expect(await book.locator()).toMatchObject({ href: 'OPS/two.xhtml', progression: 0, page: 2 });
});
