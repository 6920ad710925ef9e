import * as v from 'valibot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mostLines, type CartChange, type CartLine } from '../../machines/model/buying/cart.ts';
import { cart } from '../../src/client/cart/cart.ts';
import type { Api } from '../../src/client/wire/client.ts';
import { grants } from '../../src/client/library/grants.ts';
import { forgetCode, keepCode, keptCode } from '../../src/storage/kept-code.ts';
import { clearSession } from '../../src/storage/session-storage.ts';
import { safeLocalStorage, store, stored } from '../../src/storage/storage.ts';
import { shopWorld } from '../support/client/shop-world.ts';
import { world, xml } from '../support/client/world.ts';

const name = 'colophon.cart';
const inBrowser = (): unknown => stored(name, v.unknown(), []);

afterEach(() => vi.unstubAllGlobals());
beforeEach(() => {
  safeLocalStorage.removeItem(name);
  clearSession();
});

const title = (id: string): string =>
  `<Title><TitleId>${id}</TitleId><Name>Title ${id}</Name><TitleType>1</TitleType><Medium>epub</Medium></Title>`;
const line = ({ titleId, savedAt }: CartLine): string =>
  `<Line><TitleId>${titleId}</TitleId><Name>Name ${titleId}</Name><AddedAt>${savedAt}</AddedAt><Owned>${titleId === 'own'}</Owned></Line>`;

type Server = {
  room?: number;
  gone?: string[];
  fails?: (path: string) => boolean;
  cuts?: (titleId: string) => Promise<Response> | null;
  /** The answer to a change, in place of the cart. */
  done?: () => Response;
};

/** A server that keeps a cart, and may be full, have no such title, fail, or be cut off while one is put in. */
const account = (had: CartLine[] = [], server: Server = {}) => {
  const { room = mostLines, gone = [], fails = () => false, cuts = () => null, done } = server;
  let lines = had;
  const calls: string[] = [];
  const { api } = world([], {
    fetch: async ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      const call = pathname.slice(pathname.lastIndexOf('/') + 1);
      const titleId = searchParams.get('titleId') ?? '';
      calls.push(`${call} ${titleId}`.trim());
      const cut = call === 'add' ? cuts(titleId) : null;
      if (cut !== null) return cut;
      if (fails(call)) return xml('<Error><StatusCode>500</StatusCode></Error>', 500);
      if (call === 'byid')
        return xml(
          `<Titles>${(searchParams.get('titleids') ?? '')
            .split(',')
            .filter((id) => !gone.includes(id))
            .map(title)
            .join('')}</Titles>`,
        );
      if (call === 'add' && gone.includes(titleId))
        return xml('<Error><StatusCode>404</StatusCode><Status>NotFound</Status></Error>', 404);
      const isThere = lines.some((each) => each.titleId === titleId);
      if (call === 'add' && !isThere) {
        if (lines.length >= room)
          return xml('<Error><StatusCode>409</StatusCode><Status>Conflict</Status><Code>cart_full</Code></Error>', 409);
        lines = [{ titleId, savedAt: searchParams.get('addedAt') ?? '' }, ...lines];
      }
      if (call === 'remove') lines = lines.filter((each) => each.titleId !== titleId);
      if (done !== undefined && call !== 'titles') return done();
      const titles = lines.filter((each) => !gone.includes(each.titleId)).map((each) => title(each.titleId));
      return xml(
        `<Cart><Count>${lines.length}</Count><Titles>${titles.join('')}</Titles><Lines>${lines.map(line).join('')}</Lines></Cart>`,
      );
    },
  });
  return { open: () => api, calls, ids: () => lines.map(({ titleId }) => titleId) };
};

const nobody = (): never => {
  throw new Error('A visitor asks nobody.');
};
const cartOf = (open: () => Api = nobody) => cart(shopWorld(open));
const at = (day: number): string => `2026-01-0${day}T00:00:00.000Z`;
const idsOf = (lines: { titleId: string }[]): string[] => lines.map(({ titleId }) => titleId);
const added = (titleId: string, savedAt?: string) => ({ titleId, isSaved: true, ...(savedAt && { savedAt }) });
const removed = (titleId: string) => ({ titleId, isSaved: false });
const visitor = (...changes: ReturnType<typeof added>[]) => cartOf().change({ signedIn: false, changes });

test('a visitor’s cart is kept in the browser, the latest first and each title once', async () => {
  await visitor(added('1', at(1)));
  expect(idsOf(await visitor(added('2', at(2)), added('1', at(3))))).toEqual(['2', '1']);
  expect(idsOf(await cartOf().read(false))).toEqual(['2', '1']);
  expect(idsOf(await visitor(removed('2')))).toEqual(['1']);
});

test('a cart in the browser that is none is an empty one', async () => {
  store(name, [{ titleId: '<b>', savedAt: '' }]);
  expect(await cartOf().read(false)).toEqual([]);
});

test('a visitor’s cart has an end', async () => {
  store(
    name,
    Array.from({ length: mostLines }, (_, id) => ({ titleId: String(id), savedAt: at(1) })),
  );
  await expect(visitor(added('new'))).rejects.toMatchObject({ kind: 'refused', code: 'cart_full' });
  expect(inBrowser()).toHaveLength(mostLines);
});

test('a visitor’s titles are looked up; one that is gone is still a line', async () => {
  await visitor(added('1', at(1)), added('2', at(2)));
  const { open, calls } = account([], { gone: ['2'] });
  const entries = await cartOf(open).readEntries(false);
  expect(entries.map(({ titleId, name: called, title: found }) => [titleId, called, found?.id ?? null])).toEqual([
    ['2', '', null],
    ['1', 'Title 1', '1'],
  ]);
  expect(calls).toEqual(['byid']);
  safeLocalStorage.removeItem(name);
  expect(await cartOf().readEntries(false)).toEqual([]);
});

test('at sign-in the browser’s cart goes to the account, the oldest first, once, and is there alone', async () => {
  await visitor(added('1', at(1)), added('2', at(2)));
  const { open, calls, ids } = account([{ titleId: 'had', savedAt: at(1) }]);
  expect(idsOf(await cartOf(open).read(true))).toEqual(['2', '1', 'had']);
  expect(inBrowser()).toEqual([]);
  expect(calls).toEqual(['add 1', 'add 2', 'titles']);
  await Promise.all([cartOf(open).read(true), cartOf(open).read(true)]);
  expect(ids()).toEqual(['2', '1', 'had']);
  expect(calls.slice(3)).toEqual(['titles', 'titles']);
});

test('what could not be joined stays in the browser, and goes along with the next change', async () => {
  await visitor(added('1', at(1)), added('2', at(2)));
  const broken = account([], { fails: (call) => call === 'add' });
  await expect(cartOf(broken.open).read(true)).rejects.toMatchObject({ kind: 'refused' });
  expect(inBrowser()).toHaveLength(2);
  const { open, ids } = account();
  expect(idsOf(await cartOf(open).change({ signedIn: true, changes: [added('3')] }))).toEqual(['3', '2', '1']);
  expect([inBrowser(), ids()]).toEqual([[], ['3', '2', '1']]);
});

test('what the shop does not have any more is dropped, and what an account has no room for stays', async () => {
  await visitor(added('gone', at(1)), added('1', at(2)), added('2', at(3)));
  const { open } = account([], { gone: ['gone'], room: 1 });
  expect(idsOf(await cartOf(open).read(true))).toEqual(['1']);
  expect(inBrowser()).toMatchObject([{ titleId: '2' }]);
});

test('a customer’s cart is the server’s: what is owned, and what is gone', async () => {
  const { open } = account(
    ['own', 'gone', '1'].map((titleId) => ({ titleId, savedAt: at(1) })),
    { gone: ['gone'] },
  );
  expect(await cartOf(open).readEntries(true)).toMatchObject([
    { titleId: 'own', name: 'Title own', isOwned: true, savedAt: at(1) },
    { titleId: 'gone', name: 'Name gone', isOwned: false, title: null },
    { titleId: '1', isOwned: false, title: { id: '1' } },
  ]);
});

test.each([
  ['no content', () => new Response(null, { status: 204 })],
  ['an empty body', () => new Response('')],
  ['no more than that it is done', () => xml('<Result><Status>ok</Status></Result>')],
])('a change that is answered with %s is followed by a look at the cart', async (_, done) => {
  const { open, calls } = account([{ titleId: 'had', savedAt: at(1) }], { done });
  const lines = await cartOf(open).change({ signedIn: true, changes: [added('1', at(4))] });
  expect(idsOf(lines)).toEqual(['1', 'had']);
  expect(idsOf(await cartOf(open).change({ signedIn: true, changes: [removed('had')] }))).toEqual(['1']);
  expect(calls).toEqual(['add 1', 'titles', 'remove had', 'titles']);
});

test('changes of a customer are sent one by one, and refusals are told', async () => {
  const { open, calls, ids } = account([{ titleId: 'had', savedAt: at(1) }], { room: 1 });
  await expect(cartOf(open).change({ signedIn: true, changes: [added('1')] })).rejects.toMatchObject({ code: 'cart_full' });
  await cartOf(open).change({ signedIn: true, changes: [removed('had'), added('1', at(4))] });
  expect(calls).toEqual(['add 1', 'remove had', 'add 1']);
  expect(ids()).toEqual(['1']);
});

test.each([
  ['is never answered', () => new Promise<Response>(() => undefined)],
  ['fails as the page goes', () => Promise.reject(new TypeError('NetworkError'))],
])(
  'what a reload cuts off while several titles go into the cart, by a call that %s, is sent by the next page',
  async (_, cut) => {
    const campaignId = 'spring';
    const changes = ['1', '2', '3'].map((titleId, at0) => ({ ...added(titleId, at(at0 + 1)), campaignId }));
    const before = account([], { cuts: (titleId) => (titleId === '2' ? cut() : null) });
    // The lock goes with the page that has it.
    vi.stubGlobal('navigator', {});
    cartOf(before.open)
      .change({ signedIn: true, changes })
      .catch(() => undefined);
    await vi.waitFor(() => expect(before.calls.slice(0, 2)).toEqual(['add 1', 'add 2']));
    await Promise.resolve();
    const { open, calls, ids } = account([{ titleId: '1', savedAt: at(1) }]);
    vi.stubGlobal('addEventListener', () => {});
    vi.stubGlobal('removeEventListener', () => {});
    const heard = vi.fn();
    const stop = cartOf(nobody).onChanged(heard);
    await cartOf(open).read(true);
    expect(calls).toEqual(['add 2', 'add 3', 'titles']);
    expect([ids(), inBrowser()]).toEqual([['3', '2', '1'], []]);
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1));
    stop();
    await cartOf(open).read(true);
    expect(calls.slice(3)).toEqual(['titles']);
  },
);

test('what was on its way into a customer’s cart is nobody else’s', async () => {
  const { open, calls } = account([], { cuts: () => Promise.reject(new TypeError('NetworkError')) });
  await expect(cartOf(open).change({ signedIn: true, changes: [added('1')] })).rejects.toMatchObject({ kind: 'offline' });
  clearSession();
  await cartOf(open).read(true);
  expect([calls.at(-1), await cartOf().read(false)]).toEqual(['titles', []]);
});

test('what is refused while several titles go into the cart is not tried again by itself', async () => {
  const { open } = account([], { room: 1 });
  const changes = [added('1', at(1)), added('2', at(2)), added('3', at(3))];
  await expect(cartOf(open).change({ signedIn: true, changes })).rejects.toMatchObject({ code: 'cart_full' });
  const { open: later, calls } = account();
  await cartOf(later).read(true);
  expect(calls).toEqual(['titles']);
});

test('a server that lists titles alone has a line for each', async () => {
  const { api } = world([xml(`<Cart><Count>2</Count><Titles>${title('1')}${title('2')}</Titles></Cart>`)]);
  expect(await cartOf(() => api).read(true)).toEqual([
    { titleId: '1', savedAt: '' },
    { titleId: '2', savedAt: '' },
  ]);
});

test('a purchase may have changed the cart', () => {
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  const heard = vi.fn();
  const { own } = shopWorld(nobody);
  const stop = own(cart).onChanged(heard);
  own(grants).tell();
  expect(heard).toHaveBeenCalledTimes(1);
  stop();
  own(grants).tell();
  expect(heard).toHaveBeenCalledTimes(1);
});

test('a line says from which campaign it is, and whether it comes for nothing', async () => {
  const line = (titleId: string, more: string) =>
    `<Line><TitleId>${titleId}</TitleId><CampaignId>spring</CampaignId>${more}</Line>`;
  const lines = line('1', '<Reward>false</Reward>') + line('2', '<Reward>true</Reward>');
  const { api } = world([], {
    fetch: async () => xml(`<Cart><Count>2</Count><Titles>${title('1')}${title('2')}</Titles><Lines>${lines}</Lines></Cart>`),
  });
  const entries = await cartOf(() => api).readEntries(true);
  expect(entries.map(({ titleId, campaignId, isReward }) => [titleId, campaignId, isReward])).toEqual([
    ['1', 'spring', undefined],
    ['2', 'spring', true],
  ]);
});

test('a code that was typed in this tab goes along with every change [S7.cart/add] [S7.cart/remove] [S7.cart/removeCampaign]', async () => {
  keepCode('SPRING-20');
  const { api, asked } = world([xml('<Cart/>')]);
  const change = (...changes: CartChange[]) => cartOf(() => api).change({ signedIn: true, changes });
  const now = '2030-01-01T00:00:00.000Z';
  await change({ titleId: '1', isSaved: true, savedAt: now });
  await change({ titleId: '1', isSaved: false, savedAt: now });
  await change({ titleId: '1', isSaved: false, savedAt: now, campaignId: 'c', ofCampaign: true });
  forgetCode();
  await change({ titleId: '1', isSaved: true, savedAt: now });
  const sent = asked.filter(({ path }) => !path.endsWith('/titles')).map(({ path, query }) => [path, query['code']]);
  expect(sent).toEqual([
    ['/api/cart/add', 'SPRING-20'],
    ['/api/cart/remove', 'SPRING-20'],
    ['/api/cart/removeCampaign', 'SPRING-20'],
    ['/api/cart/add', undefined],
  ]);
});

test.each([
  ['code_used', ''],
  ['code_misfit', 'SPRING-20'],
])('a code that is refused with %s does not hold up a change of the cart', async (code, kept) => {
  keepCode('SPRING-20');
  const refusal = () => xml(`<Error><StatusCode>409</StatusCode><Status>Conflict</Status><Code>${code}</Code></Error>`, 409);
  const { api, asked } = world([refusal, xml('<Cart/>')]);
  await cartOf(() => api).change({ signedIn: true, changes: [added('1')] });
  const sent = asked.filter(({ path }) => path.endsWith('/cart/add')).map(({ query }) => query['code']);
  expect(sent).toEqual(['SPRING-20', undefined]);
  expect(keptCode()).toBe(kept);
  forgetCode();
});
