import { getRealFilePath, listRealFiles, hasRealFiles } from '../../server/publication/support/real-books.ts';
import { createBook } from './support/small-book.ts';
import { type BookDriver, expect, test } from './support/fixtures.ts';

/** Books that are served as one file each, without a manifest. */

test.skip(!hasRealFiles, 'the real titles are not beside the project');
test.beforeEach(async ({ book, server }) => {
  await book.page.goto(server.blobPolicyUrl);
});

for (const { name, file } of listRealFiles('epub'))
  test(`${name} opens from its file with the contents of its manifest and reopens at the saved position`, async ({
    book,
    server,
  }) => {
    const contents = await book.open(file);
    const manifestLocator = await book.readLocator();
    await book.close();
    const url = server.fileUrl(file);
    const fileContents = await book.open(file, { url });
    expect(fileContents.length).toBe(contents.length);
    expect((await book.readLocator()).href).toBe(decodeURI(manifestLocator.href));
    const progressions = [(await book.readLocator()).totalProgression];
    while (progressions.length < 5 && !(await book.hasEnded())) {
      const { totalProgression } = await book.turn('next');
      if (!(await book.hasEnded())) progressions.push(totalProgression);
    }
    expect(progressions, 'each turn moves forward').toEqual([...new Set(progressions)].toSorted((a, b) => a - b));
    const savedLocator = await book.readLocator();
    await book.close();
    await book.open(file, { url, start: savedLocator });
    const reopenedLocator = await book.readLocator();
    expect(reopenedLocator.href).toBe(savedLocator.href);
    expect(Math.abs(reopenedLocator.totalProgression - savedLocator.totalProgression)).toBeLessThan(0.01);
  });

test('a hostile book in one file runs no script and sends no external request', async ({ book, server, context }) => {
  const externalRequests: string[] = [];
  await context.route(
    (url) => url.origin !== server.url && url.protocol !== 'blob:',
    (route) => {
      externalRequests.push(route.request().url());
      return route.abort();
    },
  );
  await book.open('evil.epub', { url: server.fileUrl(getRealFilePath('hostile', 'evil.epub')) });
  while (!(await book.hasEnded())) {
    for (const frame of book.page.frames()) {
      expect(await frame.evaluate(() => '__pwn' in window)).toBe(false);
      const scriptable = '[onload], [onclick], [onerror], base';
      const forbidden = frame === book.page.mainFrame() ? scriptable : `script, ${scriptable}`;
      await expect(frame.locator(forbidden), frame.url()).toHaveCount(0);
    }
    await book.turn('next');
  }
  await book.page.waitForLoadState('networkidle');
  expect(externalRequests).toEqual([]);
});

/**
 * Serves these bytes as a book and opens it. @returns its events until it is shown or has failed
 */
const openAndReadFacts = async (book: BookDriver, body: Buffer | string) => {
  const { page } = book;
  await page.route('**/small?signature=1', (route) => route.fulfill({ body, contentType: 'application/epub+zip' }));
  await page.evaluate(() => {
    const look = { fontScale: 1, theme: 'light' } as const;
    window.reader.openBook({ medium: 'epub', url: `${location.origin}/small?signature=1`, start: null, look });
  });
  await page.waitForFunction(() => window.reader.facts.some(({ type }) => type === 'book.failed' || type === 'book.moved'));
  return book.readFacts();
};

const createRefusedFact = (code: string) => ({ type: 'book.failed', problem: { kind: 'refused', code } });

test('a file that cannot be opened fails as broken, protected or without chapters', async ({ book }) => {
  for (const [body, code] of [
    ['<h1>Welcome</h1>', 'broken_book'],
    ['PK and nothing behind it', 'broken_book'],
    [createBook(['one'], { more: [{ name: 'META-INF/rights.xml', content: '<rights/>' }] }), 'book_protected'],
    [createBook(['one'], { body: { one: ' '.repeat(65 * 2 ** 20) } }), 'no_chapter'],
  ] as const)
    expect((await openAndReadFacts(book, body)).at(-1), code).toMatchObject(createRefusedFact(code));
});

test('a missing chapter is skipped and reported', async ({ book }) => {
  const facts = await openAndReadFacts(book, createBook(['one', 'two'], { missing: ['one'] }));
  expect(facts).toContainEqual({ type: 'book.skipped', problem: expect.objectContaining({ code: 'not_found' }) });
  expect((await book.readLocator()).href).toBe('two.xhtml');
});

test('a link within the book reports its target, an external link opens a new window', async ({ book, context }) => {
  const body = { one: '<a href="two.xhtml#end">on</a> <a href="https://elsewhere.example/">out</a>', two: '<p id="end">end</p>' };
  await openAndReadFacts(book, createBook(['one', 'two'], { body }));
  const [shownFrame] = book.page.frames().filter((frame) => frame.url().startsWith('blob:'));
  await context.route('https://elsewhere.example/', (route) => route.fulfill({ body: 'Elsewhere' }));
  const newPagePromise = context.waitForEvent('page');
  await shownFrame?.getByText('out').click();
  await expect((await newPagePromise).locator('body')).toHaveText('Elsewhere');
  await shownFrame?.getByText('on', { exact: true }).click();
  await expect
    .poll(async () => (await book.readFacts()).findLast(({ type }) => type === 'book.linkPressed'))
    .toEqual({ type: 'book.linkPressed', href: 'two.xhtml#end' });
});
