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
 * A program that renders the landing page, one title and, slowly, unknown paths. It throws for the
 * list, has no screen for other titles, exits its thread for audiobooks, blocks it for films, gets
 * no response to its first call for the terms and the plans, retries for privacy, and never settles
 * elsewhere. It records each load of itself, and the paths to render.
 */
const renderProgram = `
  import { appendFileSync } from 'node:fs';
  const note = (text) => appendFileSync(new URL('notes', import.meta.url), text + '\\n');
  note('loaded');
  const screen = { html: '<p>Painted</p>', preloads: [], styles: [], answers: [], changesAt: [], firstTitle: null, next: null };
  const calls = { '/terms': ['/none'], '/subscription': ['/none'] };
  export async function render({ pathname }, call) {
    note(pathname);
    if (pathname === '/') return { ...screen, firstTitle: '/id:book' };
    if (pathname.includes('nowhere')) return new Promise((resolve) => setTimeout(() => resolve(screen), 100));
    if (pathname === '/all') throw new Error('This breaks.');
    if (pathname === '/id:sound') return screen;
    if (pathname.startsWith('/id:')) return null;
    if (pathname === '/audio') process.exit();
    if (pathname === '/video') for (;;);
    const next = calls[pathname]?.shift() ?? '/api/store/properties';
    if (pathname === '/terms') return call({ path: next, language: 'en' }).then(() => screen, () => null);
    const requestProperties = () => call({ path: '/api/store/properties', language: 'en' });
    if (pathname === '/privacy') return requestProperties().catch(requestProperties).then(() => screen);
    if (pathname === '/subscription') return call({ path: next, language: 'en' }).then(() => screen, () => screen);
    return new Promise(() => {});
  }
`;

const adminToken = 'the token of its operator';

const openPagesWith = async (config: Partial<ServerConfig>) => {
  const pages = await openPages({ adminToken, ...config }, renderProgram);
  onTestFinished(() => pages.close());
  const { shop } = pages;
  await shop.store({ host: 'painted.example' });
  const readNotes = (): string[] => readFileSync(join(shop.services.config.distFolder ?? '', 'ssr', 'notes'), 'utf8').split('\n');
  const readPage = (path: string) => pages.fetchHead('painted.example', path);
  return {
    shop,
    readPage,
    isRendered: async (path: string): Promise<boolean> => (await readPage(path)).html.includes('Painted'),
    /** @returns the number of times that the program was loaded */
    countLoads: () => readNotes().filter((note) => note === 'loaded').length,
    /** @returns the paths that the program was to render, in order */
    listTriedPaths: () => readNotes().filter((note) => note.startsWith('/')),
    warmUpPages: async () => {
      if (shop.pageRenderer)
        await warmUpPages(shop.app, shop.pageRenderer, 'http://painted.example', new AbortController().signal);
    },
    readCounts: (token = adminToken) =>
      shop.app.inject({ url: '/admin/ssr', headers: { authorization: `Bearer ${token}`, accept: 'application/json' } }),
  };
};

const noOutcomes = { rendered: 0, cached: 0, late: 0, notRenderable: 0, failed: 0, refused: 0 };

test('only an operator can read the counts of rendering outcomes', async () => {
  const { isRendered, readCounts, listTriedPaths } = await openPagesWith({ ssr: 'always' });
  expect((await readCounts()).json()).toEqual(noOutcomes);
  expect((await readCounts('some other token')).statusCode).toBe(401);
  for (const path of ['/', '/', '/?utm_source=letter']) expect(await isRendered(path)).toBe(true);
  for (const path of ['/all', '/all', '/id:book', '/id:book']) expect(await isRendered(path)).toBe(false);
  // Pages for customers and URLs with secrets are never rendered.
  for (const path of ['/signin', '/all?code=SECRET']) expect(await isRendered(path)).toBe(false);
  expect((await readCounts()).json()).toEqual({ ...noOutcomes, rendered: 1, cached: 2, failed: 2, notRenderable: 2 });
  // A page that failed or cannot be rendered is not retried at once.
  expect(listTriedPaths()).toEqual(['/', '/all', '/id:book']);
});

/**
 * Milliseconds: longer than the pause after a failure from outside, and shorter than the pause
 * after an error of the page.
 */
const pollOptions = { timeout: 8_000 };

test('a page that cannot be rendered without a response is retried soon, but not at once', async () => {
  const { isRendered, listTriedPaths } = await openPagesWith({ ssr: 'always' });
  expect([await isRendered('/terms'), await isRendered('/terms')]).toEqual([false, false]);
  expect(listTriedPaths()).toEqual(['/terms']);
  await expect.poll(() => isRendered('/terms'), pollOptions).toBe(true);
  expect(listTriedPaths()).toEqual(['/terms', '/terms']);
});

test('a page with a missing response is cached for two seconds, and a page with a successful retry as usual', async () => {
  const { shop, isRendered, listTriedPaths } = await openPagesWith({ ssr: 'always' });
  const originalInject = shop.app.inject.bind(shop.app) as (request: InjectOptions) => Promise<LightMyRequestResponse>;
  let losesResponse = true;
  const injectSpy = vi.spyOn(shop.app, 'inject').mockImplementation((async (request: InjectOptions) => {
    if (losesResponse && request.url === '/api/store/properties') {
      losesResponse = false;
      throw new Error('The response is lost.');
    }
    return originalInject(request);
  }) as typeof shop.app.inject);
  onTestFinished(() => injectSpy.mockRestore());
  expect(await isRendered('/privacy')).toBe(true);
  expect(losesResponse).toBe(false);
  expect([await isRendered('/subscription'), await isRendered('/subscription')]).toEqual([true, true]);
  expect(listTriedPaths()).toEqual(['/privacy', '/subscription']);
  const countTriesAfterVisit = async () => (await isRendered('/subscription')) && listTriedPaths().length;
  await expect.poll(countTriesAfterVisit, pollOptions).toBe(3);
  // The second render had all its responses.
  expect(await countTriesAfterVisit()).toBe(3);
  expect(await isRendered('/privacy')).toBe(true);
  expect(listTriedPaths()).toEqual(['/privacy', '/subscription', '/subscription']);
});

test('a page is rendered again soon after the database is reachable', async () => {
  const { shop, isRendered } = await openPagesWith({ ssr: 'always' });
  const { db } = shop.services;
  const originalSelect = db.selectFrom.bind(db);
  const select = vi.spyOn(db, 'selectFrom').mockImplementation((table) => {
    if (table === 'titles') throw new Error('The database is unreachable.');
    return originalSelect(table);
  });
  expect(await isRendered('/id:sound')).toBe(false);
  select.mockRestore();
  await expect.poll(() => isRendered('/id:sound'), pollOptions).toBe(true);
});

test('the landing page is prerendered in every language before the first visit', async () => {
  const { isRendered, readCounts, warmUpPages } = await openPagesWith({ ssr: 'on' });
  await warmUpPages();
  const languageCount = languages.length;
  const expectedCounts = { ...noOutcomes, rendered: languageCount, failed: languageCount, notRenderable: languageCount };
  expect((await readCounts()).json()).toEqual(expectedCounts);
  expect(await isRendered('/')).toBe(true);
  expect((await readCounts()).json()).toEqual({ ...expectedCounts, cached: 1 });
});

test('pages that no request can wait for are rendered for the next visit', async () => {
  const { isRendered, readCounts } = await openPagesWith({ ssr: 'on' });
  // Waits until the thread is ready and idle.
  await expect.poll(() => isRendered('/'), { timeout: 10_000 }).toBe(true);
  const countsBefore = (await readCounts()).json<typeof noOutcomes>();
  // One to four pages are rendered, by the number of processors, and eight are queued.
  const urls = Array.from({ length: 20 }, (_, index) => `/ebook?author=${index}`);
  expect(await Promise.all(urls.map(isRendered))).not.toContain(true);
  const { late, refused, ...otherCounts } = (await readCounts()).json<typeof noOutcomes>();
  expect({ ...otherCounts, late: countsBefore.late, refused: 0 }).toEqual(countsBefore);
  expect(late - countsBefore.late + refused).toBe(20);
  expect(refused).toBeGreaterThanOrEqual(8);
  expect(refused).toBeLessThanOrEqual(11);
});

test('a rendered 404 page is cached', async () => {
  const { readPage, readCounts, listTriedPaths } = await openPagesWith({ ssr: 'always' });
  for (let time = 0; time < 3; time++) {
    const { status, html } = await readPage('/nowhere?utm_source=letter');
    expect([status, html.includes('Painted')]).toEqual([404, true]);
  }
  expect(listTriedPaths()).toEqual(['/nowhere']);
  expect((await readCounts()).json()).toEqual({ ...noOutcomes, rendered: 1, cached: 2 });
});

test('many unknown URLs do not delay other pages', async () => {
  const { isRendered, readPage, readCounts } = await openPagesWith({ ssr: 'always' });
  const paths = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? `/nowhere-${index}` : `/all/nowhere-${index}`));
  const [isLandingRendered, ...notFoundPages] = await Promise.all([isRendered('/'), ...paths.map(readPage)]);
  expect(isLandingRendered).toBe(true);
  expect(new Set(notFoundPages.map(({ status }) => status))).toEqual(new Set([404]));
  // They render one at a time: a second starts only if the first ends before the last request.
  const renderedCount = notFoundPages.filter(({ html }) => html.includes('Painted')).length;
  expect(renderedCount).toBeGreaterThanOrEqual(1);
  expect(renderedCount).toBeLessThanOrEqual(3);
  expect((await readCounts()).json()).toEqual({
    ...noOutcomes,
    rendered: 1 + renderedCount,
    refused: paths.length - renderedCount,
  });
});

test.each([
  ['exits its thread', '/audio'],
  ['blocks its thread', '/video'],
])('a page that %s is sent plain; a new thread starts, and the next page is rendered', async (_name, path) => {
  const { shop, isRendered, countLoads, listTriedPaths, readCounts } = await openPagesWith({ ssr: 'always' });
  await shop.pageRenderer?.whenIdle();
  const loadCountBefore = countLoads();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const page = isRendered(path);
  await expect.poll(listTriedPaths, { timeout: 10_000 }).toEqual([path]);
  vi.advanceTimersByTime(20_000);
  expect(await page).toBe(false);
  vi.useRealTimers();
  await expect.poll(countLoads, { timeout: 10_000 }).toBe(loadCountBefore + 1);
  expect(await isRendered('/')).toBe(true);
  expect(await isRendered(path)).toBe(false);
  expect([listTriedPaths(), countLoads()]).toEqual([[path, '/'], loadCountBefore + 1]);
  expect((await readCounts()).json()).toEqual({ ...noOutcomes, rendered: 1, failed: 2 });
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
  const renderedCountBefore = pageRenderer?.counts().rendered;
  const dispatcher = new Agent({ connect: { ca } });
  onTestFinished(() => dispatcher.close());
  const cachedCountBefore = pageRenderer?.counts().cached ?? 0;
  const response = await fetchBy(origin, { dispatcher, headers: { accept: 'text/html' } });
  expect(await response.text()).toContain('Painted');
  expect(pageRenderer?.counts()).toMatchObject({ rendered: renderedCountBefore, cached: cachedCountBefore + 1 });
});
