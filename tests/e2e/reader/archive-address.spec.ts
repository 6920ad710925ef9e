import { createArchive, openArchive, pageXhtml } from './support/archived-book.ts';
import { expect, test } from './support/fixtures.ts';

/** Stores that serve a book as one file, and refuse missing files. */

test.beforeEach(({ book, server }) => book.page.goto(server.blobPolicyUrl));

for (const status of [401, 403])
  test(`a file store that answers ${status} for missing files delivers its book`, async ({ book }) => {
    await book.page.route('**/store/book.epub/**', (route) => route.fulfill({ status, body: '<Error/>' }));
    const facts = await openArchive(
      book,
      createArchive([{ name: 'a.xhtml', content: pageXhtml('<p>Stay.</p>') }]),
      '/store/book.epub',
    );
    expect(facts.at(-1)).toMatchObject({ type: 'book.moved', locator: { href: 'a.xhtml' } });
  });

test('a file that its store denies has expired', async ({ book }) => {
  await book.page.route('**/store/book.epub{,/**}', (route) => route.fulfill({ status: 403, body: '<Error/>' }));
  await book.page.evaluate(() => {
    const look = { fontScale: 1, theme: 'light' } as const;
    window.reader.openBook({ medium: 'epub', url: `${location.origin}/store/book.epub`, start: null, look });
  });
  await expect.poll(() => book.facts()).toEqual([{ type: 'book.expired' }]);
});
