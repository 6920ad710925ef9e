import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Publication } from '../../../server/publication/publication.ts';
import { readResource } from '../../../server/publication/resource.ts';
import { writeBook, openBook } from './support/books.ts';
import { container, packageDocument, page, smallBook } from './support/pieces.ts';
import type { ZipPart } from './support/zip.ts';

const opened = async (pieces: ZipPart[]) => openBook(await writeBook(pieces));

async function readContent(publication: Publication, name: string, range?: string): Promise<Buffer> {
  const found = await readResource(publication, name, range);
  if (found === null || 'unsatisfiable' in found) throw new Error(`no content at ${name}`);
  const chunks: Buffer[] = [];
  for await (const chunk of Buffer.isBuffer(found.body) ? [found.body] : found.body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

test('a book without a navigation document takes its contents from the NCX', async () => {
  const ncx = `<ncx><navMap><navPoint><navLabel><text>Part</text></navLabel><content src="one.xhtml#a"/>
    <navPoint><navLabel><text>Chapter &amp; verse</text></navLabel><content src="one.xhtml#b%20c"/></navPoint></navPoint></navMap>
    <pageList><pageTarget><navLabel><text>7</text></navLabel><content src="one.xhtml#p7"/></pageTarget></pageList></ncx>`;
  const { manifest } = await opened([
    container,
    packageDocument({
      manifest: '<item id="x" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
      spineAttributes: 'toc="x"',
    }),
    page('one.xhtml'),
    { name: 'OPS/toc.ncx', content: ncx },
  ]);
  expect(manifest.toc).toEqual([
    { title: 'Part', href: 'OPS/one.xhtml#a', children: [{ title: 'Chapter & verse', href: 'OPS/one.xhtml#b%20c' }] },
  ]);
  expect(manifest.pageList).toEqual([{ title: '7', href: 'OPS/one.xhtml#p7' }]);
});

test('positions of the spine are kept when an item is missing, and side matter leaves the reading order', async () => {
  const { manifest } = await opened([
    container,
    packageDocument({
      manifest:
        '<item id="n" href="notes.xhtml" media-type="application/xhtml+xml"/><item id="two" href="a%20b/t%C3%A9.xhtml" media-type="application/xhtml+xml"/>',
      spine: '<itemref idref="gone"/><itemref idref="n" linear="no"/><itemref idref="two" properties="page-spread-left"/>',
    }),
    page('one.xhtml'),
    page('notes.xhtml'),
    page('a b/té.xhtml'),
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
  const { manifest, positions } = await opened([
    container,
    packageDocument(),
    { name: 'OPS/one.xhtml', content: noise, stored: true },
  ]);
  expect(manifest.readingOrder.map(({ properties }) => properties?.positions)).toEqual([5]);
  expect(positions.positions.map(({ locations }) => locations)).toEqual(
    [0, 1, 2, 3, 4].map((nth) => ({ progression: nth / 5, position: nth + 1, totalProgression: nth / 5 })),
  );
});

test('both obfuscations of fonts are decoded, also in ranges', async () => {
  const font = Buffer.from(Array.from({ length: 3000 }, (_, index) => index % 256));
  const mask = (key: Buffer, length: number): Buffer =>
    Buffer.from(font.map((byte, index) => (index < length ? byte ^ (key[index % key.length] ?? 0) : byte)));
  const uuid = '00112233-4455-6677-8899-aabbccddeeff';
  const id = `urn:uuid:${uuid}`;
  const encrypted = (uri: string, algorithm: string): string =>
    `<EncryptedData><EncryptionMethod Algorithm="${algorithm}"/><CipherData><CipherReference URI="${uri}"/></CipherData></EncryptedData>`;
  const opf = packageDocument();
  const { publication } = await opened([
    container,
    { ...opf, content: String(opf.content).replace('urn:test:1', id) },
    page('one.xhtml'),
    {
      name: 'META-INF/encryption.xml',
      content: `<encryption>${encrypted('OPS/i.otf', 'http://www.idpf.org/2008/embedding')}${encrypted('OPS/a.otf', 'http://ns.adobe.com/pdf/enc#RC')}${encrypted('OPS/drm.otf', 'http://www.w3.org/2001/04/xmlenc#aes256-cbc')}</encryption>`,
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

test('any range of an entry equals that slice of the whole, compressed or stored', async () => {
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 31 + (index >> 8)) % 256));
  const { publication } = await opened(
    smallBook({ name: 'OPS/p.bin', content: bytes }, { name: 'OPS/s.bin', content: bytes, stored: true }),
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
  const long = page('long.xhtml', Array.from({ length: 200_000 }, (_, at) => `<p>${at * at}</p>`).join(''));
  const { publication } = await opened(smallBook(long));
  expect(String(await readContent(publication, 'OPS/long.xhtml'))).toBe(long.content);
});

test('a page that is not well-formed is served as HTML, scripts never as scripts, pictures as pages on request', async () => {
  const { publication } = await opened([
    container,
    packageDocument({
      manifest:
        '<item id="b" href="bad.xhtml" media-type="application/xhtml+xml"/><item id="j" href="x.js" media-type="text/javascript"/><item id="p" href="p q.jpg" media-type="image/jpeg"/><item id="l" href="loud.html" media-type="TEXT/HTML"/>',
    }),
    page('one.xhtml'),
    { name: 'OPS/bad.xhtml', content: '<html><body><p>never&nbsp;closed</body></html>' },
    { name: 'OPS/loud.html', content: '<p>LOUD' },
    { name: 'OPS/x.js', content: 'alert(1)' },
    { name: 'OPS/p q.jpg', content: 'jpeg' },
  ]);
  const typeOf = async (name: string): Promise<unknown> => {
    const found = await readResource(publication, name);
    return found && 'type' in found ? found.type : null;
  };
  expect(await typeOf('OPS/one.xhtml')).toBe('application/xhtml+xml; charset=utf-8');
  expect(await typeOf('OPS/bad.xhtml')).toBe('text/html; charset=utf-8');
  expect(await typeOf('OPS/loud.html')).toBe('text/html; charset=utf-8');
  expect(await typeOf('OPS/x.js')).toBe('text/plain');
  expect(await typeOf('~page/OPS/p q.jpg')).toBe('application/xhtml+xml');
  expect(String(await readContent(publication, '~page/OPS/p q.jpg'))).toContain('src="../../OPS/p%20q.jpg"');
  expect(await typeOf('~page/OPS/one.xhtml')).toBeNull();
  expect(await typeOf('OPS/none.xhtml')).toBeNull();
});
