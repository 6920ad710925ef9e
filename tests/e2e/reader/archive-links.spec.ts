import { archiveOf, dropPolicy, openArchive, page, picture, shownPage, watchElsewhere } from './support/archived-book.ts';
import { expect, test } from './support/fixtures.ts';

/** Links of books that their server gives in one file each. */

test.beforeEach(async ({ book, server, context }) => {
  await watchElsewhere(context);
  await dropPolicy(book);
  await book.page.goto(server.memoryUrl);
});

const map = (area: string) =>
  page(`<p><img src="p.png" usemap="#m" width="200" height="200" alt=""/><map name="m">${area}</map></p>`);

test('an area of an image map opens a chapter of the book, and an address elsewhere beside the shop', async ({
  book,
  context,
}) => {
  const area = (from: number, address: string) =>
    `<area shape="rect" coords="${from},0,${from + 100},200" href="${address}" target="_self" alt="x"/>`;
  const areas = area(0, 'b.xhtml#end') + area(100, 'http://elsewhere.test/');
  const pages = [
    { name: 'a.xhtml', content: map(areas) },
    { name: 'b.xhtml', content: page('<p id="end">Two.</p>') },
  ];
  await openArchive(book, archiveOf(pages, [picture]));
  const shown = shownPage(book);
  const opening = context.waitForEvent('page');
  await shown.locator('img').click({ position: { x: 150, y: 100 } });
  await expect((await opening).locator('body')).toHaveText('Elsewhere');
  expect(shown.url()).toMatch(/^blob:/);
  await shown.locator('img').click({ position: { x: 50, y: 100 } });
  await expect
    .poll(async () => (await book.facts()).findLast(({ type }) => type === 'book.linkPressed'))
    .toEqual({ type: 'book.linkPressed', href: 'b.xhtml#end' });
});

test('links of every kind open beside the shop, by every button, and never in its frame', async ({ book, context }) => {
  const svg = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
  const links = [
    '<a class="link" href="http://elsewhere.test/">one</a>',
    `<svg ${svg} width="90" height="90"><a class="link" xlink:href="http://elsewhere.test/"><rect width="90" height="90"/></a></svg>`,
  ];
  await openArchive(book, archiveOf([{ name: 'a.xhtml', content: page(links.join('')) }]));
  const shown = shownPage(book);
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

test('a link in a closed shadow root does not take the frame away', async ({ book, server }) => {
  await openArchive(book, archiveOf([{ name: 'a.xhtml', content: page('<p>Stay.</p><div id="host"/>') }]));
  const shown = shownPage(book);
  await shown.evaluate((to) => {
    const root = document.querySelector('#host')?.attachShadow({ mode: 'closed' });
    const link = Object.assign(document.createElement('a'), { href: to, textContent: 'away' });
    root?.append(link);
    link.click();
  }, `${server.url}/unfinished`);
  await book.page.waitForTimeout(300);
  await expect(shown.locator('p')).toHaveText('Stay.');
});
