import { expect, test } from 'vitest';
import { BrokenPublication } from '../../../server/publication/broken-publication.ts';
import { preparePage } from '../../../server/publication/prepare-page.ts';

const XHTML = 'application/xhtml+xml';
const SVG = 'image/svg+xml';
const refreshTag = '<meta http-equiv="refresh" content="0; url=/"/>';
const wrapHtml = (body: string): string => `<html xmlns="http://www.w3.org/1999/xhtml"><body>${body}</body></html>`;

/** Prepares a page. @returns the content that is sent, as text, and its media type */
function preparePageText(source: string | Buffer, type = XHTML): { text: string; type: string } {
  const bytes = Buffer.from(source as string);
  const page = preparePage(bytes, type);
  return { text: Buffer.from(page.body ?? bytes).toString(), type: page.type };
}

const xhtmlUtf8 = `${XHTML}; charset=utf-8`;
const htmlUtf8 = 'text/html; charset=utf-8';

const neutralizedPages: Record<string, string | Buffer> = {
  'a refresh': wrapHtml(refreshTag),
  'a disguised refresh': wrapHtml('<x:meta xmlns:x="http://www.w3.org/1999/xhtml" http-equiv="&#114;efresh" content="0"/>'),
  'a refresh in a broken page': wrapHtml('<p>One<br><META content=">" HTTP-Equiv = refresh content="0; url=/">'),
  'a refresh in UTF-16': Buffer.from(`\ufeff${wrapHtml(refreshTag)}`, 'utf16le'),
  'a refresh in UTF-16 without a byte order mark': Buffer.from(`<?xml version="1.0"?>${wrapHtml(refreshTag)}`, 'utf16le'),
  'a refresh that its encoding hides': Buffer.concat([
    Buffer.from('<?xml version="1.0" encoding="Shift_JIS"?><html xmlns="http://www.w3.org/1999/xhtml"><![CDATA['),
    Buffer.from([0x81]),
    Buffer.from(`]]><?x ]]>${refreshTag}?></html>`),
  ]),
  'an attribute that its encoding hides': `<meta charset="iso-2022-jp"><p>One<br><meta http\x1b(B-equiv="refresh" content="0; url=/">`,
};

test.each(Object.entries(neutralizedPages))('a page with %s cannot redirect by itself', (_, source) => {
  expect(preparePageText(source).text.replaceAll('\x1b(B', '')).not.toMatch(/http-equiv\s*=/i);
});

const unchangedPages: Record<string, [string, string]> = {
  'a declared encoding': [wrapHtml('<meta http-equiv="Content-Type" content="text/html; charset=utf-8"/>'), xhtmlUtf8],
  'a declared encoding, and errors': [
    wrapHtml('<br><meta http-equiv = \' content-type" content="text/html; charset=utf-8"/>'),
    htmlUtf8,
  ],
  'words about a refresh': [wrapHtml('<p>&lt;meta http-equiv="refresh"&gt; leads away.</p>'), xhtmlUtf8],
  'words about a refresh, and errors': [wrapHtml('<p>The attribute http-equiv<br>leads away.</p>'), htmlUtf8],
  'an XHTML document type': [
    `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">${wrapHtml('&nbsp;')}`,
    xhtmlUtf8,
  ],
  'an unknown entity': [`<!DOCTYPE html>${wrapHtml('&nbsp;')}`, htmlUtf8],
  'a style sheet': [`<?xml-stylesheet href="a.css" type='text/css'?>${wrapHtml('')}`, xhtmlUtf8],
};

test.each(Object.entries(unchangedPages))('a page with %s is sent unchanged', (_, [source, type]) => {
  expect(preparePageText(source)).toEqual({ text: source, type });
});

const refreshEntity = `'<meta xmlns="http://www.w3.org/1999/xhtml" http&#45;equiv="refresh" content="0; url=/"/>'`;
const addedElements: Record<string, string> = {
  'an entity that contains an element': `<!DOCTYPE html [<!ENTITY go ${refreshEntity}>]>`,
  'an entity made of other entities': '<!DOCTYPE html [<!ENTITY a "b"><!ENTITY go "&#60;meta">]>',
  'an attribute from the doctype': '<!DOCTYPE html [<!ATTLIST meta http-equiv CDATA "refresh">]>',
  'declarations from a parameter entity': '<!DOCTYPE html [<!ENTITY % more "x"> %more;]>',
  'a long entity': `<!DOCTYPE html [<!ENTITY long "${'x'.repeat(1_001)}">]>`,
  'an XSLT style sheet': '<?xml-stylesheet type="text/xsl" href="#s"?>',
  'a disguised style sheet instruction': `<?xml-stylesheet title=" type='text/css' " type="text/xsl" href="#s"?>`,
};

test.each(Object.entries(addedElements))('a page with %s is sent as HTML, and such an SVG picture is refused', (_, prefix) => {
  expect(preparePageText(prefix + wrapHtml('')).type).toBe(htmlUtf8);
  expect(() => preparePage(Buffer.from(`${prefix}<svg xmlns="http://www.w3.org/2000/svg"/>`), SVG)).toThrow(BrokenPublication);
});

test('an SVG picture with plain text entities or with errors is sent unchanged', () => {
  const svg = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
    <!ENTITY ns_svg "http://www.w3.org/2000/svg">
    <!ENTITY ns_name 'x]>'>
  ]><svg xmlns="&ns_svg;"><title>&ns_name;</title></svg>`;
  expect(preparePageText(svg, SVG)).toEqual({ text: svg, type: `${SVG}; charset=utf-8` });
  const svgWithErrors = '<svg xmlns="http://www.w3.org/2000/svg"><use xlink:href="#a"/></svg>';
  expect(preparePageText(svgWithErrors, SVG)).toEqual({ text: svgWithErrors, type: `${SVG}; charset=utf-8` });
});

test('a page is decoded in its declared encoding, and sent in UTF-8', () => {
  const encodePage = (encoding: string, bytes: number[]): Buffer =>
    Buffer.concat([Buffer.from(`<?xml version="1.0" encoding="${encoding}"?><p>`), Buffer.from(bytes), Buffer.from('</p>')]);
  const readParagraph = (source: Buffer): string | undefined => /<p>(.*?)<\/p>/.exec(preparePageText(source).text)?.[1];
  expect(readParagraph(encodePage('Shift_JIS', [0x82, 0xa0]))).toBe('あ');
  expect(readParagraph(encodePage('windows-1252', [0x80, 0xe9]))).toBe('€é');
  expect(readParagraph(encodePage('iso-8859-1', [0xe9]))).toBe('é');
  expect(readParagraph(encodePage('utf-16', [0xc3, 0xa9]))).toBe('é');
  expect(readParagraph(encodePage('no-such-one', [0xc3, 0xa9]))).toBe('é');
  const undeclaredXml = Buffer.from('<meta charset=windows-1251><p>\xcc\xe8\xf0</p><br>', 'latin1');
  expect(readParagraph(undeclaredXml)).toBe('Мир');
  expect(readParagraph(Buffer.from('<p>caf\xe9</p>', 'latin1'))).toBe('café');
  expect(readParagraph(Buffer.from('<x><meta charset="koi8-r"/><p>\xed\xc9\xd2</p></x>', 'latin1'))).toBe('Мир');
});

test('a page whose text exceeds the maximum string length is sent as its source', () => {
  const source = `<!DOCTYPE html [<!ENTITY a "${'x'.repeat(1_000)}">]><p title="${'&a;'.repeat(2 ** 20)}"/>`;
  expect(preparePageText(source)).toEqual({ text: source, type: htmlUtf8 });
});

test('each form in which a page may be sent has its own entity tag', () => {
  const source = Buffer.from(wrapHtml('<meta http-equiv="refresh"/>'));
  const tags = [source, Buffer.from(wrapHtml('<meta data-equiv="refresh"/><br>'))].flatMap((bytes) =>
    [XHTML, SVG, 'text/html'].map((type) => preparePage(bytes, type).etag),
  );
  expect(new Set(tags).size).toBe(5);
  expect(tags[0]).toMatch(/^"[\w.+-]+"$/);
});

const longSpace = ' '.repeat(2 ** 20);
test.each([
  ['before the value of http-equiv', `<br><meta http-equiv=${longSpace}x>`],
  ['after http-equiv', `<br><meta http-equiv${longSpace}x>`],
  ['in an open value of http-equiv', `<br><meta http-equiv="${longSpace}x>`],
  ['in a document type', `<!DOCTYPE${longSpace}x${longSpace}>`],
  ['in an entity declaration', `<!DOCTYPE html [<!ENTITY${longSpace}a${longSpace}]>`],
  ['in a style sheet instruction', `<?xml-stylesheet${longSpace}type${longSpace}?>`],
  ['in an XML declaration', `<?xml${longSpace}encoding${longSpace}`],
])('a mebibyte of spaces %s is processed quickly', (_place, source) => {
  const start = performance.now();
  preparePageText(source);
  // A search that restarts at each space would take hours.
  expect(performance.now() - start).toBeLessThan(10_000);
});
