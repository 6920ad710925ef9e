import { hasRealFiles, realFilePath } from '../../server/publication/support/real-books.ts';
import { expect, test } from './support/fixtures.ts';

test.skip(!hasRealFiles, 'the real titles are not beside the project');

test('a book full of scripts runs none and sends no requests', async ({ book, server, context }) => {
  const calls: string[] = [];
  // All requests of the browser, not only those that the page reports.
  await context.route(
    (url) => url.origin !== server.url,
    (route) => {
      calls.push(route.request().url());
      return route.abort();
    },
  );
  const reached = () => book.page.evaluate(() => '__pwn' in window);
  await book.open(realFilePath('hostile', 'evil.epub'));
  const page = book.frames().find((frame) => frame.url().endsWith('/a.xhtml'));
  await expect(page?.locator('#s') ?? book.page.locator('#missing')).toHaveText('no script');
  await page?.locator('#jl').click();
  while (!(await book.ended())) await book.turn('next');
  await book.page.waitForLoadState('networkidle');
  expect(await reached()).toBe(false);
  expect(calls).toEqual([]);
});

for (const [name, code] of [
  ['bomb.epub', 'book_too_large'],
  ['trav.epub', 'broken_book'],
  ['fullpath.epub', 'broken_book'],
] as const) {
  test(`${name} fails with the server's reason`, async ({ page, server }) => {
    await page.goto('/');
    const url = server.mediaUrl(realFilePath('hostile', name));
    await page.evaluate((address) => {
      window.reader.openBook({ medium: 'epub', url: address, start: null, look: { fontScale: 1, theme: 'light' } });
    }, url);
    await expect
      .poll(() => page.evaluate(() => window.reader.facts))
      .toEqual([{ type: 'book.failed', problem: { kind: 'refused', code, message: expect.any(String) } }]);
  });
}

test('a URL refused twice fails as refused, an unreachable server as offline', async ({ page, server }) => {
  await page.goto('/');
  const problemAt = async (url: string): Promise<unknown> => {
    await page.evaluate((address) => {
      window.reader.openBook({ medium: 'epub', url: address, start: null, look: { fontScale: 1, theme: 'light' } });
    }, url);
    await page.waitForFunction(() => window.reader.facts.length > 0);
    return page.evaluate(() => window.reader.facts);
  };
  expect(await problemAt(`${server.url}/media/abc.def/book.epub`)).toEqual([{ type: 'book.expired' }]);
  await page.evaluate((url) => window.reader.send({ type: 'book.renewed', url }), `${server.url}/media/abc.ghi/book.epub`);
  await expect
    .poll(() => page.evaluate(() => window.reader.facts))
    .toMatchObject([{ type: 'book.expired' }, { type: 'book.failed', problem: { kind: 'refused', code: 'media_denied' } }]);
  await page.route('**/media/**', (route) => route.abort('connectionrefused'));
  expect(await problemAt(`${server.url}/media/abc.def/book.epub`)).toEqual([
    { type: 'book.failed', problem: { kind: 'offline' } },
  ]);
});

test('a book closed before its first page has loaded leaves no element and no timer', async ({ page, server }) => {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto('/');
  await page.route('**/*.xhtml', () => undefined);
  await page.evaluate(
    (address) => {
      window.reader.openBook({ medium: 'epub', url: address, start: null, look: { fontScale: 1, theme: 'light' } });
    },
    server.mediaUrl(realFilePath('epub', 'wasteland.epub')),
  );
  await expect(page.locator('#mount-point > *')).toHaveCount(1);
  await page.evaluate(() => window.reader.close());
  await expect(page.locator('#mount-point > *')).toHaveCount(0);
  expect(await page.evaluate(() => window.reader.facts)).toEqual([]);
  expect(errors).toEqual([]);
});
