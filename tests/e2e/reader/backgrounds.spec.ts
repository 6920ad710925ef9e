import { writeFile } from 'node:fs/promises';
import { container, packageOf, page as folderPage } from '../../server/publication/support/pieces.ts';
import { zip } from '../../server/publication/support/zip.ts';
import { archiveOf, dropPolicy, openArchive, page, picture, shownPage, watchElsewhere } from './support/archived-book.ts';
import { expect, test } from './support/fixtures.ts';

/** The renderer shows a page's background in the shop's own document. */

let elsewhere: string[] = [];
test.beforeEach(async ({ book, server, context }) => {
  elsewhere = await watchElsewhere(context);
  await dropPolicy(book);
  await book.page.goto(server.memoryUrl);
});

const image = 'url(http://elsewhere.test/track)';
const backgrounds = {
  'of the body': `body { background: ${image} }`,
  'of the root': `html { background: red ${image} }`,
  'as a set': 'body { background-image: image-set("http://elsewhere.test/track" 1x) }',
  'that comes late': `body { background: ${image} !important; transition: all 99s allow-discrete }`,
  'as a colour of ours': `html { --theme-bg-color: ${image}; background: #eee }`,
};
for (const [name, style] of Object.entries(backgrounds))
  test(`a background ${name} is fetched from nowhere else`, async ({ book }, info) => {
    await openArchive(book, archiveOf([{ name: 'a.xhtml', content: page('<p>Stay.</p>', `<style>${style}</style>`) }]));
    await expect(shownPage(book).locator('p')).toHaveText('Stay.');
    const file = info.outputPath('background.epub');
    await writeFile(file, zip([container, packageOf(), folderPage('one.xhtml', `<style>${style}</style><p>Stay.</p>`)]));
    await book.page.goto('/');
    await book.open(file);
    await expect(shownPage(book).locator('p')).toHaveText('Stay.');
    await book.page.waitForLoadState('networkidle');
    expect(elsewhere).toEqual([]);
  });

test('a background out of the book is shown', async ({ book }) => {
  const seen = () => book.page.screenshot({ clip: { x: 2, y: 2, width: 4, height: 4 } });
  await openArchive(book, archiveOf([{ name: 'a.xhtml', content: page('<p>Stay.</p>') }]));
  const blank = await seen();
  const style = '<style>body { background: url(p.png) }</style>';
  await openArchive(
    book,
    archiveOf([{ name: 'a.xhtml', content: page('<p>Stay.</p>', style) }], [picture]),
    '/other?signature=1',
  );
  await expect.poll(async () => blank.equals(await seen())).toBe(false);
});
