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

/** Links in books that are served as one file each. */

test.beforeEach(async ({ book, server, context }) => {
  await watchExternalRequests(context);
  await removePolicy(book);
  await book.page.goto(server.blobPolicyUrl);
});

const createPageWithMap = (area: string) =>
  createPageXhtml(`<p><img src="p.png" usemap="#m" width="200" height="200" alt=""/><map name="m">${area}</map></p>`);

test('an area of an image map reports the chapter it links to, an external area opens a new window', async ({
  book,
  context,
}) => {
  const createArea = (left: number, href: string) =>
    `<area shape="rect" coords="${left},0,${left + 100},200" href="${href}" target="_self" alt="x"/>`;
  const areas = createArea(0, 'b.xhtml#end') + createArea(100, 'http://elsewhere.test/');
  const pages = [
    { name: 'a.xhtml', content: createPageWithMap(areas) },
    { name: 'b.xhtml', content: createPageXhtml('<p id="end">Two.</p>') },
  ];
  await openArchive(book, createArchive(pages, [pictureItem]));
  const shownPage = getShownPage(book);
  const newPagePromise = context.waitForEvent('page');
  await shownPage.locator('img').click({ position: { x: 150, y: 100 } });
  await expect((await newPagePromise).locator('body')).toHaveText('Elsewhere');
  expect(shownPage.url()).toMatch(/^blob:/);
  await shownPage.locator('img').click({ position: { x: 50, y: 100 } });
  await expect
    .poll(async () => (await book.readFacts()).findLast(({ type }) => type === 'book.linkPressed'))
    .toEqual({ type: 'book.linkPressed', href: 'b.xhtml#end' });
});

test('external HTML and SVG links open a new window without opener, by the left and the middle mouse button', async ({
  book,
  context,
}) => {
  const svg = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
  const links = [
    '<a class="link" href="http://elsewhere.test/">one</a>',
    `<svg ${svg} width="90" height="90"><a class="link" xlink:href="http://elsewhere.test/"><rect width="90" height="90"/></a></svg>`,
  ];
  await openArchive(book, createArchive([{ name: 'a.xhtml', content: createPageXhtml(links.join('')) }]));
  const shownPage = getShownPage(book);
  for (const link of await shownPage.locator('.link').all())
    for (const button of ['left', 'middle'] as const) {
      const newPagePromise = context.waitForEvent('page');
      await link.click({ button });
      const newPage = await newPagePromise;
      expect(await newPage.evaluate(() => `${opener} ${document.referrer}`)).toBe('null ');
      await newPage.close();
    }
  expect(shownPage.url()).toMatch(/^blob:/);
});

test('a link in a closed shadow root does not navigate the frame away', async ({ book, server }) => {
  await openArchive(book, createArchive([{ name: 'a.xhtml', content: createPageXhtml('<p>Stay.</p><div id="host"/>') }]));
  const shownPage = getShownPage(book);
  await shownPage.evaluate((url) => {
    const root = document.querySelector('#host')?.attachShadow({ mode: 'closed' });
    const link = Object.assign(document.createElement('a'), { href: url, textContent: 'away' });
    root?.append(link);
    link.click();
  }, `${server.url}/unfinished`);
  await book.page.waitForTimeout(300);
  await expect(shownPage.locator('p')).toHaveText('Stay.');
});
