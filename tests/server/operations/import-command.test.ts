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

const runImport = (folder: string, ...options: string[]) => shop.run('import', folder, '--store', store, '--json', ...options);
const parseOutcomes = (result: Awaited<ReturnType<typeof runImport>>) =>
  Object.fromEntries(parseRows(result).map(({ file, outcome }) => [String(file), String(outcome)]));
type ListedTitle = { TitleId: string; ISBN?: string; Name: string; CoverUrl?: string; ForSale: boolean };
const listTitles = async (query: Record<string, string> = {}): Promise<ListedTitle[]> => {
  const { value } = await shop.call('titles', '/titles', { query: { shelfid: store, ...query } });
  return (value as { Title?: ListedTitle[] }).Title ?? [];
};
const readStoreVersion = async () =>
  (await shop.db.selectFrom('stores').select('version').where('id', '=', store).executeTakeFirstOrThrow()).version;
const selectTitle = (id: string) =>
  shop.db.selectFrom('titles').selectAll().where('store_id', '=', store).where('id', '=', id).executeTakeFirstOrThrow();
const listTitleFiles = (id: string) => readdir(join(shop.folder, 'titles', toTitleFolder({ storeId: store, titleId: id })));

describe('a folder with every kind of file', () => {
  const createMixedDelivery = async () => {
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

  test('a folder is imported with its metadata; broken files are reported, and the other files are imported', async () => {
    await runOperation(shop.services, 'stores set', { store, currencies: 'EUR,USD' });
    const folder = await createMixedDelivery();
    const result = await runImport(folder, '--price', '4.99EUR,5.49USD', '--category', 'New & Old');
    expect(result.code).toBe(1);
    expect(parseOutcomes(result)).toEqual({
      'novel.epub': 'new',
      Talks: 'new',
      'film.mp4': 'new',
      'paper.pdf': 'new',
      'broken.epub': 'failed',
      'old.mobi': 'failed',
      'out.epub': 'failed',
    });
    expect(result.err).toContain('broken.epub: not a zip container: 14 bytes, expected at least 22. Get another copy of it.\n');
    expect(result.err).toContain('out.epub: is a symbolic link, which is not followed. Put the file itself there.\n');
    expect(result.err).toMatch(/Imported 4 titles: 4 new, 0 changed, 0 as before\. 3 could not be imported\.\n$/);

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
    const foundTitles = await listTitles({ search: 'harbourmaster' });
    expect(foundTitles).toMatchObject([{ TitleId: ISBN, Name: 'The Quiet Quay', ForSale: true }]);
    const categories = await shop.db.selectFrom('categories').select(['id', 'name']).where('store_id', '=', store).execute();
    expect(categories).toEqual([{ id: expect.any(String) as string, name: 'New & Old' }]);
    expect(await listTitles({ categoryid: categories[0]?.id ?? '' })).toHaveLength(4);
    for (const { CoverUrl = '' } of (await listTitles()).filter((each) => each.CoverUrl !== undefined)) {
      const cover = await shop.app.inject(`${CoverUrl}?width=180`);
      expect([cover.statusCode, cover.headers['content-type']]).toEqual([200, 'image/jpeg']);
    }
    expect((await listTitles()).filter(({ CoverUrl }) => CoverUrl !== undefined)).toHaveLength(3);
    const talksId = (await listTitles({ titletype: '2' }))[0]?.TitleId ?? '';
    expect((await selectTitle(talksId)).content.items?.map(({ file }) => file.slice(0, 7))).toEqual(['part-1-', 'part-2-']);
    const filmId = (await listTitles({ titletype: '4' }))[0]?.TitleId ?? '';
    expect((await selectTitle(filmId)).content.items?.[0]?.captions).toMatchObject([{ language: 'en' }]);
  });

  test('a folder that is imported again does not change, and a dry run imports nothing', async () => {
    const folder = await createMixedDelivery();
    expect((await runImport(folder, '--dry-run')).err).toMatch(/4 titles could be imported: 4 new, 0 that are there\./);
    expect(await listTitles()).toHaveLength(0);
    await runImport(folder, '--price', '1EUR', '--category', 'Both');
    const versionBefore = await readStoreVersion();
    const secondResult = await runImport(folder, '--category', 'Both');
    expect(secondResult.err).toMatch(/Imported 4 titles: 0 new, 0 changed, 4 as before/);
    expect(await readStoreVersion()).toBe(versionBefore);
    expect((await selectTitle(ISBN)).sort_price).toBe(100);
    expect(await listTitles()).toHaveLength(4);
  });
});

test('a changed title is updated, and its previous file stays until the next change', async () => {
  const folder = await createDelivery({ 'a.epub': createEpub({ title: 'First', identifier: `urn:isbn:${ISBN}` }) });
  await runImport(folder, '--price', '2EUR');
  await shop.db.updateTable('titles').set({ popularity: 7, listed: false }).where('store_id', '=', store).execute();
  const [firstFile] = await listTitleFiles(ISBN);
  await writeFile(join(folder, 'a.epub'), createEpub({ title: 'Second', identifier: `urn:isbn:${ISBN}` }));
  expect(parseOutcomes(await runImport(folder))).toEqual({ 'a.epub': 'changed' });
  expect(await selectTitle(ISBN)).toMatchObject({
    name: 'Second',
    sort_price: 200,
    for_sale: true,
    popularity: 7,
    listed: false,
  });
  expect(await listTitleFiles(ISBN)).toHaveLength(2);
  expect(await listTitleFiles(ISBN)).toContain(firstFile);
  await writeFile(join(folder, 'a.epub'), createEpub({ title: 'Third', identifier: `urn:isbn:${ISBN}` }));
  await runImport(folder);
  expect(await listTitleFiles(ISBN)).toHaveLength(2);
  expect(await listTitleFiles(ISBN)).not.toContain(firstFile);
});

test('a free book is acquired and read from the shop', async () => {
  const folder = await createDelivery({ 'a.epub': createEpub({ identifier: `urn:isbn:${ISBN}`, words: 'Read me.' }) });
  expect((await runImport(folder, '--price', '0EUR')).code).toBe(0);
  const customer = await createCustomer(shop, store);
  const purchase = await shop.call('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId: ISBN } });
  const { InstanceId: _none, instanceId } = purchase.value as { InstanceId?: string; instanceId: string };
  const viewerResponse = await shop.call('viewerUrl', '/viewer/url', {
    query: { ...customer.query, instanceid: instanceId, content: '1' },
  });
  const { url } = viewerResponse.value as { url: string };
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
  const result = await runImport(folder, '--price', '0EUR');
  expect(parseOutcomes(result)).toEqual({ 'Quays.m4b': 'new', 'Whole.m4b': 'new' });
  expect(parseOutcomes(await runImport(folder))).toEqual({ 'Quays.m4b': 'unchanged', 'Whole.m4b': 'unchanged' });
  const customer = await createCustomer(shop, store);
  const readItems = async (name: string) => {
    const [title] = await listTitles({ search: name });
    await shop.call('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId: title?.TitleId } });
    const { value } = await shop.call('viewerComponents', '/viewer/components', {
      query: { ...customer.query, titleid: title?.TitleId },
    });
    return (value as { items: { chapters?: { name: string; seconds: number }[] }[] }).items;
  };
  expect(await readItems('Quays')).toMatchObject([
    {
      chapters: [
        { name: 'Low water', seconds: 0 },
        { name: '2', seconds: 2.5 },
        { name: 'The quay', seconds: 4 },
      ],
    },
  ]);
  const [wholeItem] = await readItems('Whole');
  expect(wholeItem?.chapters).toBeUndefined();
});

test('two servers with one database and media folder serve each other’s imports, and keep each other’s files', async () => {
  const { app } = await createServer({
    db: shop.db,
    config: shop.services.config,
    payment: shop.gateway.port,
    logLevel: 'silent',
  });
  try {
    await app.listen({ port: 0, host: '127.0.0.1' });
    const [firstOrigin, secondOrigin] = [shop.app, app].map(
      ({ server }) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    );
    const folder = await createDelivery({ 'a.epub': createEpub({ identifier: `urn:isbn:${ISBN}`, words: 'Read me.' }) });
    const importAt = (origin = '') =>
      runStoreCommand(['import', folder, '--store', store, '--shop', origin, '--json', '--price', '0EUR'], { ADMIN_TOKEN });
    const results = await Promise.all([importAt(firstOrigin), importAt(secondOrigin)]);
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    expect(new Set(results.map((each) => parseOutcomes(each)['a.epub']))).toEqual(new Set(['new', 'unchanged']));
    expect(await listTitleFiles(ISBN)).toHaveLength(1);
    expect(await listTitles()).toHaveLength(1);
    await writeFile(join(folder, 'a.epub'), createEpub({ identifier: `urn:isbn:${ISBN}`, words: 'Read me again.' }));
    expect(parseOutcomes(await importAt(secondOrigin))).toEqual({ 'a.epub': 'changed' });
    const customer = await createCustomer(shop, store);
    const purchase = await shop.call('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId: ISBN } });
    const { instanceId } = purchase.value as { instanceId: string };
    const viewerResponse = await shop.call('viewerUrl', '/viewer/url', {
      query: { ...customer.query, instanceid: instanceId, content: '1' },
    });
    const page = (viewerResponse.value as { url: string }).url.replace('manifest.json', 'OPS/one.xhtml');
    expect((await shop.app.inject(page)).body).toContain('Read me again.');
    expect((await app.inject(page)).body).toContain('Read me again.');
  } finally {
    await app.close();
  }
});

test('a book is recognised by its identifier in any folder, and a file without an identifier by its path', async () => {
  const pdf = await readFile(join(demoMedia, '1016/book.pdf'));
  const folder = await createDelivery({
    'a.epub': createEpub({ identifier: 'urn:uuid:f86268a4-683a-4bba-acf1-f78e8e39e580' }),
    'x/paper.pdf': pdf,
  });
  await runImport(folder);
  await mkdir(join(folder, 'y'));
  await cp(join(folder, 'a.epub'), join(folder, 'y', 'b.epub'));
  await rm(join(folder, 'a.epub'));
  await writeFile(join(folder, 'x/paper.pdf'), Buffer.concat([pdf, Buffer.from('\n')]));
  expect(parseOutcomes(await runImport(folder))).toEqual({ 'y/b.epub': 'unchanged', 'x/paper.pdf': 'changed' });
  expect(await listTitles()).toHaveLength(2);
});

test('a file with the identifier of another file is reported, and does not replace the title', async () => {
  const folder = await createDelivery({
    'a.epub': createEpub({ title: 'One', identifier: `urn:isbn:${ISBN}` }),
    'b.epub': createEpub({ title: 'Other', identifier: `urn:isbn:${ISBN}` }),
  });
  const result = await runImport(folder);
  expect(result.code).toBe(1);
  expect(result.err).toContain(`b.epub: it is the same title as a.epub (isbn:${ISBN}).`);
  expect((await selectTitle(ISBN)).name).toBe('One');
});

test('placeholder identifiers that programs give every book are ignored', async () => {
  const placeholder = '00000000-0000-0000-0000-000000000000';
  const folder = await createDelivery({
    'a.epub': createEpub({ title: 'One', identifier: `urn:uuid:${placeholder}` }),
    'b.epub': createEpub({ title: 'Two', identifier: `urn:uuid:${placeholder}` }),
    'c.epub': createEpub({ title: 'Three', identifier: 'bookid-1' }),
  });
  expect((await runImport(folder)).err).toMatch(/Imported 3 titles: 3 new/);
});

test.each([
  ['a path out of the container', { extraEntries: [{ name: '../../evil', content: 'x' }] }, 'path outside the container'],
  ['a zip bomb', { extraEntries: [{ name: 'big', content: Buffer.alloc(8_000_000) }] }, 'has an implausible compression ratio'],
  [
    'copy protection',
    {
      extraEntries: [
        {
          name: 'META-INF/encryption.xml',
          content:
            '<encryption><EncryptedData><EncryptionMethod Algorithm="http://ns.adobe.com/adept/xmlenc"/><CipherData><CipherReference URI="OPS/one.xhtml"/></CipherData></EncryptedData></encryption>',
        },
      ],
    },
    'copy-protected',
  ],
])('a book with %s is refused', async (_, epubOptions, message) => {
  const result = await runImport(
    await createDelivery({ 'a.epub': createEpub(epubOptions), 'b.epub': createEpub({ identifier: 'urn:test:good-one' }) }),
  );
  expect(result.err).toContain(message);
  expect(parseOutcomes(result)).toEqual({ 'a.epub': 'failed', 'b.epub': 'new' });
});

test('names with control characters do not reach the terminal, and ids do not leave the folder', async () => {
  const folder = await createDelivery({
    'a\u001b[2J\nb.epub': 'no book',
    '..b.epub': 'x',
    'ﬁve & <six>.epub': createEpub({ title: 'Five', identifier: '../../../five' }),
  });
  const result = await runImport(folder);
  expect(result.err).toContain('a\uFFFD[2J\uFFFDb.epub: not a zip container');
  expect(result.err).not.toContain('\u001b');
  const [{ TitleId } = { TitleId: '' }] = await listTitles();
  expect(TitleId).toMatch(/^t[0-9a-f]{20}$/);
});

test('a title without a price is shown but not sold, and reported', async () => {
  const result = await runImport(await createDelivery({ 'a.epub': createEpub() }));
  expect(result.err).toMatch(/1 new title without a price: not for sale until/);
  expect(await listTitles()).toMatchObject([{ ForSale: false }]);
});

test.each([
  [['import'], 2, /missing required argument 'FOLDER'/],
  [['import', '--dry-run'], 2, /missing required argument 'FOLDER'/],
  [['import', '/nowhere/at/all', '--shop', 'http://127.0.0.1:1'], 1, /The folder \/nowhere\/at\/all does not exist/],
  [['import', tmpdir(), '--price', 'cheap', '--shop', 'http://127.0.0.1:1'], 1, /--price: expected an amount with its currency/],
])('the command %j ends with a readable message', async (args, code, message) => {
  const result = await runStoreCommand(args, { ADMIN_TOKEN });
  expect([result.code, result.out]).toEqual([code, '']);
  expect(result.err).toMatch(message);
});

test('an import to a shop that does not answer ends with a message', async () => {
  const folder = await createDelivery({ 'a.epub': createEpub() });
  const result = await runStoreCommand(['import', folder, '--shop', 'http://127.0.0.1:1'], { ADMIN_TOKEN });
  expect(result).toEqual({ code: 1, out: '', err: 'The shop at http://127.0.0.1:1 does not answer.\n' });
});

test('an import without a running shop is written to the shop’s own folder', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'colophon-own-'));
  const database = await openDatabase({ kind: 'folder', folder: dataFolder });
  await saveStore(database.db, { ...makeStore('quay'), titles: [] });
  await database.close();
  const folder = await createDelivery({ 'a.epub': createEpub({ identifier: `urn:isbn:${ISBN}` }) });
  const result = await runStoreCommand(['import', folder], { DATA_DIR: dataFolder });
  expect(result.err).toMatch(/Imported 1 title: 1 new/);
  expect(await readdir(join(dataFolder, 'media', 'quay', ISBN))).toHaveLength(1);
  await rm(dataFolder, { recursive: true, force: true });
});
