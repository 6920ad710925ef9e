import { writeFile } from 'node:fs/promises';
import { container, createPackageDocument, createPage as chapter } from '../../server/publication/support/pieces.ts';
import { zip } from '../../server/publication/support/zip.ts';
import { expect, test } from './support/fixtures.ts';

test('a refresh tag in a book does not navigate the reader away', async ({ book, context }, info) => {
  const file = info.outputPath('refresh.epub');
  const createRefreshBody = (url: string) => `<meta http-equiv="refresh" content="0; url=${url}"/><p>Stay.</p>`;
  await writeFile(
    file,
    zip([
      container,
      createPackageDocument({
        manifest: '<item id="two" href="two.xhtml" media-type="application/xhtml+xml"/>',
        spine: '<itemref idref="two"/>',
      }),
      chapter('one.xhtml', createRefreshBody('/unfinished')),
      chapter('two.xhtml', createRefreshBody('https://elsewhere.example/')),
    ]),
  );
  const requestedUrls: string[] = [];
  context.on('request', (request) => requestedUrls.push(request.url()));
  await book.open(file);
  await expect(book.getPageFrames()[0]?.locator('p') ?? book.page.locator('#missing')).toHaveText('Stay.');
  await book.turn('next');
  await expect(book.getPageFrames()[0]?.locator('p') ?? book.page.locator('#missing')).toHaveText('Stay.');
  await book.page.waitForLoadState('networkidle');
  expect(requestedUrls.filter((url) => /unfinished|elsewhere/.test(url))).toEqual([]);
});

const xhtmlNamespace = 'xmlns="http://www.w3.org/1999/xhtml"';
const hiddenRefresh = `<meta ${xhtmlNamespace} http&#45;equiv="refresh" content="0; url=/away"/>`;
const createHtmlPage = (body: string): string =>
  `<html ${xhtmlNamespace}><head><title>t</title></head><body>${body}<p>Stay.</p></body></html>`;
const xslTransformation =
  '<xsl:stylesheet id="s" version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/">' +
  `<html ${xhtmlNamespace}><head><xsl:element name="meta"><xsl:attribute name="http{'-'}equiv">refresh</xsl:attribute>` +
  '<xsl:attribute name="content">0; url=/away</xsl:attribute></xsl:element></head></html></xsl:template></xsl:stylesheet>';

/** Documents that hide a refresh tag, each with the media type that the book states for it. */
const redirectTricks: [string, Buffer | string][] = [
  ['application/xhtml+xml', `<!DOCTYPE html [<!ENTITY go '${hiddenRefresh}'>]>${createHtmlPage('&go;')}`],
  ['image/svg+xml', `<!DOCTYPE svg [<!ENTITY go '${hiddenRefresh}'>]><svg xmlns="http://www.w3.org/2000/svg">&go;</svg>`],
  [
    'application/xhtml+xml',
    `<!DOCTYPE html [<!ATTLIST meta http-equiv CDATA "refresh">]>${createHtmlPage('<meta content="0; url=/away"/>')}`,
  ],
  ['application/xhtml+xml', `<?xml-stylesheet type="text/xsl" href="#s"?>${createHtmlPage(xslTransformation)}`],
  ['text/xml', `<?xml-stylesheet type="text/xsl" href="#s"?>${xslTransformation}`],
  [
    'application/xhtml+xml',
    Buffer.from(
      `<?xml version="1.0" encoding="Shift_JIS"?>${createHtmlPage('<![CDATA[\x81]]><?x ]]><meta http-equiv="refresh" content="0; url=/away"/>?>')}`,
      'latin1',
    ),
  ],
  ['text/html', '<meta charset="iso-2022-jp"><meta http\x1b(B-equiv="refresh" content="0; url=/away"><p>Stay.'],
  ['TEXT/HTML', '<meta http-equiv="refresh" content="0; url=/away"><p>Stay.'],
];

test('no hidden refresh tag navigates away when a page of a book is opened directly', async ({ page, server, context }, info) => {
  const file = info.outputPath('tricks.epub');
  const items = redirectTricks.map(([type], index) => `<item id="i${index}" href="${index}.bin" media-type="${type}"/>`);
  const files = redirectTricks.map(([, content], index) => ({ name: `OPS/${index}.bin`, content }));
  await writeFile(file, zip([container, createPackageDocument({ manifest: items.join('') }), chapter('one.xhtml'), ...files]));
  const requestedPaths: string[] = [];
  context.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  for (const { name } of files) {
    await page.goto(`${server.mediaUrl(file)}/${name}`, { waitUntil: 'networkidle' });
    expect(requestedPaths.filter((path) => path === '/away')).toEqual([]);
  }
});
