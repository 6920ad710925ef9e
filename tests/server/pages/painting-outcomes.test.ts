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
import { paintAhead } from '../../../server/web/paint-ahead.ts';
import { ownCertificate } from '../support/own-certificate.ts';
import { openPages } from '../support/pages.ts';

/**
 * A program that paints the landing page, a recording and, taking its time, what leads nowhere; it breaks at the list, has no screen for
 * other titles, ends its thread at audiobooks, holds it for ever at films, gets no answer to its first call for the terms and for the plans,
 * asks again for privacy, and never comes to an end elsewhere. It notes when it is loaded, and what it is to paint.
 */
const program = `
  import { appendFileSync } from 'node:fs';
  const note = (what) => appendFileSync(new URL('notes', import.meta.url), what + '\\n');
  note('loaded');
  const painted = { html: '<p>Painted</p>', preloads: [], styles: [], answers: [], changesAt: [], firstTitle: null, next: null };
  const calls = { '/terms': ['/none'], '/subscription': ['/none'] };
  export async function paint({ pathname }, call) {
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

const open = async (config: Partial<ServerConfig>) => {
  const pages = await openPages({ adminToken, ...config }, program);
  onTestFinished(() => pages.close());
  const { shop } = pages;
  await shop.store({ host: 'painted.example' });
  const notes = (): string[] =>
    readFileSync(join(shop.services.config.distFolder ?? '', 'painting', 'notes'), 'utf8').split('\n');
  const pageAt = (path: string) => pages.head('painted.example', path);
  return {
    shop,
    pageAt,
    isPainted: async (path: string): Promise<boolean> => (await pageAt(path)).html.includes('Painted'),
    /** How often the program was loaded. */
    loads: () => notes().filter((note) => note === 'loaded').length,
    /** What it was to paint. */
    tried: () => notes().filter((note) => note.startsWith('/')),
    paintAhead: async () => {
      if (shop.painter) await paintAhead(shop.app, shop.painter, 'http://painted.example', new AbortController().signal);
    },
    told: (token = adminToken) =>
      shop.app.inject({ url: '/admin/painting', headers: { authorization: `Bearer ${token}`, accept: 'application/json' } }),
  };
};

const none = { painted: 0, kept: 0, late: 0, unfit: 0, failed: 0, refused: 0 };

test('an operator, and nobody else, is told what became of pages that may come painted', async () => {
  const { isPainted, told, tried } = await open({ painting: 'always' });
  expect((await told()).json()).toEqual(none);
  expect((await told('some other token')).statusCode).toBe(401);
  for (const path of ['/', '/', '/?utm_source=letter']) expect(await isPainted(path)).toBe(true);
  for (const path of ['/all', '/all', '/id:book', '/id:book']) expect(await isPainted(path)).toBe(false);
  // Nobody tries to paint these.
  for (const path of ['/signin', '/all?code=SECRET']) expect(await isPainted(path)).toBe(false);
  expect((await told()).json()).toEqual({ ...none, painted: 1, kept: 2, failed: 2, unfit: 2 });
  // What has failed, or is none to paint, is not tried again at once.
  expect(tried()).toEqual(['/', '/all', '/id:book']);
});

/** Longer than what failed by what is around it is not tried again, and shorter than what breaks by itself. */
const soon = { timeout: 8_000 };

test('what cannot be painted for want of an answer is tried again soon, and not at once', async () => {
  const { isPainted, tried } = await open({ painting: 'always' });
  expect([await isPainted('/terms'), await isPainted('/terms')]).toEqual([false, false]);
  expect(tried()).toEqual(['/terms']);
  await expect.poll(() => isPainted('/terms'), soon).toBe(true);
  expect(tried()).toEqual(['/terms', '/terms']);
});

test('a page that lacks an answer is kept for two seconds, one whose answer came at the second try as long as any other', async () => {
  const { shop, isPainted, tried } = await open({ painting: 'always' });
  const usual = shop.app.inject.bind(shop.app) as (request: InjectOptions) => Promise<LightMyRequestResponse>;
  let breaks = true;
  const once = vi.spyOn(shop.app, 'inject').mockImplementation((async (request: InjectOptions) => {
    if (breaks && request.url === '/api/store/properties') {
      breaks = false;
      throw new Error('This answer is lost.');
    }
    return usual(request);
  }) as typeof shop.app.inject);
  onTestFinished(() => once.mockRestore());
  expect(await isPainted('/privacy')).toBe(true);
  expect(breaks).toBe(false);
  expect([await isPainted('/subscription'), await isPainted('/subscription')]).toEqual([true, true]);
  expect(tried()).toEqual(['/privacy', '/subscription']);
  const triedSoon = async () => (await isPainted('/subscription')) && tried().length;
  await expect.poll(triedSoon, soon).toBe(3);
  // The second one had all its answers.
  expect(await triedSoon()).toBe(3);
  expect(await isPainted('/privacy')).toBe(true);
  expect(tried()).toEqual(['/privacy', '/subscription', '/subscription']);
});

test('a page is painted soon after the database can be reached again', async () => {
  const { shop, isPainted } = await open({ painting: 'always' });
  const { db } = shop.services;
  const usual = db.selectFrom.bind(db);
  const select = vi.spyOn(db, 'selectFrom').mockImplementation((table) => {
    if (table === 'titles') throw new Error('The database cannot be reached.');
    return usual(table);
  });
  expect(await isPainted('/id:sound')).toBe(false);
  select.mockRestore();
  await expect.poll(() => isPainted('/id:sound'), soon).toBe(true);
});

test('where most visits begin, and a title, is painted before the first one, in every language', async () => {
  const { isPainted, told, paintAhead } = await open({ painting: 'on' });
  await paintAhead();
  const each = languages.length;
  const ahead = { ...none, painted: each, failed: each, unfit: each };
  expect((await told()).json()).toEqual(ahead);
  expect(await isPainted('/')).toBe(true);
  expect((await told()).json()).toEqual({ ...ahead, kept: 1 });
});

test('so are those for which nobody could wait', async () => {
  const { isPainted, told } = await open({ painting: 'on' });
  // Until the thread is there, and free.
  await expect.poll(() => isPainted('/'), { timeout: 10_000 }).toBe(true);
  const before = (await told()).json<typeof none>();
  // One to four are painted, by the number of processors, and eight wait for their turn.
  const addresses = Array.from({ length: 20 }, (_, n) => `/ebook?author=${n}`);
  expect(await Promise.all(addresses.map(isPainted))).not.toContain(true);
  const { late, refused, ...others } = (await told()).json<typeof none>();
  expect({ ...others, late: before.late, refused: 0 }).toEqual(before);
  expect(late - before.late + refused).toBe(20);
  expect(refused).toBeGreaterThanOrEqual(8);
  expect(refused).toBeLessThanOrEqual(11);
});

test('a page that leads nowhere is kept for a while, too', async () => {
  const { pageAt, told, tried } = await open({ painting: 'always' });
  for (let time = 0; time < 3; time++) {
    const { status, html } = await pageAt('/nowhere?utm_source=letter');
    expect([status, html.includes('Painted')]).toEqual([404, true]);
  }
  expect(tried()).toEqual(['/nowhere']);
  expect((await told()).json()).toEqual({ ...none, painted: 1, kept: 2 });
});

test('many addresses that lead nowhere keep no other page waiting', async () => {
  const { isPainted, pageAt, told } = await open({ painting: 'always' });
  const addresses = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? `/nowhere-${n}` : `/all/nowhere-${n}`));
  const [found, ...lost] = await Promise.all([isPainted('/'), ...addresses.map(pageAt)]);
  expect(found).toBe(true);
  expect(new Set(lost.map(({ status }) => status))).toEqual(new Set([404]));
  // One at a time: a further one where the first was ready before the last had come.
  const painted = lost.filter(({ html }) => html.includes('Painted')).length;
  expect(painted).toBeGreaterThanOrEqual(1);
  expect(painted).toBeLessThanOrEqual(3);
  expect((await told()).json()).toEqual({ ...none, painted: 1 + painted, refused: addresses.length - painted });
});

test.each([
  ['ends its thread', '/audio'],
  ['holds its thread', '/video'],
])('a page that %s comes plain; another thread is made ready, and the next page is painted', async (_what, path) => {
  const { shop, isPainted, loads, tried, told } = await open({ painting: 'always' });
  await shop.painter?.atRest();
  const before = loads();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const page = isPainted(path);
  await expect.poll(tried, { timeout: 10_000 }).toEqual([path]);
  vi.advanceTimersByTime(20_000);
  expect(await page).toBe(false);
  vi.useRealTimers();
  await expect.poll(loads, { timeout: 10_000 }).toBe(before + 1);
  expect(await isPainted('/')).toBe(true);
  expect(await isPainted(path)).toBe(false);
  expect([tried(), loads()]).toEqual([[path, '/'], before + 1]);
  expect((await told()).json()).toEqual({ ...none, painted: 1, failed: 2 });
});

test('who comes by HTTPS finds painted what was painted before the first visitor', async () => {
  const { shop } = await open({ painting: 'always' });
  const folder = await mkdtemp(join(tmpdir(), 'colophon-painting-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { files, text: ca } = await ownCertificate(folder);
  const { db, config, payment } = shop.services;
  const { app, painter } = await createServer({ db, config, payment, logLevel: 'silent', certificate: readCertificate(files) });
  onTestFinished(() => app.close());
  await shop.store({ host: 'localhost' });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const origin = `https://localhost:${(app.server.address() as AddressInfo).port}`;
  if (painter) await paintAhead(app, painter, origin, new AbortController().signal);
  const ahead = painter?.counts().painted;
  const dispatcher = new Agent({ connect: { ca } });
  onTestFinished(() => dispatcher.close());
  const kept = painter?.counts().kept ?? 0;
  const answer = await fetchBy(origin, { dispatcher, headers: { accept: 'text/html' } });
  expect(await answer.text()).toContain('Painted');
  expect(painter?.counts()).toMatchObject({ painted: ahead, kept: kept + 1 });
});
