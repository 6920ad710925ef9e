import {
  createArchive,
  removePolicy,
  openArchive,
  pageXhtml,
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

const pageWithMap = (area: string) =>
  pageXhtml(`<p><img src="p.png" usemap="#m" width="200" height="200" alt=""/><map name="m">${area}</map></p>`);

test('an area of an image map opens a chapter of the book, and an external address in a new window', async ({
  book,
  context,
}) => {
  const area = (from: number, address: string) =>
    `<area shape="rect" coords="${from},0,${from + 100},200" href="${address}" target="_self" alt="x"/>`;
  const areas = area(0, 'b.xhtml#end') + area(100, 'http://elsewhere.test/');
  const pages = [
    { name: 'a.xhtml', content: pageWithMap(areas) },
    { name: 'b.xhtml', content: pageXhtml('<p id="end">Two.</p>') },
  ];
  await openArchive(book, createArchive(pages, [pictureItem]));
  const shown = getShownPage(book);
  const opening = context.waitForEvent('page');
  await shown.locator('img').click({ position: { x: 150, y: 100 } });
  await expect((await opening).locator('body')).toHaveText('Elsewhere');
  expect(shown.url()).toMatch(/^blob:/);
  await shown.locator('img').click({ position: { x: 50, y: 100 } });
  await expect
    .poll(async () => (await book.facts()).findLast(({ type }) => type === 'book.linkPressed'))
    .toEqual({ type: 'book.linkPressed', href: 'b.xhtml#end' });
});

test('links of every kind open in a new window, by every mouse button, and never in its frame', async ({ book, context }) => {
  const svg = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
  const links = [
    '<a class="link" href="http://elsewhere.test/">one</a>',
    `<svg ${svg} width="90" height="90"><a class="link" xlink:href="http://elsewhere.test/"><rect width="90" height="90"/></a></svg>`,
  ];
  await openArchive(book, createArchive([{ name: 'a.xhtml', content: pageXhtml(links.join('')) }]));
  const shown = getShownPage(book);
  for (const link of await shown.locator('.link').all())
    for (const button of ['left', 'middle'] as const) {
      const opening = context.waitForEvent('page');
      await link.click({ button });
      const opened = await opening;
      expect(await opened.evaluate(() => `${opener} ${document.referrer}`)).toBe('null ');
      await opened.close();
    }
  expect(shown.url()).toMatch(/^blob:/);
});

test('a link in a closed shadow root does not navigate the frame away', async ({ book, server }) => {
  await openArchive(book, createArchive([{ name: 'a.xhtml', content: pageXhtml('<p>Stay.</p><div id="host"/>') }]));
  const shown = getShownPage(book);
  await shown.evaluate((to) => {
    const root = document.querySelector('#host')?.attachShadow({ mode: 'closed' });
    const link = Object.assign(document.createElement('a'), { href: to, textContent: 'away' });
    root?.append(link);
    link.click();
  }, `${server.url}/unfinished`);
  await book.page.waitForTimeout(300);
  await expect(shown.locator('p')).toHaveText('Stay.');
});
