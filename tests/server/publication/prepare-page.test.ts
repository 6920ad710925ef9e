import { expect, test } from 'vitest';
import { BrokenPublication } from '../../../server/publication/broken-publication.ts';
import { preparePage } from '../../../server/publication/prepare-page.ts';

const XHTML = 'application/xhtml+xml';
const SVG = 'image/svg+xml';
const refresh = '<meta http-equiv="refresh" content="0; url=/"/>';
const html = (body: string): string => `<html xmlns="http://www.w3.org/1999/xhtml"><body>${body}</body></html>`;

/** What is sent of a page, as text, and the form it has. */
function prepared(source: string | Buffer, type = XHTML): { sent: string; type: string } {
  const bytes = Buffer.from(source as string);
  const page = preparePage(bytes, type);
  return { sent: Buffer.from(page.body ?? bytes).toString(), type: page.type };
}

const asXhtml = `${XHTML}; charset=utf-8`;
const asHtml = 'text/html; charset=utf-8';

const calmed: Record<string, string | Buffer> = {
  'a refresh': html(refresh),
  'a refresh in disguise': html('<x:meta xmlns:x="http://www.w3.org/1999/xhtml" http-equiv="&#114;efresh" content="0"/>'),
  'a refresh in a broken page': html('<p>One<br><META content=">" HTTP-Equiv = refresh content="0; url=/">'),
  'a refresh in letters of two bytes': Buffer.from(`\ufeff${html(refresh)}`, 'utf16le'),
  'a refresh in letters of two bytes without a mark': Buffer.from(`<?xml version="1.0"?>${html(refresh)}`, 'utf16le'),
  'a refresh that its encoding hides': Buffer.concat([
    Buffer.from('<?xml version="1.0" encoding="Shift_JIS"?><html xmlns="http://www.w3.org/1999/xhtml"><![CDATA['),
    Buffer.from([0x81]),
    Buffer.from(`]]><?x ]]>${refresh}?></html>`),
  ]),
  'an attribute that its encoding hides': `<meta charset="iso-2022-jp"><p>One<br><meta http\x1b(B-equiv="refresh" content="0; url=/">`,
};

test.each(Object.entries(calmed))('a page with %s leads nowhere by itself', (_, source) => {
  expect(prepared(source).sent.replaceAll('\x1b(B', '')).not.toMatch(/http-equiv\s*=/i);
});

const kept: Record<string, [string, string]> = {
  'its encoding': [html('<meta http-equiv="Content-Type" content="text/html; charset=utf-8"/>'), asXhtml],
  'its encoding, and faults': [html('<br><meta http-equiv = \' content-type" content="text/html; charset=utf-8"/>'), asHtml],
  'words about a refresh': [html('<p>&lt;meta http-equiv="refresh"&gt; leads away.</p>'), asXhtml],
  'words about a refresh, and faults': [html('<p>The attribute http-equiv<br>leads away.</p>'), asHtml],
  'a document type of XHTML': [
    `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">${html('&nbsp;')}`,
    asXhtml,
  ],
  'an entity that nobody knows': [`<!DOCTYPE html>${html('&nbsp;')}`, asHtml],
  'a style sheet': [`<?xml-stylesheet href="a.css" type='text/css'?>${html('')}`, asXhtml],
};

test.each(Object.entries(kept))('a page with %s is sent as it stands', (_, [source, type]) => {
  expect(prepared(source)).toEqual({ sent: source, type });
});

const go = `'<meta xmlns="http://www.w3.org/1999/xhtml" http&#45;equiv="refresh" content="0; url=/"/>'`;
const adding: Record<string, string> = {
  'an entity that is an element': `<!DOCTYPE html [<!ENTITY go ${go}>]>`,
  'an entity that is made of others': '<!DOCTYPE html [<!ENTITY a "b"><!ENTITY go "&#60;meta">]>',
  'an attribute that is not written': '<!DOCTYPE html [<!ATTLIST meta http-equiv CDATA "refresh">]>',
  'declarations that are put in': '<!DOCTYPE html [<!ENTITY % more "x"> %more;]>',
  'an entity that is long': `<!DOCTYPE html [<!ENTITY long "${'x'.repeat(1_001)}">]>`,
  'a style sheet that writes another page': '<?xml-stylesheet type="text/xsl" href="#s"?>',
  'a style sheet in disguise': `<?xml-stylesheet title=" type='text/css' " type="text/xsl" href="#s"?>`,
};

test.each(Object.entries(adding))('a page with %s comes as HTML, and a picture with it is refused', (_, start) => {
  expect(prepared(start + html('')).type).toBe(asHtml);
  expect(() => preparePage(Buffer.from(`${start}<svg xmlns="http://www.w3.org/2000/svg"/>`), SVG)).toThrow(BrokenPublication);
});

test('a picture with entities that are plain text is sent as it stands, and one with faults too', () => {
  const drawn = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
    <!ENTITY ns_svg "http://www.w3.org/2000/svg">
    <!ENTITY ns_name 'x]>'>
  ]><svg xmlns="&ns_svg;"><title>&ns_name;</title></svg>`;
  expect(prepared(drawn, SVG)).toEqual({ sent: drawn, type: `${SVG}; charset=utf-8` });
  const faulty = '<svg xmlns="http://www.w3.org/2000/svg"><use xlink:href="#a"/></svg>';
  expect(prepared(faulty, SVG)).toEqual({ sent: faulty, type: `${SVG}; charset=utf-8` });
});

test('a page is read in the encoding that it declares, and sent in UTF-8', () => {
  const declared = (encoding: string, bytes: number[]): Buffer =>
    Buffer.concat([Buffer.from(`<?xml version="1.0" encoding="${encoding}"?><p>`), Buffer.from(bytes), Buffer.from('</p>')]);
  const words = (source: Buffer): string | undefined => /<p>(.*?)<\/p>/.exec(prepared(source).sent)?.[1];
  expect(words(declared('Shift_JIS', [0x82, 0xa0]))).toBe('あ');
  expect(words(declared('windows-1252', [0x80, 0xe9]))).toBe('€é');
  expect(words(declared('iso-8859-1', [0xe9]))).toBe('é');
  expect(words(declared('utf-16', [0xc3, 0xa9]))).toBe('é');
  expect(words(declared('no-such-one', [0xc3, 0xa9]))).toBe('é');
  const old = Buffer.from('<meta charset=windows-1251><p>\xcc\xe8\xf0</p><br>', 'latin1');
  expect(words(old)).toBe('Мир');
  expect(words(Buffer.from('<p>caf\xe9</p>', 'latin1'))).toBe('café');
  expect(words(Buffer.from('<x><meta charset="koi8-r"/><p>\xed\xc9\xd2</p></x>', 'latin1'))).toBe('Мир');
});

test('a page whose words outgrow what a string may hold is shown as it is written', () => {
  const grown = `<!DOCTYPE html [<!ENTITY a "${'x'.repeat(1_000)}">]><p title="${'&a;'.repeat(2 ** 20)}"/>`;
  expect(prepared(grown)).toEqual({ sent: grown, type: asHtml });
});

test('each form in which a page may be sent has a tag of its own', () => {
  const source = Buffer.from(html('<meta http-equiv="refresh"/>'));
  const tags = [source, Buffer.from(html('<meta data-equiv="refresh"/><br>'))].flatMap((bytes) =>
    [XHTML, SVG, 'text/html'].map((type) => preparePage(bytes, type).etag),
  );
  expect(new Set(tags).size).toBe(5);
  expect(tags[0]).toMatch(/^"[\w.+-]+"$/);
});

const long = ' '.repeat(2 ** 20);
test.each([
  `<br><meta http-equiv=${long}x>`,
  `<br><meta http-equiv${long}x>`,
  `<br><meta http-equiv="${long}x>`,
  `<!DOCTYPE${long}x${long}>`,
  `<!DOCTYPE html [<!ENTITY${long}a${long}]>`,
  `<?xml-stylesheet${long}type${long}?>`,
  `<?xml${long}encoding${long}`,
])('a mebibyte of spaces takes no long time: %.20s', (source) => {
  const begun = performance.now();
  prepared(source);
  // What looks again from each space takes hours.
  expect(performance.now() - begun).toBeLessThan(10_000);
});
