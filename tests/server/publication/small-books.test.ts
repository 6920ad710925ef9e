import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Publication } from '../../../server/publication/publication.ts';
import { readResource } from '../../../server/publication/resource.ts';
import { writeBook, openBook } from './support/books.ts';
import { container, createPackageDocument, createPage, createSmallBook } from './support/pieces.ts';
import type { ZipEntryInput } from './support/zip.ts';

const openEntries = async (entries: ZipEntryInput[]) => openBook(await writeBook(entries));

async function readContent(publication: Publication, name: string, range?: string): Promise<Buffer> {
  const resource = await readResource(publication, name, range);
  if (resource === null || 'unsatisfiable' in resource) throw new Error(`no content at ${name}`);
  const chunks: Buffer[] = [];
  for await (const chunk of Buffer.isBuffer(resource.body) ? [resource.body] : resource.body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

test('a book without a navigation document takes its contents from the NCX', async () => {
  const ncx = `<ncx><navMap><navPoint><navLabel><text>Part</text></navLabel><content src="one.xhtml#a"/>
    <navPoint><navLabel><text>Chapter &amp; verse</text></navLabel><content src="one.xhtml#b%20c"/></navPoint></navPoint></navMap>
    <pageList><pageTarget><navLabel><text>7</text></navLabel><content src="one.xhtml#p7"/></pageTarget></pageList></ncx>`;
  const { manifest } = await openEntries([
    container,
    createPackageDocument({
      manifest: '<item id="x" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
      spineAttributes: 'toc="x"',
    }),
    createPage('one.xhtml'),
    { name: 'OPS/toc.ncx', content: ncx },
  ]);
  expect(manifest.toc).toEqual([
    { title: 'Part', href: 'OPS/one.xhtml#a', children: [{ title: 'Chapter & verse', href: 'OPS/one.xhtml#b%20c' }] },
  ]);
  expect(manifest.pageList).toEqual([{ title: '7', href: 'OPS/one.xhtml#p7' }]);
});

test('spine indexes count missing items, and non-linear items are not in the reading order', async () => {
  const { manifest } = await openEntries([
    container,
    createPackageDocument({
      manifest:
        '<item id="n" href="notes.xhtml" media-type="application/xhtml+xml"/><item id="two" href="a%20b/t%C3%A9.xhtml" media-type="application/xhtml+xml"/>',
      spine: '<itemref idref="gone"/><itemref idref="n" linear="no"/><itemref idref="two" properties="page-spread-left"/>',
    }),
    createPage('one.xhtml'),
    createPage('notes.xhtml'),
    createPage('a b/té.xhtml'),
  ]);
  const type = 'application/xhtml+xml';
  expect(manifest.readingOrder).toEqual([
    { href: 'OPS/one.xhtml', type, properties: { spineIndex: 0, positions: 1 } },
    { href: 'OPS/a%20b/t%C3%A9.xhtml', type, properties: { spineIndex: 3, page: 'left', positions: 1 } },
  ]);
  expect(manifest.resources).toEqual([{ href: 'OPS/notes.xhtml', type, properties: { spineIndex: 2 } }]);
});

test('positions count the compressed kilobytes of flowing chapters', async () => {
  const noise = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * index * 7919) % 251));
  const { manifest, positions } = await openEntries([
    container,
    createPackageDocument(),
    { name: 'OPS/one.xhtml', content: noise, stored: true },
  ]);
  expect(manifest.readingOrder.map(({ properties }) => properties?.positions)).toEqual([5]);
  expect(positions.positions.map(({ locations }) => locations)).toEqual(
    [0, 1, 2, 3, 4].map((index) => ({ progression: index / 5, position: index + 1, totalProgression: index / 5 })),
  );
});

test('both kinds of font obfuscation are decoded, also in ranges', async () => {
  const font = Buffer.from(Array.from({ length: 3000 }, (_, index) => index % 256));
  const mask = (key: Buffer, length: number): Buffer =>
    Buffer.from(font.map((byte, index) => (index < length ? byte ^ (key[index % key.length] ?? 0) : byte)));
  const uuid = '00112233-4455-6677-8899-aabbccddeeff';
  const id = `urn:uuid:${uuid}`;
  const makeEncryptedData = (uri: string, algorithm: string): string =>
    `<EncryptedData><EncryptionMethod Algorithm="${algorithm}"/><CipherData><CipherReference URI="${uri}"/></CipherData></EncryptedData>`;
  const opf = createPackageDocument();
  const { publication } = await openEntries([
    container,
    { ...opf, content: String(opf.content).replace('urn:test:1', id) },
    createPage('one.xhtml'),
    {
      name: 'META-INF/encryption.xml',
      content: `<encryption>${makeEncryptedData('OPS/i.otf', 'http://www.idpf.org/2008/embedding')}${makeEncryptedData('OPS/a.otf', 'http://ns.adobe.com/pdf/enc#RC')}${makeEncryptedData('OPS/drm.otf', 'http://www.w3.org/2001/04/xmlenc#aes256-cbc')}</encryption>`,
    },
    { name: 'OPS/i.otf', content: mask(createHash('sha1').update(id).digest(), 1040) },
    { name: 'OPS/a.otf', content: mask(Buffer.from(uuid.replaceAll('-', ''), 'hex'), 1024) },
    { name: 'OPS/drm.otf', content: 'x' },
  ]);
  expect(await readContent(publication, 'OPS/i.otf')).toEqual(font);
  expect(await readContent(publication, 'OPS/a.otf')).toEqual(font);
  expect(await readContent(publication, 'OPS/i.otf', 'bytes=1030-1049')).toEqual(font.subarray(1030, 1050));
  await expect(readResource(publication, 'OPS/drm.otf')).rejects.toThrow(/protected/);
});

test('any range of an entry, compressed or stored, equals that slice of the whole entry', async () => {
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 31 + (index >> 8)) % 256));
  const { publication } = await openEntries(
    createSmallBook({ name: 'OPS/p.bin', content: bytes }, { name: 'OPS/s.bin', content: bytes, stored: true }),
  );
  for (const name of ['OPS/p.bin', 'OPS/s.bin']) {
    for (const [start, end] of [
      [0, 0],
      [0, 65535],
      [65535, 65536],
      [1, 199_998],
      [199_999, 199_999],
      [70_000, 140_000],
    ] as const) {
      expect(
        (await readContent(publication, name, `bytes=${start}-${end}`)).equals(bytes.subarray(start, end + 1)),
        `${name} ${start}-${end}`,
      ).toBe(true);
    }
    expect((await readContent(publication, name, 'bytes=-5')).equals(bytes.subarray(-5))).toBe(true);
    expect(await readResource(publication, name, 'bytes=200000-')).toEqual({ unsatisfiable: true, size: 200_000 });
  }
});

test('a long page is served whole', async () => {
  const longPage = createPage('long.xhtml', Array.from({ length: 200_000 }, (_, index) => `<p>${index * index}</p>`).join(''));
  const { publication } = await openEntries(createSmallBook(longPage));
  expect(String(await readContent(publication, 'OPS/long.xhtml'))).toBe(longPage.content);
});

test('a malformed page is served as HTML, a script as plain text, and a picture as a page on request', async () => {
  const { publication } = await openEntries([
    container,
    createPackageDocument({
      manifest:
        '<item id="b" href="bad.xhtml" media-type="application/xhtml+xml"/><item id="j" href="x.js" media-type="text/javascript"/><item id="p" href="p q.jpg" media-type="image/jpeg"/><item id="l" href="loud.html" media-type="TEXT/HTML"/>',
    }),
    createPage('one.xhtml'),
    { name: 'OPS/bad.xhtml', content: '<html><body><p>never&nbsp;closed</body></html>' },
    { name: 'OPS/loud.html', content: '<p>LOUD' },
    { name: 'OPS/x.js', content: 'alert(1)' },
    { name: 'OPS/p q.jpg', content: 'jpeg' },
  ]);
  const readType = async (name: string): Promise<unknown> => {
    const resource = await readResource(publication, name);
    return resource && 'type' in resource ? resource.type : null;
  };
  expect(await readType('OPS/one.xhtml')).toBe('application/xhtml+xml; charset=utf-8');
  expect(await readType('OPS/bad.xhtml')).toBe('text/html; charset=utf-8');
  expect(await readType('OPS/loud.html')).toBe('text/html; charset=utf-8');
  expect(await readType('OPS/x.js')).toBe('text/plain');
  expect(await readType('~page/OPS/p q.jpg')).toBe('application/xhtml+xml');
  expect(String(await readContent(publication, '~page/OPS/p q.jpg'))).toContain('src="../../OPS/p%20q.jpg"');
  expect(await readType('~page/OPS/one.xhtml')).toBeNull();
  expect(await readType('OPS/none.xhtml')).toBeNull();
});
