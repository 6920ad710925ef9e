// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { createActor, setup, type ActorRefFrom, type AnyActorRef } from 'xstate';
import { createBrowserEnvironment } from '../../../src/shell/app/browser-environment.ts';
import { createSession } from '../../../src/shell/ports/session.ts';
import { fetchStoreProperties } from '../../../src/client/store.ts';
import { saveSession, token } from '../../../src/storage/session-storage.ts';
import { catchRejection } from '../../support/client/fake-environment.ts';

type Answer = (url: URL) => Response | Promise<Response>;

const properties = '<StoreProperties><ShelfId>5</ShelfId></StoreProperties>';
const pendingResponse = new Promise<Response>(() => {});

const environment = createBrowserEnvironment(Promise.resolve());
const { asVisitor } = environment;
const session = createSession(environment);

let answer: Answer;
vi.stubGlobal('fetch', async (request: Request | string) => {
  if (typeof request === 'string') return Response.json({ apiBase: 'https://shop.test/api', storeId: 'demo' });
  const { signal } = request;
  const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  signal.throwIfAborted();
  return Promise.race([answer(new URL(request.url)), aborted]);
});

const hasToken = (url: URL) => url.searchParams.has('accesstoken');

vi.spyOn(console, 'info').mockImplementation(() => undefined);

beforeEach(() => saveSession({ token: 'dead', userId: 'u1', email: 'a@shop.test' }, true));

test.each<[string, () => Response]>([
  ['with 401', () => new Response(null, { status: 401 })],
  ['with 403', () => new Response('Forbidden', { status: 403 })],
  ['as a failure of its own', () => new Response('', { status: 500 })],
  ['under 200, in JSON', () => Response.json({ status: 401, error: 'Expired' })],
  ['with an unreadable answer', () => new Response('token expired')],
])('a store whose server refuses an expired token %s opens for a visitor', async (_, refusal) => {
  answer = (url) => (hasToken(url) ? refusal() : new Response(properties));
  expect((await asVisitor((api) => fetchStoreProperties(api))).shelfId).toBe('5');
});

test('a missing store is not requested again without a token', async () => {
  const requestedUrls: URL[] = [];
  answer = (url) => {
    requestedUrls.push(url);
    return new Response('<Error><Status>Invalid</Status></Error>');
  };
  expect(await catchRejection(asVisitor((api) => fetchStoreProperties(api)))).toEqual({ kind: 'invalidStore' });
  expect(requestedUrls).toHaveLength(1);
});

/** Starts the session below a parent actor, to which it sends events; returns its actor. */
const start = (): ActorRefFrom<typeof session> => {
  const parent = setup({ actors: { session } }).createMachine({ invoke: { id: 'session', src: 'session' } });
  const parentActor: AnyActorRef = createActor(parent).start();
  return (parentActor.getSnapshot() as { children: { session: ActorRefFrom<typeof session> } }).children.session;
};

test('a token that another call found expired is dropped, though its own check has no result', async () => {
  let fail!: (reason: unknown) => void;
  answer = (url) => {
    if (url.pathname.endsWith('/validate')) return new Promise((_, reject) => (fail = reject));
    return hasToken(url) ? new Response(null, { status: 401 }) : new Response(properties);
  };
  const sessionActor = start();
  await vi.waitFor(() => expect(fail).toBeDefined());
  await asVisitor((api) => fetchStoreProperties(api));
  expect(token()).toBeNull();
  // The app sends this event when a call is refused.
  sessionActor.send({ type: 'session.refused' });
  expect(sessionActor.getSnapshot().value).toEqual({ open: 'visitor' });
});

/** Requests to an unreachable server are retried, which takes a while. */
const waitOptions = { timeout: 10_000 };

test('a token stored without a session is validated, and its customer is stored', async () => {
  localStorage.clear();
  localStorage.setItem('id_token', 'alive');
  answer = () => Response.json({ valid: true, userId: 'u7', emailId: 'seven@shop.test' });
  const sessionActor = start();
  await vi.waitFor(() =>
    expect(sessionActor.getSnapshot().context).toMatchObject({ userId: 'u7', pii: { email: 'seven@shop.test' } }),
  );
  expect(localStorage.getItem('userid')).toBe('u7');
});

test('a customer whose token is stored without a session is unknown while the server is unreachable', async () => {
  localStorage.clear();
  localStorage.setItem('id_token', 'alive');
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  const sessionActor = start();
  await vi.waitFor(() => expect(sessionActor.getSnapshot().matches({ open: 'signedIn' })).toBe(true), waitOptions);
  expect(sessionActor.getSnapshot().context).toMatchObject({ userId: 'unknown', pii: { email: '' } });
});

test('a hanging check opens the shop after five seconds, with the session unchanged', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) =>
    ms === 5_000 ? AbortSignal.abort(new DOMException('too slow', 'TimeoutError')) : new AbortController().signal,
  );
  answer = () => pendingResponse;
  const sessionActor = start();
  await vi.waitFor(() => expect(sessionActor.getSnapshot().value).toEqual({ open: 'signedIn' }));
});

test('a customer who signs out in another tab leaves only the record of the visit in this one', async () => {
  answer = () => Response.json({ valid: true, userId: 'u1', emailId: 'a@shop.test' });
  const sessionActor = start();
  await vi.waitFor(() => expect(sessionActor.getSnapshot().matches({ open: 'signedIn' })).toBe(true));
  sessionStorage.setItem('colophon.gift-draft.u1', '{}');
  sessionStorage.setItem('colophon.code', 'A-CODE');
  sessionStorage.setItem('colophon.trace', '{}');
  localStorage.removeItem('id_token');
  dispatchEvent(new StorageEvent('storage', { key: 'id_token', newValue: null }));
  expect(sessionActor.getSnapshot().matches({ open: 'visitor' })).toBe(true);
  expect(Object.keys(sessionStorage)).toEqual(['colophon.trace']);
});

test('a customer who signs in again in another tab, for that tab alone, keeps their stored data', async () => {
  answer = () => Response.json({ valid: true, userId: 'u1', emailId: 'a@shop.test' });
  const sessionActor = start();
  await vi.waitFor(() => expect(sessionActor.getSnapshot().matches({ open: 'signedIn' })).toBe(true));
  const customerKeys = ['colophon.look', 'colophon.place.u1', 'colophon.playback', 'pdfjs.history'];
  for (const key of customerKeys) localStorage.setItem(key, '{}');
  localStorage.removeItem('id_token');
  dispatchEvent(new StorageEvent('storage', { key: 'id_token', newValue: null }));
  expect(sessionActor.getSnapshot().matches({ open: 'visitor' })).toBe(true);
  expect(customerKeys.filter((key) => localStorage.getItem(key) !== null)).toEqual(customerKeys);
});

test('a session that the server has ended leaves no data of its customer', async () => {
  localStorage.setItem('colophon.look', '{}');
  localStorage.setItem('colophon.locale', '"fr"');
  answer = (url) => (hasToken(url) ? new Response(null, { status: 401 }) : new Response(properties));
  await asVisitor((api) => fetchStoreProperties(api));
  expect(Object.keys(localStorage).filter((key) => ['colophon.look', 'colophon.locale', 'id_token'].includes(key))).toEqual([
    'colophon.locale',
  ]);
});
