import { createArchive, openArchive, createPageXhtml } from './support/archived-book.ts';
import { expect, test } from './support/fixtures.ts';

/** File stores that serve a book as one file and refuse requests for missing files. */

test.beforeEach(({ book, server }) => book.page.goto(server.blobPolicyUrl));

for (const status of [401, 403])
  test(`a book opens from a file store that answers ${status} for missing files`, async ({ book }) => {
    await book.page.route('**/store/book.epub/**', (route) => route.fulfill({ status, body: '<Error/>' }));
    const facts = await openArchive(
      book,
      createArchive([{ name: 'a.xhtml', content: createPageXhtml('<p>Stay.</p>') }]),
      '/store/book.epub',
    );
    expect(facts.at(-1)).toMatchObject({ type: 'book.moved', locator: { href: 'a.xhtml' } });
  });

test('a file that the file store denies is reported as expired', async ({ book }) => {
  await book.page.route('**/store/book.epub{,/**}', (route) => route.fulfill({ status: 403, body: '<Error/>' }));
  await book.page.evaluate(() => {
    const look = { fontScale: 1, theme: 'light' } as const;
    window.reader.openBook({ medium: 'epub', url: `${location.origin}/store/book.epub`, start: null, look });
  });
  await expect.poll(() => book.readFacts()).toEqual([{ type: 'book.expired' }]);
});
