import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createServer } from '../../../server/app.ts';
import { toTitleFolder } from '../../../server/media/folders.ts';
import { openDatabase } from '../../../server/database/open.ts';
import { saveStore } from '../../../server/setup/save-store.ts';
import { addChapters } from '../support/chapters.ts';
import { createCustomer } from '../support/customers.ts';
import { runOperation } from '../../../server/admin/operations.ts';
import { createDelivery, createEpub, runStoreCommand, createPicture, parseRows } from '../support/deliveries.ts';
import { ADMIN_TOKEN, openOperatorShop, type OperatorShop } from '../support/operator-shop.ts';
import { makeStore } from '../support/stores.ts';

const ISBN = '9783161484100';
const demoMedia = resolve(import.meta.dirname, '../../../server/demo/media');

let shop: OperatorShop;
beforeAll(async () => {
  shop = await openOperatorShop();
});
afterAll(() => shop.close());

let store: string;
beforeEach(async () => {
  store = await shop.store({ titles: [], categories: [] });
});

const run = (folder: string, ...more: string[]) => shop.run('import', folder, '--store', store, '--json', ...more);
const outcomesByFile = (ending: Awaited<ReturnType<typeof run>>) =>
  Object.fromEntries(parseRows(ending).map(({ file, outcome }) => [String(file), String(outcome)]));
type ListedTitle = { TitleId: string; ISBN?: string; Name: string; CoverUrl?: string; ForSale: boolean };
const titles = async (query: Record<string, string> = {}): Promise<ListedTitle[]> => {
  const { value } = await shop.ask('titles', '/titles', { query: { shelfid: store, ...query } });
  return (value as { Title?: ListedTitle[] }).Title ?? [];
};
const readStoreVersion = async () =>
  (await shop.db.selectFrom('stores').select('version').where('id', '=', store).executeTakeFirstOrThrow()).version;
const selectTitle = (id: string) =>
  shop.db.selectFrom('titles').selectAll().where('store_id', '=', store).where('id', '=', id).executeTakeFirstOrThrow();
const listTitleFiles = (id: string) => readdir(join(shop.folder, 'titles', toTitleFolder({ storeId: store, titleId: id })));

describe('a folder with every kind of file', () => {
  const make = async () => {
    const folder = await createDelivery({
      'novel.epub': createEpub({
        title: 'The Quiet Quay',
        identifier: `urn:isbn:${ISBN}`,
        cover: await createPicture(700, 1000),
        metadata: `<dc:creator id="a">Ada Moor</dc:creator><meta refines="#a" property="role">aut</meta><dc:creator id="i">Bo Lind</dc:creator>
          <meta refines="#i" property="role">ill</meta><dc:publisher>Quay</dc:publisher><dc:date>2024-03-01T10:00:00Z</dc:date>
          <dc:description>&lt;p&gt;About a &lt;b&gt;harbourmaster&lt;/b&gt;.&lt;/p&gt;</dc:description>
          <meta property="belongs-to-collection" id="c">Quays</meta><meta refines="#c" property="collection-type">series</meta>
          <meta refines="#c" property="group-position">2</meta>`,
      }),
      'novel.sample.epub': createEpub({ title: 'The Quiet Quay', identifier: 'sample' }),
      'Talks/02.mp3': await readFile(join(demoMedia, '1019/track-02.mp3')),
      'Talks/01.mp3': await readFile(join(demoMedia, '1019/track-01.mp3')),
      'Talks/cover.png': await createPicture(500, 500),
      'film.en.vtt': 'WEBVTT\n',
      'paper.pdf': await readFile(join(demoMedia, '1016/book.pdf')),
      'broken.epub': 'no book at all',
      'old.mobi': 'x',
      '.hidden.epub': 'x',
      'notes.txt': 'x',
    });
    await cp(join(demoMedia, '1022/film.mp4'), join(folder, 'film.mp4'));
    await symlink('/etc/passwd', join(folder, 'out.epub'));
    return folder;
  };

  test('is imported with its metadata; broken files are reported, and the rest is imported', async () => {
    await runOperation(shop.services, 'stores set', { store, currencies: 'EUR,USD' });
    const folder = await make();
    const ending = await run(folder, '--price', '4.99EUR,5.49USD', '--category', 'New & Old');
    expect(ending.code).toBe(1);
    expect(outcomesByFile(ending)).toEqual({
      'novel.epub': 'new',
      Talks: 'new',
      'film.mp4': 'new',
      'paper.pdf': 'new',
      'broken.epub': 'failed',
      'old.mobi': 'failed',
      'out.epub': 'failed',
    });
    expect(ending.err).toContain('broken.epub: not a zip container. Get another copy of it.\n');
    expect(ending.err).toContain('out.epub: is a symbolic link, which is not followed. Put the file itself there.\n');
    expect(ending.err).toMatch(/Imported 4 titles: 4 new, 0 changed, 0 as before\. 3 could not be imported\.\n$/);

    expect(await selectTitle(ISBN)).toMatchObject({
      name: 'The Quiet Quay',
      media: 'epub',
      isbn: ISBN,
      authors: ['Ada Moor'],
      publisher: 'Quay',
      language: 'en',
      published_on: '2024-03-01',
      series: 'Quays',
      series_number: 2,
      has_sample: true,
      for_sale: true,
      sort_price: 499,
      description: '<p>About a <b>harbourmaster</b>.</p>',
      cover: { width: 700, height: 1000, color: '#183858' },
    });
    const found = await titles({ search: 'harbourmaster' });
    expect(found).toMatchObject([{ TitleId: ISBN, Name: 'The Quiet Quay', ForSale: true }]);
    const category = await shop.db.selectFrom('categories').select(['id', 'name']).where('store_id', '=', store).execute();
    expect(category).toEqual([{ id: expect.any(String) as string, name: 'New & Old' }]);
    expect(await titles({ categoryid: category[0]?.id ?? '' })).toHaveLength(4);
    for (const { CoverUrl = '' } of (await titles()).filter((each) => each.CoverUrl !== undefined)) {
      const cover = await shop.app.inject(`${CoverUrl}?width=180`);
      expect([cover.statusCode, cover.headers['content-type']]).toEqual([200, 'image/jpeg']);
    }
    expect((await titles()).filter(({ CoverUrl }) => CoverUrl !== undefined)).toHaveLength(3);
    const talks = (await titles({ titletype: '2' }))[0]?.TitleId ?? '';
    expect((await selectTitle(talks)).content.items?.map(({ file }) => file.slice(0, 7))).toEqual(['part-1-', 'part-2-']);
    const film = (await titles({ titletype: '4' }))[0]?.TitleId ?? '';
    expect((await selectTitle(film)).content.items?.[0]?.captions).toMatchObject([{ language: 'en' }]);
  });

  test('does not change when it is imported again, nor on a dry run', async () => {
    const folder = await make();
    expect((await run(folder, '--dry-run')).err).toMatch(/4 titles could be imported: 4 new, 0 that are there\./);
    expect(await titles()).toHaveLength(0);
    await run(folder, '--price', '1EUR', '--category', 'Both');
    const before = await readStoreVersion();
    const again = await run(folder, '--category', 'Both');
    expect(again.err).toMatch(/Imported 4 titles: 0 new, 0 changed, 4 as before/);
    expect(await readStoreVersion()).toBe(before);
    expect((await selectTitle(ISBN)).sort_price).toBe(100);
    expect(await titles()).toHaveLength(4);
  });
});

test('a changed title is updated; a customer who has it open keeps reading the old file', async () => {
  const folder = await createDelivery({ 'a.epub': createEpub({ title: 'First', identifier: `urn:isbn:${ISBN}` }) });
  await run(folder, '--price', '2EUR');
  await shop.db.updateTable('titles').set({ popularity: 7, listed: false }).where('store_id', '=', store).execute();
  const [first] = await listTitleFiles(ISBN);
  await writeFile(join(folder, 'a.epub'), createEpub({ title: 'Second', identifier: `urn:isbn:${ISBN}` }));
  expect(outcomesByFile(await run(folder))).toEqual({ 'a.epub': 'changed' });
  expect(await selectTitle(ISBN)).toMatchObject({
    name: 'Second',
    sort_price: 200,
    for_sale: true,
    popularity: 7,
    listed: false,
  });
  expect(await listTitleFiles(ISBN)).toHaveLength(2);
  expect(await listTitleFiles(ISBN)).toContain(first);
  await writeFile(join(folder, 'a.epub'), createEpub({ title: 'Third', identifier: `urn:isbn:${ISBN}` }));
  await run(folder);
  expect(await listTitleFiles(ISBN)).toHaveLength(2);
  expect(await listTitleFiles(ISBN)).not.toContain(first);
});

test('a free book is acquired and read from the shop', async () => {
  const folder = await createDelivery({ 'a.epub': createEpub({ identifier: `urn:isbn:${ISBN}`, words: 'Read me.' }) });
  expect((await run(folder, '--price', '0EUR')).code).toBe(0);
  const customer = await createCustomer(shop, store);
  const taken = await shop.ask('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId: ISBN } });
  const { InstanceId: _none, instanceId } = taken.value as { InstanceId?: string; instanceId: string };
  const address = await shop.ask('viewerUrl', '/viewer/url', {
    query: { ...customer.query, instanceid: instanceId, content: '1' },
  });
  const { url } = address.value as { url: string };
  const manifest = await shop.app.inject(url);
  expect(manifest.json<{ metadata: { title: string } }>().metadata.title).toBe('A small book');
  expect((await shop.app.inject(url.replace('manifest.json', 'OPS/one.xhtml'))).body).toContain('Read me.');
});

test('chapter marks in an audiobook become its table of contents; unreadable marks do not prevent playback', async () => {
  const film = await readFile(join(demoMedia, '1022/sample.mp4'));
  const chapters: [string, number][] = [
    ['Low water', 0],
    ['The quay', 4],
    ['', 2.5],
    ['Long after the end', 100_000],
  ];
  const folder = await createDelivery({
    'Quays.m4b': addChapters(film, chapters),
    'Whole.m4b': addChapters(film, [['All of it', 0]]),
  });
  const ending = await run(folder, '--price', '0EUR');
  expect(outcomesByFile(ending)).toEqual({ 'Quays.m4b': 'new', 'Whole.m4b': 'new' });
  expect(outcomesByFile(await run(folder))).toEqual({ 'Quays.m4b': 'unchanged', 'Whole.m4b': 'unchanged' });
  const customer = await createCustomer(shop, store);
  const parts = async (name: string) => {
    const [title] = await titles({ search: name });
    await shop.ask('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId: title?.TitleId } });
    const { value } = await shop.ask('viewerComponents', '/viewer/components', {
      query: { ...customer.query, titleid: title?.TitleId },
    });
    return (value as { items: { chapters?: { name: string; seconds: number }[] }[] }).items;
  };
  expect(await parts('Quays')).toMatchObject([
    {
      chapters: [
        { name: 'Low water', seconds: 0 },
        { name: '2', seconds: 2.5 },
        { name: 'The quay', seconds: 4 },
      ],
    },
  ]);
  const [whole] = await parts('Whole');
  expect(whole?.chapters).toBeUndefined();
});

test('two shops that share a database and a media folder serve each other’s imports, and keep each other’s files', async () => {
  const { app } = await createServer({
    db: shop.db,
    config: shop.services.config,
    payment: shop.gateway.port,
    logLevel: 'silent',
  });
  try {
    await app.listen({ port: 0, host: '127.0.0.1' });
    const [first, second] = [shop.app, app].map(({ server }) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const folder = await createDelivery({ 'a.epub': createEpub({ identifier: `urn:isbn:${ISBN}`, words: 'Read me.' }) });
    const at = (address = '') =>
      runStoreCommand(['import', folder, '--store', store, '--shop', address, '--json', '--price', '0EUR'], { ADMIN_TOKEN });
    const both = await Promise.all([at(first), at(second)]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(new Set(both.map((each) => outcomesByFile(each)['a.epub']))).toEqual(new Set(['new', 'unchanged']));
    expect(await listTitleFiles(ISBN)).toHaveLength(1);
    expect(await titles()).toHaveLength(1);
    await writeFile(join(folder, 'a.epub'), createEpub({ identifier: `urn:isbn:${ISBN}`, words: 'Read me again.' }));
    expect(outcomesByFile(await at(second))).toEqual({ 'a.epub': 'changed' });
    const customer = await createCustomer(shop, store);
    const taken = await shop.ask('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId: ISBN } });
    const { instanceId } = taken.value as { instanceId: string };
    const address = await shop.ask('viewerUrl', '/viewer/url', {
      query: { ...customer.query, instanceid: instanceId, content: '1' },
    });
    const page = (address.value as { url: string }).url.replace('manifest.json', 'OPS/one.xhtml');
    expect((await shop.app.inject(page)).body).toContain('Read me again.');
    expect((await app.inject(page)).body).toContain('Read me again.');
  } finally {
    await app.close();
  }
});

test('a book is recognised by its identifier in any folder, and a file without one by its path', async () => {
  const pdf = await readFile(join(demoMedia, '1016/book.pdf'));
  const folder = await createDelivery({
    'a.epub': createEpub({ identifier: 'urn:uuid:f86268a4-683a-4bba-acf1-f78e8e39e580' }),
    'x/paper.pdf': pdf,
  });
  await run(folder);
  await mkdir(join(folder, 'y'));
  await cp(join(folder, 'a.epub'), join(folder, 'y', 'b.epub'));
  await rm(join(folder, 'a.epub'));
  await writeFile(join(folder, 'x/paper.pdf'), Buffer.concat([pdf, Buffer.from('\n')]));
  expect(outcomesByFile(await run(folder))).toEqual({ 'y/b.epub': 'unchanged', 'x/paper.pdf': 'changed' });
  expect(await titles()).toHaveLength(2);
});

test('two files with one identifier are not one title: the second is reported', async () => {
  const folder = await createDelivery({
    'a.epub': createEpub({ title: 'One', identifier: `urn:isbn:${ISBN}` }),
    'b.epub': createEpub({ title: 'Other', identifier: `urn:isbn:${ISBN}` }),
  });
  const ending = await run(folder);
  expect(ending.code).toBe(1);
  expect(ending.err).toContain(`b.epub: it is the same title as a.epub (isbn:${ISBN}).`);
  expect((await selectTitle(ISBN)).name).toBe('One');
});

test('placeholder identifiers that programs give every book are ignored', async () => {
  const nothing = '00000000-0000-0000-0000-000000000000';
  const folder = await createDelivery({
    'a.epub': createEpub({ title: 'One', identifier: `urn:uuid:${nothing}` }),
    'b.epub': createEpub({ title: 'Two', identifier: `urn:uuid:${nothing}` }),
    'c.epub': createEpub({ title: 'Three', identifier: 'bookid-1' }),
  });
  expect((await run(folder)).err).toMatch(/Imported 3 titles: 3 new/);
});

test.each([
  ['a path out of the container', { pieces: [{ name: '../../evil', content: 'x' }] }, 'path outside the container'],
  ['a zip bomb', { pieces: [{ name: 'big', content: Buffer.alloc(8_000_000) }] }, 'has an implausible compression ratio'],
  [
    'copy protection',
    {
      pieces: [
        {
          name: 'META-INF/encryption.xml',
          content:
            '<encryption><EncryptedData><EncryptionMethod Algorithm="http://ns.adobe.com/adept/xmlenc"/><CipherData><CipherReference URI="OPS/one.xhtml"/></CipherData></EncryptedData></encryption>',
        },
      ],
    },
    'copy-protected',
  ],
])('a book with %s is refused', async (_, parts, why) => {
  const ending = await run(
    await createDelivery({ 'a.epub': createEpub(parts), 'b.epub': createEpub({ identifier: 'urn:test:good-one' }) }),
  );
  expect(ending.err).toContain(why);
  expect(outcomesByFile(ending)).toEqual({ 'a.epub': 'failed', 'b.epub': 'new' });
});

test('names with control characters do not reach the terminal, and ids do not leave the folder', async () => {
  const folder = await createDelivery({
    'a\u001b[2J\nb.epub': 'no book',
    '..b.epub': 'x',
    'ﬁve & <six>.epub': createEpub({ title: 'Five', identifier: '../../../five' }),
  });
  const ending = await run(folder);
  expect(ending.err).toContain('a\uFFFD[2J\uFFFDb.epub: not a zip container');
  expect(ending.err).not.toContain('\u001b');
  const [{ TitleId } = { TitleId: '' }] = await titles();
  expect(TitleId).toMatch(/^t[0-9a-f]{20}$/);
});

test('a title without a price is shown but not sold, and that is reported', async () => {
  const ending = await run(await createDelivery({ 'a.epub': createEpub() }));
  expect(ending.err).toMatch(/1 new title without a price: not for sale until/);
  expect(await titles()).toMatchObject([{ ForSale: false }]);
});

test.each([
  [['import'], 2, /missing required argument 'FOLDER'/],
  [['import', '--dry-run'], 2, /missing required argument 'FOLDER'/],
  [['import', '/nowhere/at/all', '--shop', 'http://127.0.0.1:1'], 1, /The folder \/nowhere\/at\/all does not exist/],
  [['import', tmpdir(), '--price', 'cheap', '--shop', 'http://127.0.0.1:1'], 1, /--price: expected an amount with its currency/],
])('%j ends with a readable message', async (args, code, says) => {
  const ending = await runStoreCommand(args, { ADMIN_TOKEN });
  expect([ending.code, ending.out]).toEqual([code, '']);
  expect(ending.err).toMatch(says);
});

test('an import ends when the shop goes down, and resumes when it is run again', async () => {
  const folder = await createDelivery({ 'a.epub': createEpub() });
  const ending = await runStoreCommand(['import', folder, '--shop', 'http://127.0.0.1:1'], { ADMIN_TOKEN });
  expect(ending).toEqual({ code: 1, out: '', err: 'The shop at http://127.0.0.1:1 does not answer.\n' });
});

test('a stopped shop gets the import in its own folder', async () => {
  const data = await mkdtemp(join(tmpdir(), 'colophon-own-'));
  const database = await openDatabase({ kind: 'folder', folder: data });
  await saveStore(database.db, { ...makeStore('quay'), titles: [] });
  await database.close();
  const folder = await createDelivery({ 'a.epub': createEpub({ identifier: `urn:isbn:${ISBN}` }) });
  const ending = await runStoreCommand(['import', folder], { DATA_DIR: data });
  expect(ending.err).toMatch(/Imported 1 title: 1 new/);
  expect(await readdir(join(data, 'media', 'quay', ISBN))).toHaveLength(1);
  await rm(data, { recursive: true, force: true });
});
