import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { Agent, fetch as fetchBy } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { languages } from '../../../machines/model/store/language-names.ts';
import { createServer } from '../../../server/app.ts';
import type { ServerConfig } from '../../../server/base/config.ts';
import { readCertificate } from '../../../server/settings/tls.ts';
import { warmUpPages } from '../../../server/web/warm-up-pages.ts';
import { createCertificate } from '../support/own-certificate.ts';
import { openPages } from '../support/pages.ts';

/**
 * A program that renders the landing page, a recording and, slowly, unknown addresses. It throws
 * for the list, has no screen for other titles, exits its thread for audiobooks, blocks it for
 * films, gets no response to its first call for the terms and the plans, retries for privacy, and
 * never settles elsewhere. It records when it is loaded, and the addresses to render.
 */
const renderProgram = `
  import { appendFileSync } from 'node:fs';
  const note = (what) => appendFileSync(new URL('notes', import.meta.url), what + '\\n');
  note('loaded');
  const painted = { html: '<p>Painted</p>', preloads: [], styles: [], answers: [], changesAt: [], firstTitle: null, next: null };
  const calls = { '/terms': ['/none'], '/subscription': ['/none'] };
  export async function render({ pathname }, call) {
    note(pathname);
    if (pathname === '/') return { ...painted, firstTitle: '/id:book' };
    if (pathname.includes('nowhere')) return new Promise((resolve) => setTimeout(() => resolve(painted), 100));
    if (pathname === '/all') throw new Error('This breaks.');
    if (pathname === '/id:sound') return painted;
    if (pathname.startsWith('/id:')) return null;
    if (pathname === '/audio') process.exit();
    if (pathname === '/video') for (;;);
    const next = calls[pathname]?.shift() ?? '/api/store/properties';
    if (pathname === '/terms') return call({ path: next, language: 'en' }).then(() => painted, () => null);
    const ask = () => call({ path: '/api/store/properties', language: 'en' });
    if (pathname === '/privacy') return ask().catch(ask).then(() => painted);
    if (pathname === '/subscription') return call({ path: next, language: 'en' }).then(() => painted, () => painted);
    return new Promise(() => {});
  }
`;

const adminToken = 'the token of its operator';

const openPagesWith = async (config: Partial<ServerConfig>) => {
  const pages = await openPages({ adminToken, ...config }, renderProgram);
  onTestFinished(() => pages.close());
  const { shop } = pages;
  await shop.store({ host: 'painted.example' });
  const notes = (): string[] => readFileSync(join(shop.services.config.distFolder ?? '', 'ssr', 'notes'), 'utf8').split('\n');
  const pageAt = (path: string) => pages.head('painted.example', path);
  return {
    shop,
    pageAt,
    isRendered: async (path: string): Promise<boolean> => (await pageAt(path)).html.includes('Painted'),
    /** How often the program was loaded. */
    loads: () => notes().filter((note) => note === 'loaded').length,
    /** The addresses that it was to render. */
    tried: () => notes().filter((note) => note.startsWith('/')),
    warmUpPages: async () => {
      if (shop.pageRenderer)
        await warmUpPages(shop.app, shop.pageRenderer, 'http://painted.example', new AbortController().signal);
    },
    counts: (token = adminToken) =>
      shop.app.inject({ url: '/admin/ssr', headers: { authorization: `Bearer ${token}`, accept: 'application/json' } }),
  };
};

const noOutcomes = { rendered: 0, cached: 0, late: 0, notRenderable: 0, failed: 0, refused: 0 };

test('only an operator can read the counts of rendering outcomes', async () => {
  const { isRendered, counts, tried } = await openPagesWith({ ssr: 'always' });
  expect((await counts()).json()).toEqual(noOutcomes);
  expect((await counts('some other token')).statusCode).toBe(401);
  for (const path of ['/', '/', '/?utm_source=letter']) expect(await isRendered(path)).toBe(true);
  for (const path of ['/all', '/all', '/id:book', '/id:book']) expect(await isRendered(path)).toBe(false);
  // These are never rendered.
  for (const path of ['/signin', '/all?code=SECRET']) expect(await isRendered(path)).toBe(false);
  expect((await counts()).json()).toEqual({ ...noOutcomes, rendered: 1, cached: 2, failed: 2, notRenderable: 2 });
  // A page that failed or cannot be rendered is not retried at once.
  expect(tried()).toEqual(['/', '/all', '/id:book']);
});

/**
 * Longer than the pause after a failure from outside, and shorter than that after an error of the
 * page.
 */
const pollOptions = { timeout: 8_000 };

test('a page that cannot be rendered without a response is retried soon, but not at once', async () => {
  const { isRendered, tried } = await openPagesWith({ ssr: 'always' });
  expect([await isRendered('/terms'), await isRendered('/terms')]).toEqual([false, false]);
  expect(tried()).toEqual(['/terms']);
  await expect.poll(() => isRendered('/terms'), pollOptions).toBe(true);
  expect(tried()).toEqual(['/terms', '/terms']);
});

test('a page with a missing response is cached for two seconds, one whose retry succeeded as long as any other', async () => {
  const { shop, isRendered, tried } = await openPagesWith({ ssr: 'always' });
  const usual = shop.app.inject.bind(shop.app) as (request: InjectOptions) => Promise<LightMyRequestResponse>;
  let breaks = true;
  const once = vi.spyOn(shop.app, 'inject').mockImplementation((async (request: InjectOptions) => {
    if (breaks && request.url === '/api/store/properties') {
      breaks = false;
      throw new Error('The response is lost.');
    }
    return usual(request);
  }) as typeof shop.app.inject);
  onTestFinished(() => once.mockRestore());
  expect(await isRendered('/privacy')).toBe(true);
  expect(breaks).toBe(false);
  expect([await isRendered('/subscription'), await isRendered('/subscription')]).toEqual([true, true]);
  expect(tried()).toEqual(['/privacy', '/subscription']);
  const triedSoon = async () => (await isRendered('/subscription')) && tried().length;
  await expect.poll(triedSoon, pollOptions).toBe(3);
  // The second render had all its responses.
  expect(await triedSoon()).toBe(3);
  expect(await isRendered('/privacy')).toBe(true);
  expect(tried()).toEqual(['/privacy', '/subscription', '/subscription']);
});

test('a page is rendered again soon after the database is reachable', async () => {
  const { shop, isRendered } = await openPagesWith({ ssr: 'always' });
  const { db } = shop.services;
  const usual = db.selectFrom.bind(db);
  const select = vi.spyOn(db, 'selectFrom').mockImplementation((table) => {
    if (table === 'titles') throw new Error('The database is unreachable.');
    return usual(table);
  });
  expect(await isRendered('/id:sound')).toBe(false);
  select.mockRestore();
  await expect.poll(() => isRendered('/id:sound'), pollOptions).toBe(true);
});

test('the landing page and a title are prerendered in every language before the first visit', async () => {
  const { isRendered, counts, warmUpPages } = await openPagesWith({ ssr: 'on' });
  await warmUpPages();
  const each = languages.length;
  const ahead = { ...noOutcomes, rendered: each, failed: each, notRenderable: each };
  expect((await counts()).json()).toEqual(ahead);
  expect(await isRendered('/')).toBe(true);
  expect((await counts()).json()).toEqual({ ...ahead, cached: 1 });
});

test('pages that no request can wait for are rendered for the next visit', async () => {
  const { isRendered, counts } = await openPagesWith({ ssr: 'on' });
  // Until the thread is ready and idle.
  await expect.poll(() => isRendered('/'), { timeout: 10_000 }).toBe(true);
  const before = (await counts()).json<typeof noOutcomes>();
  // One to four are rendered, by the number of processors, and eight are queued.
  const addresses = Array.from({ length: 20 }, (_, n) => `/ebook?author=${n}`);
  expect(await Promise.all(addresses.map(isRendered))).not.toContain(true);
  const { late, refused, ...others } = (await counts()).json<typeof noOutcomes>();
  expect({ ...others, late: before.late, refused: 0 }).toEqual(before);
  expect(late - before.late + refused).toBe(20);
  expect(refused).toBeGreaterThanOrEqual(8);
  expect(refused).toBeLessThanOrEqual(11);
});

test('a rendered 404 page is cached for a while, too', async () => {
  const { pageAt, counts, tried } = await openPagesWith({ ssr: 'always' });
  for (let time = 0; time < 3; time++) {
    const { status, html } = await pageAt('/nowhere?utm_source=letter');
    expect([status, html.includes('Painted')]).toEqual([404, true]);
  }
  expect(tried()).toEqual(['/nowhere']);
  expect((await counts()).json()).toEqual({ ...noOutcomes, rendered: 1, cached: 2 });
});

test('many unknown addresses do not delay other pages', async () => {
  const { isRendered, pageAt, counts } = await openPagesWith({ ssr: 'always' });
  const addresses = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? `/nowhere-${n}` : `/all/nowhere-${n}`));
  const [found, ...lost] = await Promise.all([isRendered('/'), ...addresses.map(pageAt)]);
  expect(found).toBe(true);
  expect(new Set(lost.map(({ status }) => status))).toEqual(new Set([404]));
  // One at a time; another one starts only if the first finished before the last request came.
  const rendered = lost.filter(({ html }) => html.includes('Painted')).length;
  expect(rendered).toBeGreaterThanOrEqual(1);
  expect(rendered).toBeLessThanOrEqual(3);
  expect((await counts()).json()).toEqual({ ...noOutcomes, rendered: 1 + rendered, refused: addresses.length - rendered });
});

test.each([
  ['exits its thread', '/audio'],
  ['blocks its thread', '/video'],
])('a page that %s is sent plain; a new thread starts, and the next page is rendered', async (_what, path) => {
  const { shop, isRendered, loads, tried, counts } = await openPagesWith({ ssr: 'always' });
  await shop.pageRenderer?.whenIdle();
  const before = loads();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const page = isRendered(path);
  await expect.poll(tried, { timeout: 10_000 }).toEqual([path]);
  vi.advanceTimersByTime(20_000);
  expect(await page).toBe(false);
  vi.useRealTimers();
  await expect.poll(loads, { timeout: 10_000 }).toBe(before + 1);
  expect(await isRendered('/')).toBe(true);
  expect(await isRendered(path)).toBe(false);
  expect([tried(), loads()]).toEqual([[path, '/'], before + 1]);
  expect((await counts()).json()).toEqual({ ...noOutcomes, rendered: 1, failed: 2 });
});

test('a visitor by HTTPS gets the pages that were prerendered at startup', async () => {
  const { shop } = await openPagesWith({ ssr: 'always' });
  const folder = await mkdtemp(join(tmpdir(), 'colophon-ssr-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { files, text: ca } = await createCertificate(folder);
  const { db, config, payment } = shop.services;
  const { app, pageRenderer } = await createServer({
    db,
    config,
    payment,
    logLevel: 'silent',
    certificate: readCertificate(files),
  });
  onTestFinished(() => app.close());
  await shop.store({ host: 'localhost' });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const origin = `https://localhost:${(app.server.address() as AddressInfo).port}`;
  if (pageRenderer) await warmUpPages(app, pageRenderer, origin, new AbortController().signal);
  const ahead = pageRenderer?.counts().rendered;
  const dispatcher = new Agent({ connect: { ca } });
  onTestFinished(() => dispatcher.close());
  const cached = pageRenderer?.counts().cached ?? 0;
  const answer = await fetchBy(origin, { dispatcher, headers: { accept: 'text/html' } });
  expect(await answer.text()).toContain('Painted');
  expect(pageRenderer?.counts()).toMatchObject({ rendered: ahead, cached: cached + 1 });
});
