import { writeFile } from 'node:fs/promises';
import { container, packageDocument, page as chapter } from '../../server/publication/support/pieces.ts';
import { zip } from '../../server/publication/support/zip.ts';
import { expect, test } from './support/fixtures.ts';

test('a book cannot navigate its reader away by itself', async ({ book, context }, info) => {
  const file = info.outputPath('refresh.epub');
  const refresh = (to: string) => `<meta http-equiv="refresh" content="0; url=${to}"/><p>Stay.</p>`;
  await writeFile(
    file,
    zip([
      container,
      packageDocument({
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

const xhtmlNamespace = 'xmlns="http://www.w3.org/1999/xhtml"';
const hiddenRefresh = `<meta ${xhtmlNamespace} http&#45;equiv="refresh" content="0; url=/away"/>`;
const htmlPage = (body: string): string =>
  `<html ${xhtmlNamespace}><head><title>t</title></head><body>${body}<p>Stay.</p></body></html>`;
const xslTransformation =
  '<xsl:stylesheet id="s" version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/">' +
  `<html ${xhtmlNamespace}><head><xsl:element name="meta"><xsl:attribute name="http{'-'}equiv">refresh</xsl:attribute>` +
  '<xsl:attribute name="content">0; url=/away</xsl:attribute></xsl:element></head></html></xsl:template></xsl:stylesheet>';

/** Documents assembled by the browser, by the media type that the book gives them. */
const redirectTricks: [string, Buffer | string][] = [
  ['application/xhtml+xml', `<!DOCTYPE html [<!ENTITY go '${hiddenRefresh}'>]>${htmlPage('&go;')}`],
  ['image/svg+xml', `<!DOCTYPE svg [<!ENTITY go '${hiddenRefresh}'>]><svg xmlns="http://www.w3.org/2000/svg">&go;</svg>`],
  [
    'application/xhtml+xml',
    `<!DOCTYPE html [<!ATTLIST meta http-equiv CDATA "refresh">]>${htmlPage('<meta content="0; url=/away"/>')}`,
  ],
  ['application/xhtml+xml', `<?xml-stylesheet type="text/xsl" href="#s"?>${htmlPage(xslTransformation)}`],
  ['text/xml', `<?xml-stylesheet type="text/xsl" href="#s"?>${xslTransformation}`],
  [
    'application/xhtml+xml',
    Buffer.from(
      `<?xml version="1.0" encoding="Shift_JIS"?>${htmlPage('<![CDATA[\x81]]><?x ]]><meta http-equiv="refresh" content="0; url=/away"/>?>')}`,
      'latin1',
    ),
  ],
  ['text/html', '<meta charset="iso-2022-jp"><meta http\x1b(B-equiv="refresh" content="0; url=/away"><p>Stay.'],
  ['TEXT/HTML', '<meta http-equiv="refresh" content="0; url=/away"><p>Stay.'],
];

test('no page of a book navigates away when it is opened directly', async ({ page, server, context }, info) => {
  const file = info.outputPath('tricks.epub');
  const items = redirectTricks.map(([type], at) => `<item id="i${at}" href="${at}.bin" media-type="${type}"/>`);
  const pieces = redirectTricks.map(([, content], at) => ({ name: `OPS/${at}.bin`, content }));
  await writeFile(file, zip([container, packageDocument({ manifest: items.join('') }), chapter('one.xhtml'), ...pieces]));
  const asked: string[] = [];
  context.on('request', (request) => asked.push(new URL(request.url()).pathname));
  for (const { name } of pieces) {
    await page.goto(`${server.mediaUrl(file)}/${name}`, { waitUntil: 'networkidle' });
    expect(asked.filter((path) => path === '/away')).toEqual([]);
  }
});
