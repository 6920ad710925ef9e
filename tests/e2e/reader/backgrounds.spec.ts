import { writeFile } from 'node:fs/promises';
import { container, createPackageDocument, createPage as folderPage } from '../../server/publication/support/pieces.ts';
import { zip } from '../../server/publication/support/zip.ts';
import {
  createArchive,
  removePolicy,
  openArchive,
  createPageXhtml,
  pictureItem,
  getShownPage,
  watchExternalRequests,
} from './support/archived-book.ts';
import { expect, test } from './support/fixtures.ts';

/** The renderer shows a page's background in the shop's own document. */

let externalRequests: string[] = [];
test.beforeEach(async ({ book, server, context }) => {
  externalRequests = await watchExternalRequests(context);
  await removePolicy(book);
  await book.page.goto(server.blobPolicyUrl);
});

const trackingImage = 'url(http://elsewhere.test/track)';
const backgrounds = {
  'of the body': `body { background: ${trackingImage} }`,
  'of the root': `html { background: red ${trackingImage} }`,
  'as an image set': 'body { background-image: image-set("http://elsewhere.test/track" 1x) }',
  'in a transition': `body { background: ${trackingImage} !important; transition: all 99s allow-discrete }`,
  'in a theme variable of the reader': `html { --theme-bg-color: ${trackingImage}; background: #eee }`,
};
for (const [name, style] of Object.entries(backgrounds))
  test(`a background ${name} sends no external request`, async ({ book }, info) => {
    await openArchive(
      book,
      createArchive([{ name: 'a.xhtml', content: createPageXhtml('<p>Stay.</p>', `<style>${style}</style>`) }]),
    );
    await expect(getShownPage(book).locator('p')).toHaveText('Stay.');
    const file = info.outputPath('background.epub');
    await writeFile(
      file,
      zip([container, createPackageDocument(), folderPage('one.xhtml', `<style>${style}</style><p>Stay.</p>`)]),
    );
    await book.page.goto('/');
    await book.open(file);
    await expect(getShownPage(book).locator('p')).toHaveText('Stay.');
    await book.page.waitForLoadState('networkidle');
    expect(externalRequests).toEqual([]);
  });

test('a background from the book is shown', async ({ book }) => {
  const takeCornerScreenshot = () => book.page.screenshot({ clip: { x: 2, y: 2, width: 4, height: 4 } });
  await openArchive(book, createArchive([{ name: 'a.xhtml', content: createPageXhtml('<p>Stay.</p>') }]));
  const blankScreenshot = await takeCornerScreenshot();
  const style = '<style>body { background: url(p.png) }</style>';
  await openArchive(
    book,
    createArchive([{ name: 'a.xhtml', content: createPageXhtml('<p>Stay.</p>', style) }], [pictureItem]),
    '/other?signature=1',
  );
  await expect.poll(async () => blankScreenshot.equals(await takeCornerScreenshot())).toBe(false);
});
