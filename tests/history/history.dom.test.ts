import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createActor, setup, type AnyEventObject } from 'xstate';
import { locationMachine } from '../../machines/app/location.ts';
import { createHistoryPort } from '../../src/history/history.ts';
import { createSecretAddresses } from '../../src/history/secret-addresses.ts';
import { findRedirect, parseRoute } from '../../machines/flows/routes.ts';

vi.stubGlobal('scrollTo', () => {});
beforeEach(() => history.replaceState(null, '', '/'));

const currentPath = () => location.pathname + location.search;

/**
 * Opens a path in the window's history and starts the location machine there. Returns the emitted
 * events, and functions that send an event.
 */
const openHistoryAt = (path: string, onLeave?: () => Promise<void>) => {
  history.replaceState(null, '', path);
  return startLocation(onLeave);
};

/** Starts the location machine on the current history, as a reload does. */
const startLocation = (onLeave = async () => {}) => {
  const events: AnyEventObject[] = [];
  const machine = locationMachine.provide({
    actors: { history: createHistoryPort({ secrets: createSecretAddresses(), parseRoute, findRedirect, onLeave }) },
  });
  const shop = createActor(
    setup({ actors: { location: machine } }).createMachine({
      invoke: { id: 'location', src: 'location' },
      on: { '*': { actions: ({ event }) => void events.push(event) } },
    }),
  ).start();
  const go = (to: string, replace = false) => shop.getSnapshot().children['location']?.send({ type: 'go', to, replace } as never);
  const leave = (url: string) => shop.getSnapshot().children['location']?.send({ type: 'leave', url } as never);
  return { events, go, leave };
};

test.each([
  ['/resetpassword.aspx?token=S3CRET', '/resetpassword/S3CRET'],
  ['/subscription.aspx?code=S3CRET&planid=gold', '/subscription?code=S3CRET&planid=gold'],
])(
  '%s is replaced by %s before a machine receives it [S2.redirect/resetpassword.aspx] [S2.redirect/subscription.aspx]',
  (from, to) => {
    const lengthBefore = history.length;
    const { events } = openHistoryAt(from);
    expect(currentPath()).toBe(to);
    expect(history.length).toBe(lengthBefore);
    expect(events).toHaveLength(1);
    expect(JSON.stringify(events)).not.toMatch(/S3CRET|aspx/);
  },
);

test('a navigation to an address of the previous shop is redirected', () => {
  const { events, go } = openHistoryAt('/');
  go('/resetpassword.aspx');
  expect(currentPath()).toBe('/forgotpassword');
  expect(events.at(-1)).toMatchObject({ route: { flow: 'forgotPassword', path: '/forgotpassword' } });
});

test('a return to an address restores its secret, which no machine receives', () => {
  const { events, go } = openHistoryAt('/subscription/purchase?planid=gold&code=S3CRET');
  const { path } = (events[0] as AnyEventObject & { route: { path: string } }).route;
  go(`/signin?return=${encodeURIComponent(path)}`);
  expect(currentPath()).not.toContain('S3CRET');
  go(path, true);
  expect(currentPath()).toBe('/subscription/purchase?planid=gold&code=S3CRET');
  expect(JSON.stringify(events)).not.toContain('S3CRET');
});

test('a reload of the sign-in page still leads back to the secret', () => {
  const firstPage = openHistoryAt('/redeem/S3CRET');
  const { path } = (firstPage.events[0] as AnyEventObject & { route: { path: string } }).route;
  firstPage.go(`/signin?return=${encodeURIComponent(path)}`);
  const reloadedPage = startLocation();
  reloadedPage.go(path, true);
  expect(currentPath()).toBe('/redeem/S3CRET');
  expect(JSON.stringify([firstPage.events, reloadedPage.events])).not.toContain('S3CRET');
  reloadedPage.go('/all');
  expect(JSON.stringify(history.state)).not.toContain('S3CRET');
});

test.each([
  ['/signin', '/redeem/S3CRET'],
  ['/signup', '/subscription/purchase?planid=gold&code=S3CRET'],
  ['/questions', '/title/purchase?titleid=1001&code=S3CRET'],
])('a link to %s that leads back to %s arrives there with the secret', (page, to) => {
  const { events, go } = openHistoryAt(`${page}?return=${encodeURIComponent(to)}&action=redeem`);
  const returnPath = parseRoute(location).query['return'] ?? '';
  expect(returnPath).toContain('…');
  go(`/signup?return=${encodeURIComponent(returnPath)}`);
  const reloadedPage = startLocation();
  reloadedPage.go(returnPath, true);
  expect(currentPath()).toBe(to);
  expect(JSON.stringify([events, reloadedPage.events])).not.toContain('S3CRET');
});

test.each([
  ['/redeem/…', '/redeem'],
  ['/redeem/%E2%80%A6', '/redeem'],
  ['/resetpassword/…', '/forgotpassword'],
  ['/subscription/purchase?planid=gold&code=…', '/subscription/purchase?planid=gold'],
  ['/all?search=…&sort=title', '/all?search=%E2%80%A6&sort=title'],
])('the placeholder in %s is no secret: opened or navigated to, the path becomes %s', (markedPath, expectedPath) => {
  openHistoryAt(markedPath);
  expect(currentPath()).toBe(expectedPath);
  const { go } = openHistoryAt('/all');
  go(markedPath);
  expect(currentPath()).toBe(expectedPath);
});

test('an address with a placeholder does not replace the known secret', () => {
  const { go } = openHistoryAt('/redeem/S3CRET');
  go('/signin?return=%2Fredeem%2F%E2%80%A6');
  go('/redeem/…');
  expect(currentPath()).toBe('/redeem/S3CRET');
  go('/signin?return=%2Fredeem%2F%E2%80%A6');
  history.replaceState(null, '', '/signin?return=%2Fredeem%2F%E2%80%A6');
  dispatchEvent(new PopStateEvent('popstate'));
  go('/redeem/…');
  expect(currentPath()).toBe('/redeem/S3CRET');
});

test.each(['https://evil.example/', '//evil.example/', 'javascript:alert(1)'])('%s is not navigated to', (to) => {
  const { events, go } = openHistoryAt('/all');
  go(to);
  go(to, true);
  expect(currentPath()).toBe('/all');
  expect(events).toHaveLength(1);
});

describe('a visitor who leaves the shop', () => {
  /** Leaves the shop for a fragment of its own page, since a test can observe that navigation. */
  const leaveFrom = (path: string) => {
    const { promise, resolve: completeRecording } = Promise.withResolvers<void>();
    const page = openHistoryAt(path, () => promise);
    const visitedHashes: string[] = [];
    const onHashChange = ({ newURL }: HashChangeEvent): void => void visitedHashes.push(new URL(newURL).hash);
    addEventListener('hashchange', onHashChange);
    onTestFinished(() => removeEventListener('hashchange', onHashChange));
    page.leave('#payment');
    return { ...page, visitedHashes, completeRecording };
  };

  test('a visitor leaves the shop once the events so far are recorded', async () => {
    const { visitedHashes, completeRecording } = leaveFrom('/all');
    completeRecording();
    await vi.waitFor(() => expect(visitedHashes).toEqual(['#payment']));
  });

  test.each<[string, (go: (to: string) => void) => void]>([
    ['goes to another page', (go) => go('/all?sort=title')],
    ['goes back', () => dispatchEvent(new PopStateEvent('popstate'))],
    [
      'returns to the page in the back/forward cache',
      () => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
    ],
  ])('a visitor who %s before the events are recorded stays in the shop', async (_, act) => {
    const { go, leave, visitedHashes, completeRecording } = leaveFrom('/all');
    act(go);
    completeRecording();
    leave('#later');
    await vi.waitFor(() => expect(visitedHashes).toContain('#later'));
    expect(visitedHashes).toEqual(['#later']);
  });
});
