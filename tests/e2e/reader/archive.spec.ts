import { realFilePath, listRealFiles, hasRealFiles } from '../../server/publication/support/real-books.ts';
import { createBook } from './support/small-book.ts';
import { type BookDriver, expect, test } from './support/fixtures.ts';

/** Books that are served as one file each, without a manifest. */

test.skip(!hasRealFiles, 'the real titles are not beside the project');
test.beforeEach(async ({ book, server }) => {
  await book.page.goto(server.blobPolicyUrl);
});

for (const { name, file } of listRealFiles('epub'))
  test(`${name} opens from its file with the contents of its manifest, turns, and reopens at its place`, async ({
    book,
    server,
  }) => {
    const contents = await book.open(file);
    const whole = await book.locator();
    await book.close();
    const url = server.fileUrl(file);
    const inFile = await book.open(file, { url });
    expect(inFile.length).toBe(contents.length);
    expect((await book.locator()).href).toBe(decodeURI(whole.href));
    const places = [(await book.locator()).totalProgression];
    while (places.length < 5 && !(await book.ended())) {
      const { totalProgression } = await book.turn('next');
      if (!(await book.ended())) places.push(totalProgression);
    }
    expect(places, 'each turn moves forward').toEqual([...new Set(places)].toSorted((a, b) => a - b));
    const at = await book.locator();
    await book.close();
    await book.open(file, { url, start: at });
    const again = await book.locator();
    expect(again.href).toBe(at.href);
    expect(Math.abs(again.totalProgression - at.totalProgression)).toBeLessThan(0.01);
  });

test('a book full of scripts runs none, sends no requests and navigates nowhere', async ({ book, server, context }) => {
  const calls: string[] = [];
  await context.route(
    (url) => url.origin !== server.url && url.protocol !== 'blob:',
    (route) => {
      calls.push(route.request().url());
      return route.abort();
    },
  );
  await book.open('evil.epub', { url: server.fileUrl(realFilePath('hostile', 'evil.epub')) });
  while (!(await book.ended())) {
    for (const frame of book.page.frames()) {
      expect(await frame.evaluate(() => '__pwn' in window)).toBe(false);
      expect(await frame.locator('script, [onload], [onclick], [onerror], base').count(), frame.url()).toBe(
        frame === book.page.mainFrame() ? await frame.locator('script').count() : 0,
      );
    }
    await book.turn('next');
  }
  await book.page.waitForLoadState('networkidle');
  expect(calls).toEqual([]);
});

/** The events of a book whose server answers with these bytes. */
const openAndReadFacts = async (book: BookDriver, body: Buffer | string) => {
  const { page } = book;
  await page.route('**/small?signature=1', (route) => route.fulfill({ body, contentType: 'application/epub+zip' }));
  await page.evaluate(() => {
    const look = { fontScale: 1, theme: 'light' } as const;
    window.reader.openBook({ medium: 'epub', url: `${location.origin}/small?signature=1`, start: null, look });
  });
  await page.waitForFunction(() => window.reader.facts.some(({ type }) => type === 'book.failed' || type === 'book.moved'));
  return book.facts();
};

const bookRefused = (code: string) => ({ type: 'book.failed', problem: { kind: 'refused', code } });

test('an invalid file is damaged, one with a licence protected', async ({ book }) => {
  for (const [body, code] of [
    ['<h1>Welcome</h1>', 'broken_book'],
    ['PK and nothing behind it', 'broken_book'],
    [createBook(['one'], { more: [{ name: 'META-INF/rights.xml', content: '<rights/>' }] }), 'book_protected'],
    [createBook(['one'], { body: { one: ' '.repeat(65 * 2 ** 20) } }), 'no_chapter'],
  ] as const)
    expect((await openAndReadFacts(book, body)).at(-1), code).toMatchObject(bookRefused(code));
});

test('a missing chapter is skipped and reported', async ({ book }) => {
  const facts = await openAndReadFacts(book, createBook(['one', 'two'], { missing: ['one'] }));
  expect(facts).toContainEqual({ type: 'book.skipped', problem: expect.objectContaining({ code: 'not_found' }) });
  expect((await book.locator()).href).toBe('two.xhtml');
});

test('a link opens another chapter of the book, and an external one a new window', async ({ book, context }) => {
  const body = { one: '<a href="two.xhtml#end">on</a> <a href="https://elsewhere.example/">out</a>', two: '<p id="end">end</p>' };
  await openAndReadFacts(book, createBook(['one', 'two'], { body }));
  const [shown] = book.page.frames().filter((frame) => frame.url().startsWith('blob:'));
  await context.route('https://elsewhere.example/', (route) => route.fulfill({ body: 'Elsewhere' }));
  const opening = context.waitForEvent('page');
  await shown?.getByText('out').click();
  await expect((await opening).locator('body')).toHaveText('Elsewhere');
  await shown?.getByText('on', { exact: true }).click();
  await expect
    .poll(async () => (await book.facts()).findLast(({ type }) => type === 'book.linkPressed'))
    .toEqual({ type: 'book.linkPressed', href: 'two.xhtml#end' });
});
