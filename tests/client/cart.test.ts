import * as v from 'valibot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MAX_CART_LINES, type CartChange, type CartLine } from '../../machines/model/buying/cart.ts';
import { cart } from '../../src/client/cart/cart.ts';
import { cartCode } from '../../src/client/cart/cart-code.ts';
import type { Api } from '../../src/client/wire/client.ts';
import { ownershipChanged } from '../../src/client/library/ownership-changed.ts';
import { forgetCode, saveCode, readCode } from '../../src/storage/stored-code.ts';
import { clearSession } from '../../src/storage/session-storage.ts';
import { safeLocalStorage, writeItem, readItem } from '../../src/storage/storage.ts';
import { createShopEnvironment } from '../support/client/shop-environment.ts';
import { createFakeServer, xml } from '../support/client/fake-environment.ts';

const storageKey = 'colophon.cart';
const readStored = (): unknown => readItem(storageKey, v.unknown(), []);

afterEach(() => vi.unstubAllGlobals());
beforeEach(() => {
  safeLocalStorage.removeItem(storageKey);
  clearSession();
});

const titleXml = (id: string): string =>
  `<Title><TitleId>${id}</TitleId><Name>Title ${id}</Name><TitleType>1</TitleType><Medium>epub</Medium></Title>`;
const lineXml = ({ titleId, savedAt }: CartLine): string =>
  `<Line><TitleId>${titleId}</TitleId><Name>Name ${titleId}</Name><AddedAt>${savedAt}</AddedAt><Owned>${titleId === 'own'}</Owned></Line>`;

type ServerOptions = {
  maxLines?: number;
  deletedIds?: string[];
  isFailing?: (path: string) => boolean;
  interrupt?: (titleId: string) => Promise<Response> | null;
  /** Creates the response to a change, in place of the cart. */
  respondToChange?: () => Response;
};

/** A server with a cart. The options make it full, without some titles, failing or unreachable. */
const createAccountApi = (initialLines: CartLine[] = [], server: ServerOptions = {}) => {
  const { maxLines = MAX_CART_LINES, deletedIds = [], isFailing = () => false, interrupt = () => null, respondToChange } = server;
  let lines = initialLines;
  const calls: string[] = [];
  const { api } = createFakeServer([], {
    fetch: async ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      const call = pathname.slice(pathname.lastIndexOf('/') + 1);
      const titleId = searchParams.get('titleId') ?? '';
      calls.push(`${call} ${titleId}`.trim());
      const interruptedResponse = call === 'add' ? interrupt(titleId) : null;
      if (interruptedResponse !== null) return interruptedResponse;
      if (isFailing(call)) return xml('<Error><StatusCode>500</StatusCode></Error>', 500);
      if (call === 'byid')
        return xml(
          `<Titles>${(searchParams.get('titleids') ?? '')
            .split(',')
            .filter((id) => !deletedIds.includes(id))
            .map(titleXml)
            .join('')}</Titles>`,
        );
      if (call === 'add' && deletedIds.includes(titleId))
        return xml('<Error><StatusCode>404</StatusCode><Status>NotFound</Status></Error>', 404);
      const isInCart = lines.some((each) => each.titleId === titleId);
      if (call === 'add' && !isInCart) {
        if (lines.length >= maxLines)
          return xml('<Error><StatusCode>409</StatusCode><Status>Conflict</Status><Code>cart_full</Code></Error>', 409);
        lines = [{ titleId, savedAt: searchParams.get('addedAt') ?? '' }, ...lines];
      }
      if (call === 'remove') lines = lines.filter((each) => each.titleId !== titleId);
      if (respondToChange !== undefined && call !== 'titles') return respondToChange();
      const titles = lines.filter((each) => !deletedIds.includes(each.titleId)).map((each) => titleXml(each.titleId));
      return xml(
        `<Cart><Count>${lines.length}</Count><Titles>${titles.join('')}</Titles><Lines>${lines.map(lineXml).join('')}</Lines></Cart>`,
      );
    },
  });
  return { getApi: () => api, calls, listIds: () => lines.map(({ titleId }) => titleId) };
};

const failOnCall = (): never => {
  throw new Error('A visitor’s cart must not call the server.');
};
const createCart = (getApi: () => Api = failOnCall) => cart(createShopEnvironment(getApi));
const dayAt = (day: number): string => `2026-01-0${day}T00:00:00.000Z`;
const getIds = (lines: { titleId: string }[]): string[] => lines.map(({ titleId }) => titleId);
const addChange = (titleId: string, savedAt?: string) => ({ titleId, isSaved: true, ...(savedAt && { savedAt }) });
const removeChange = (titleId: string) => ({ titleId, isSaved: false });
const changeAsVisitor = (...changes: ReturnType<typeof addChange>[]) => createCart().change({ signedIn: false, changes });

test('a visitor’s cart is stored in the browser, latest first, each title once', async () => {
  await changeAsVisitor(addChange('1', dayAt(1)));
  expect(getIds(await changeAsVisitor(addChange('2', dayAt(2)), addChange('1', dayAt(3))))).toEqual(['2', '1']);
  expect(getIds(await createCart().read(false))).toEqual(['2', '1']);
  expect(getIds(await changeAsVisitor(removeChange('2')))).toEqual(['1']);
});

test('an unreadable cart in the browser counts as empty', async () => {
  writeItem(storageKey, [{ titleId: '<b>', savedAt: '' }]);
  expect(await createCart().read(false)).toEqual([]);
});

test('a visitor’s cart has a maximum length', async () => {
  writeItem(
    storageKey,
    Array.from({ length: MAX_CART_LINES }, (_, id) => ({ titleId: String(id), savedAt: dayAt(1) })),
  );
  await expect(changeAsVisitor(addChange('new'))).rejects.toMatchObject({ kind: 'refused', code: 'cart_full' });
  expect(readStored()).toHaveLength(MAX_CART_LINES);
});

test('a deleted title keeps its line in a visitor’s cart', async () => {
  await changeAsVisitor(addChange('1', dayAt(1)), addChange('2', dayAt(2)));
  const { getApi, calls } = createAccountApi([], { deletedIds: ['2'] });
  const entries = await createCart(getApi).readEntries(false);
  expect(entries.map(({ titleId, name: entryName, title: foundTitle }) => [titleId, entryName, foundTitle?.id ?? null])).toEqual([
    ['2', '', null],
    ['1', 'Title 1', '1'],
  ]);
  expect(calls).toEqual(['byid']);
  safeLocalStorage.removeItem(storageKey);
  expect(await createCart().readEntries(false)).toEqual([]);
});

test('at sign-in the browser’s cart moves to the account, oldest first, once', async () => {
  await changeAsVisitor(addChange('1', dayAt(1)), addChange('2', dayAt(2)));
  const { getApi, calls, listIds } = createAccountApi([{ titleId: 'had', savedAt: dayAt(1) }]);
  expect(getIds(await createCart(getApi).read(true))).toEqual(['2', '1', 'had']);
  expect(readStored()).toEqual([]);
  expect(calls).toEqual(['add 1', 'add 2', 'titles']);
  await Promise.all([createCart(getApi).read(true), createCart(getApi).read(true)]);
  expect(listIds()).toEqual(['2', '1', 'had']);
  expect(calls.slice(3)).toEqual(['titles', 'titles']);
});

test('lines that could not be moved stay in the browser and are sent with the next change', async () => {
  await changeAsVisitor(addChange('1', dayAt(1)), addChange('2', dayAt(2)));
  const failingServer = createAccountApi([], { isFailing: (call) => call === 'add' });
  await expect(createCart(failingServer.getApi).read(true)).rejects.toMatchObject({ kind: 'refused' });
  expect(readStored()).toHaveLength(2);
  const { getApi, listIds } = createAccountApi();
  expect(getIds(await createCart(getApi).change({ signedIn: true, changes: [addChange('3')] }))).toEqual(['3', '2', '1']);
  expect([readStored(), listIds()]).toEqual([[], ['3', '2', '1']]);
});

test('lines of deleted titles are dropped; lines that exceed the account’s limit stay in the browser', async () => {
  await changeAsVisitor(addChange('gone', dayAt(1)), addChange('1', dayAt(2)), addChange('2', dayAt(3)));
  const { getApi } = createAccountApi([], { deletedIds: ['gone'], maxLines: 1 });
  expect(getIds(await createCart(getApi).read(true))).toEqual(['1']);
  expect(readStored()).toMatchObject([{ titleId: '2' }]);
});

test('a customer’s cart comes from the server, with its owned and deleted titles', async () => {
  const { getApi } = createAccountApi(
    ['own', 'gone', '1'].map((titleId) => ({ titleId, savedAt: dayAt(1) })),
    { deletedIds: ['gone'] },
  );
  expect(await createCart(getApi).readEntries(true)).toMatchObject([
    { titleId: 'own', name: 'Title own', isOwned: true, savedAt: dayAt(1) },
    { titleId: 'gone', name: 'Name gone', isOwned: false, title: null },
    { titleId: '1', isOwned: false, title: { id: '1' } },
  ]);
});

test.each([
  ['no content', () => new Response(null, { status: 204 })],
  ['an empty body', () => new Response('')],
  ['a bare success', () => xml('<Result><Status>ok</Status></Result>')],
])('after a change answered with %s the cart is read again', async (_, respondToChange) => {
  const { getApi, calls } = createAccountApi([{ titleId: 'had', savedAt: dayAt(1) }], { respondToChange });
  const lines = await createCart(getApi).change({ signedIn: true, changes: [addChange('1', dayAt(4))] });
  expect(getIds(lines)).toEqual(['1', 'had']);
  expect(getIds(await createCart(getApi).change({ signedIn: true, changes: [removeChange('had')] }))).toEqual(['1']);
  expect(calls).toEqual(['add 1', 'titles', 'remove had', 'titles']);
});

test('a customer’s changes are sent one by one, and refusals are reported', async () => {
  const { getApi, calls, listIds } = createAccountApi([{ titleId: 'had', savedAt: dayAt(1) }], { maxLines: 1 });
  await expect(createCart(getApi).change({ signedIn: true, changes: [addChange('1')] })).rejects.toMatchObject({
    code: 'cart_full',
  });
  await createCart(getApi).change({ signedIn: true, changes: [removeChange('had'), addChange('1', dayAt(4))] });
  expect(calls).toEqual(['add 1', 'remove had', 'add 1']);
  expect(listIds()).toEqual(['1']);
});

test.each([
  ['is never answered', () => new Promise<Response>(() => undefined)],
  ['fails while the page unloads', () => Promise.reject(new TypeError('NetworkError'))],
])('changes that a reload interrupts, by a call that %s, are sent by the next page', async (_, sendAdd) => {
  const campaignId = 'spring';
  const changes = ['1', '2', '3'].map((titleId, index) => ({ ...addChange(titleId, dayAt(index + 1)), campaignId }));
  const interruptedServer = createAccountApi([], { interrupt: (titleId) => (titleId === '2' ? sendAdd() : null) });
  // The page's lock is released with the page.
  vi.stubGlobal('navigator', {});
  createCart(interruptedServer.getApi)
    .change({ signedIn: true, changes })
    .catch(() => undefined);
  await vi.waitFor(() => expect(interruptedServer.calls.slice(0, 2)).toEqual(['add 1', 'add 2']));
  await Promise.resolve();
  const { getApi, calls, listIds } = createAccountApi([{ titleId: '1', savedAt: dayAt(1) }]);
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  const onChange = vi.fn();
  const unsubscribe = createCart(failOnCall).onChanged(onChange);
  await createCart(getApi).read(true);
  expect(calls).toEqual(['add 2', 'add 3', 'titles']);
  expect([listIds(), readStored()]).toEqual([['3', '2', '1'], []]);
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1));
  unsubscribe();
  await createCart(getApi).read(true);
  expect(calls.slice(3)).toEqual(['titles']);
});

test('unsent changes of one customer’s cart never reach another customer’s', async () => {
  const { getApi, calls } = createAccountApi([], { interrupt: () => Promise.reject(new TypeError('NetworkError')) });
  await expect(createCart(getApi).change({ signedIn: true, changes: [addChange('1')] })).rejects.toMatchObject({
    kind: 'offline',
  });
  clearSession();
  await createCart(getApi).read(true);
  expect([calls.at(-1), await createCart().read(false)]).toEqual(['titles', []]);
});

test('a title refused while several are added is not retried automatically', async () => {
  const { getApi } = createAccountApi([], { maxLines: 1 });
  const changes = [addChange('1', dayAt(1)), addChange('2', dayAt(2)), addChange('3', dayAt(3))];
  await expect(createCart(getApi).change({ signedIn: true, changes })).rejects.toMatchObject({ code: 'cart_full' });
  const { getApi: nextApi, calls } = createAccountApi();
  await createCart(nextApi).read(true);
  expect(calls).toEqual(['titles']);
});

test('an answer that lists only titles gives a line for each of them', async () => {
  const { api } = createFakeServer([xml(`<Cart><Count>2</Count><Titles>${titleXml('1')}${titleXml('2')}</Titles></Cart>`)]);
  expect(await createCart(() => api).read(true)).toEqual([
    { titleId: '1', savedAt: '' },
    { titleId: '2', savedAt: '' },
  ]);
});

test('a purchase emits a change of the cart', () => {
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  const onChange = vi.fn();
  const { scoped } = createShopEnvironment(failOnCall);
  const unsubscribe = scoped(cart).onChanged(onChange);
  scoped(ownershipChanged).emit();
  expect(onChange).toHaveBeenCalledTimes(1);
  unsubscribe();
  scoped(ownershipChanged).emit();
  expect(onChange).toHaveBeenCalledTimes(1);
});

test('a line has its campaign, and whether it is a reward', async () => {
  const formatLine = (titleId: string, fieldsXml: string) =>
    `<Line><TitleId>${titleId}</TitleId><CampaignId>spring</CampaignId>${fieldsXml}</Line>`;
  const lines = formatLine('1', '<Reward>false</Reward>') + formatLine('2', '<Reward>true</Reward>');
  const { api } = createFakeServer([], {
    fetch: async () =>
      xml(`<Cart><Count>2</Count><Titles>${titleXml('1')}${titleXml('2')}</Titles><Lines>${lines}</Lines></Cart>`),
  });
  const entries = await createCart(() => api).readEntries(true);
  expect(entries.map(({ titleId, campaignId, isReward }) => [titleId, campaignId, isReward])).toEqual([
    ['1', 'spring', undefined],
    ['2', 'spring', true],
  ]);
});

test('a code typed in this tab is sent with every change [S7.cart/add] [S7.cart/remove] [S7.cart/removeCampaign]', async () => {
  saveCode('SPRING-20');
  const { api, requests } = createFakeServer([xml('<Cart/>')]);
  const sendChanges = (...changes: CartChange[]) => createCart(() => api).change({ signedIn: true, changes });
  const now = '2030-01-01T00:00:00.000Z';
  await sendChanges({ titleId: '1', isSaved: true, savedAt: now });
  await sendChanges({ titleId: '1', isSaved: false, savedAt: now });
  await sendChanges({ titleId: '1', isSaved: false, savedAt: now, campaignId: 'c', ofCampaign: true });
  forgetCode();
  await sendChanges({ titleId: '1', isSaved: true, savedAt: now });
  const sentChanges = requests.filter(({ path }) => !path.endsWith('/titles')).map(({ path, query }) => [path, query['code']]);
  expect(sentChanges).toEqual([
    ['/api/cart/add', 'SPRING-20'],
    ['/api/cart/remove', 'SPRING-20'],
    ['/api/cart/removeCampaign', 'SPRING-20'],
    ['/api/cart/add', undefined],
  ]);
});

test.each([
  ['code_used', ''],
  ['code_misfit', 'SPRING-20'],
])('a code that is refused with %s does not block a change of the cart', async (code, storedCode) => {
  saveCode('SPRING-20');
  const refusal = () => xml(`<Error><StatusCode>409</StatusCode><Status>Conflict</Status><Code>${code}</Code></Error>`, 409);
  const { api, requests } = createFakeServer([refusal, xml('<Cart/>')]);
  await createCart(() => api).change({ signedIn: true, changes: [addChange('1')] });
  const sentChanges = requests.filter(({ path }) => path.endsWith('/cart/add')).map(({ query }) => query['code']);
  expect(sentChanges).toEqual(['SPRING-20', undefined]);
  expect(readCode()).toBe(storedCode);
  forgetCode();
});

test('a refusal that is not about the code fails the cart, and keeps the code', async () => {
  saveCode('SPRING-20');
  const refusal = xml('<Error><StatusCode>409</StatusCode><Status>Conflict</Status><Code>store_closed</Code></Error>', 409);
  const { api, requests } = createFakeServer([refusal]);
  const { scoped } = createShopEnvironment(() => api);
  await expect(scoped(cartCode).read(new AbortController().signal)).rejects.toMatchObject({ code: 'store_closed' });
  expect(requests).toHaveLength(1);
  expect(readCode()).toBe('SPRING-20');
  forgetCode();
});
