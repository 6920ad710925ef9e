import { expect, onTestFinished, test } from 'vitest';
import type { ServerConfig } from '../../server/config.ts';
import { paintAhead } from '../../server/web/paint-ahead.ts';
import { openPages } from './support/pages.ts';

/** A program that paints the landing page, breaks at the list, has no screen for a title, and never comes to an end elsewhere. */
const program = `
  const painted = { html: '<p>Painted</p>', pictures: '', styles: '', key: 'k', answers: [] };
  export async function paint({ pathname }) {
    if (pathname === '/') return { ...painted, html: '<p>Painted</p><a href="/id:book">A title</a>' };
    if (pathname === '/all') throw new Error('This breaks.');
    if (pathname.startsWith('/id:')) return null;
    return new Promise(() => {});
  }
`;

const adminToken = 'the token of its operator';

const open = async (config: Partial<ServerConfig>) => {
  const pages = await openPages({ adminToken, ...config }, program);
  onTestFinished(() => pages.close());
  await pages.shop.store({ host: 'painted.example' });
  return {
    isPainted: async (path: string): Promise<boolean> => (await pages.head('painted.example', path)).html.includes('Painted'),
    paintAhead: async () => {
      if (pages.shop.painter)
        await paintAhead(pages.shop.app, pages.shop.painter, 'http://painted.example', new AbortController().signal);
    },
    told: (token = adminToken) =>
      pages.shop.app.inject({
        url: '/admin/painting',
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      }),
  };
};

const none = { painted: 0, kept: 0, late: 0, unfit: 0, failed: 0, refused: 0 };

test('an operator, and nobody else, is told what became of pages that may come painted', async () => {
  const { isPainted, told } = await open({ painting: 'always' });
  expect((await told()).json()).toEqual(none);
  expect((await told('some other token')).statusCode).toBe(401);
  for (const path of ['/', '/', '/?utm_source=letter']) expect(await isPainted(path)).toBe(true);
  for (const path of ['/all', '/id:book', '/id:book']) expect(await isPainted(path)).toBe(false);
  // Nobody tries to paint these.
  for (const path of ['/signin', '/all?code=SECRET']) expect(await isPainted(path)).toBe(false);
  expect((await told()).json()).toEqual({ ...none, painted: 1, kept: 2, failed: 1, unfit: 2 });
});

test('where most visits begin, and a title, is painted before the first one, in every language', async () => {
  const { isPainted, told, paintAhead } = await open({ painting: 'on' });
  await paintAhead();
  // The landing page is looked at once more for a title.
  const ahead = { ...none, painted: 5, failed: 5, kept: 5, unfit: 5 };
  expect((await told()).json()).toEqual(ahead);
  expect(await isPainted('/')).toBe(true);
  expect((await told()).json()).toEqual({ ...ahead, kept: 6 });
});

test('so are those for which nobody could wait', async () => {
  const { isPainted, told } = await open({ painting: 'on' });
  // Until the thread is there, and free.
  await expect.poll(() => isPainted('/'), { timeout: 10_000 }).toBe(true);
  const before = (await told()).json<typeof none>();
  // One to four are painted, by the number of processors, and eight wait for their turn.
  const addresses = Array.from({ length: 20 }, (_, n) => `/nowhere-${n}`);
  expect(await Promise.all(addresses.map(isPainted))).not.toContain(true);
  const { late, refused, ...others } = (await told()).json<typeof none>();
  expect({ ...others, late: before.late, refused: 0 }).toEqual(before);
  expect(late - before.late + refused).toBe(20);
  expect(refused).toBeGreaterThanOrEqual(8);
  expect(refused).toBeLessThanOrEqual(11);
});
