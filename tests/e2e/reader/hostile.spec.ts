import { hasRealFiles, getRealFilePath } from '../../server/publication/support/real-books.ts';
import { expect, test } from './support/fixtures.ts';

test.skip(!hasRealFiles, 'the real titles are not beside the project');

test('a hostile book runs no script and sends no external request', async ({ book, server, context }) => {
  const externalRequests: string[] = [];
  // All requests of the browser, not only those that the page reports.
  await context.route(
    (url) => url.origin !== server.url,
    (route) => {
      externalRequests.push(route.request().url());
      return route.abort();
    },
  );
  const hasScriptRun = () => book.page.evaluate(() => '__pwn' in window);
  await book.open(getRealFilePath('hostile', 'evil.epub'));
  const page = book.getPageFrames().find((frame) => frame.url().endsWith('/a.xhtml'));
  await expect(page?.locator('#s') ?? book.page.locator('#missing')).toHaveText('no script');
  await page?.locator('#jl').click();
  while (!(await book.hasEnded())) await book.turn('next');
  await book.page.waitForLoadState('networkidle');
  expect(await hasScriptRun()).toBe(false);
  expect(externalRequests).toEqual([]);
});

for (const [name, code] of [
  ['bomb.epub', 'book_too_large'],
  ['trav.epub', 'broken_book'],
  ['fullpath.epub', 'broken_book'],
] as const) {
  test(`${name} fails with the code ${code}`, async ({ page, server }) => {
    await page.goto('/');
    const url = server.mediaUrl(getRealFilePath('hostile', name));
    await page.evaluate((bookUrl) => {
      window.reader.openBook({ medium: 'epub', url: bookUrl, start: null, look: { fontScale: 1, theme: 'light' } });
    }, url);
    await expect
      .poll(() => page.evaluate(() => window.reader.facts))
      .toEqual([{ type: 'book.failed', problem: { kind: 'refused', code, message: expect.any(String) } }]);
  });
}

test('a book fails as refused if its renewed URL is refused too, and as offline if the server is unreachable', async ({
  page,
  server,
}) => {
  await page.goto('/');
  const openAndReadFacts = async (url: string): Promise<unknown> => {
    await page.evaluate((bookUrl) => {
      window.reader.openBook({ medium: 'epub', url: bookUrl, start: null, look: { fontScale: 1, theme: 'light' } });
    }, url);
    await page.waitForFunction(() => window.reader.facts.length > 0);
    return page.evaluate(() => window.reader.facts);
  };
  expect(await openAndReadFacts(`${server.url}/media/abc.def/book.epub`)).toEqual([{ type: 'book.expired' }]);
  await page.evaluate((url) => window.reader.send({ type: 'book.renewed', url }), `${server.url}/media/abc.ghi/book.epub`);
  await expect
    .poll(() => page.evaluate(() => window.reader.facts))
    .toMatchObject([{ type: 'book.expired' }, { type: 'book.failed', problem: { kind: 'refused', code: 'media_denied' } }]);
  await page.route('**/media/**', (route) => route.abort('connectionrefused'));
  expect(await openAndReadFacts(`${server.url}/media/abc.def/book.epub`)).toEqual([
    { type: 'book.failed', problem: { kind: 'offline' } },
  ]);
});

test('a book closed before its first page has loaded leaves no element and reports no event', async ({ page, server }) => {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto('/');
  await page.route('**/*.xhtml', () => undefined);
  await page.evaluate(
    (bookUrl) => {
      window.reader.openBook({ medium: 'epub', url: bookUrl, start: null, look: { fontScale: 1, theme: 'light' } });
    },
    server.mediaUrl(getRealFilePath('epub', 'wasteland.epub')),
  );
  await expect(page.locator('#mount-point > *')).toHaveCount(1);
  await page.evaluate(() => window.reader.close());
  await expect(page.locator('#mount-point > *')).toHaveCount(0);
  expect(await page.evaluate(() => window.reader.facts)).toEqual([]);
  expect(errors).toEqual([]);
});
