import { writeFile } from 'node:fs/promises';
import { container, createPackageDocument, createPage as folderPage } from '../../server/publication/support/pieces.ts';
import { zip } from '../../server/publication/support/zip.ts';
import { createArchive, openArchive, createPageXhtml } from './support/archived-book.ts';
import { expect, test } from './support/fixtures.ts';

const longParagraphs = '<p>Words words words words.</p>'.repeat(200);

test('a chapter without text has a progression and a page number', async ({ book, server }, info) => {
  await book.page.goto(server.blobPolicyUrl);
  const pages = [
    { name: 'a.xhtml', content: createPageXhtml(longParagraphs) },
    { name: 'b.xhtml', content: createPageXhtml('') },
    { name: 'c.xhtml', content: createPageXhtml(longParagraphs) },
  ];
  await openArchive(book, createArchive(pages));
  await book.command({ type: 'book.goTo', href: 'b.xhtml' });
  const locator = await book.readLocator();
  expect(locator).toMatchObject({ href: 'b.xhtml', progression: 0 });
  expect(locator.totalProgression).toBeGreaterThan(0.4);
  expect(locator.page).toBeGreaterThan(1);
  const file = info.outputPath('blank.epub');
  const secondChapter = {
    manifest: '<item id="two" href="two.xhtml" media-type="application/xhtml+xml"/>',
    spine: '<itemref idref="two"/>',
  };
  await writeFile(
    file,
    zip([container, createPackageDocument(secondChapter), folderPage('one.xhtml'), folderPage('two.xhtml', '')]),
  );
  await book.open(file);
  await book.turn('next');
  expect(await book.readLocator()).toMatchObject({ href: 'OPS/two.xhtml', progression: 0, page: 2 });
});
