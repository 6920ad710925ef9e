import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createActor, setup, type AnyEventObject } from 'xstate';
import { locationMachine } from '../../machines/app/location.ts';
import { historyPort } from '../../src/history/history.ts';
import { createSecretAddresses } from '../../src/history/secret-addresses.ts';
import { findRedirect, parseRoute } from '../../machines/flows/routes.ts';

vi.stubGlobal('scrollTo', () => {});
beforeEach(() => history.replaceState(null, '', '/'));

const currentPath = () => location.pathname + location.search;

/**
 * The location machine on the window's own history, with the events it emits and a way to send it
 * some.
 */
const openHistoryAt = (path: string, recorded?: () => Promise<void>) => {
  history.replaceState(null, '', path);
  return startLocation(recorded);
};

/** The same browser state in a new page that knows nothing of the one before. */
const startLocation = (recorded = async () => {}) => {
  const told: AnyEventObject[] = [];
  const machine = locationMachine.provide({
    actors: { history: historyPort({ secrets: createSecretAddresses(), parseRoute, findRedirect, onLeave: recorded }) },
  });
  const shop = createActor(
    setup({ actors: { location: machine } }).createMachine({
      invoke: { id: 'location', src: 'location' },
      on: { '*': { actions: ({ event }) => void told.push(event) } },
    }),
  ).start();
  const go = (to: string, replace = false) => shop.getSnapshot().children['location']?.send({ type: 'go', to, replace } as never);
  const leave = (url: string) => shop.getSnapshot().children['location']?.send({ type: 'leave', url } as never);
  return { told, go, leave };
};

test.each([
  ['/resetpassword.aspx?token=S3CRET', '/resetpassword/S3CRET'],
  ['/subscription.aspx?code=S3CRET&planid=gold', '/subscription?code=S3CRET&planid=gold'],
])(
  '%s is replaced by %s before a machine sees it [S2.redirect/resetpassword.aspx] [S2.redirect/subscription.aspx]',
  (from, to) => {
    const before = history.length;
    const { told } = openHistoryAt(from);
    expect(currentPath()).toBe(to);
    expect(history.length).toBe(before);
    expect(told).toHaveLength(1);
    expect(JSON.stringify(told)).not.toMatch(/S3CRET|aspx/);
  },
);

test('an old address is redirected, too', () => {
  const { told, go } = openHistoryAt('/');
  go('/resetpassword.aspx');
  expect(currentPath()).toBe('/forgotpassword');
  expect(told.at(-1)).toMatchObject({ route: { flow: 'forgotPassword', path: '/forgotpassword' } });
});

test('Back restores the secret in the address, and no machine receives it', () => {
  const { told, go } = openHistoryAt('/subscription/purchase?planid=gold&code=S3CRET');
  const { path } = (told[0] as AnyEventObject & { route: { path: string } }).route;
  go(`/signin?return=${encodeURIComponent(path)}`);
  expect(currentPath()).not.toContain('S3CRET');
  go(path, true);
  expect(currentPath()).toBe('/subscription/purchase?planid=gold&code=S3CRET');
  expect(JSON.stringify(told)).not.toContain('S3CRET');
});

test('a reload of the sign-in page still leads back to the secret', () => {
  const first = openHistoryAt('/redeem/S3CRET');
  const { path } = (first.told[0] as AnyEventObject & { route: { path: string } }).route;
  first.go(`/signin?return=${encodeURIComponent(path)}`);
  const reloaded = startLocation();
  reloaded.go(path, true);
  expect(currentPath()).toBe('/redeem/S3CRET');
  expect(JSON.stringify([first.told, reloaded.told])).not.toContain('S3CRET');
  reloaded.go('/all');
  expect(JSON.stringify(history.state)).not.toContain('S3CRET');
});

test.each([
  ['/signin', '/redeem/S3CRET'],
  ['/signup', '/subscription/purchase?planid=gold&code=S3CRET'],
  ['/questions', '/title/purchase?titleid=1001&code=S3CRET'],
])('a link to %s that leads back to %s arrives there with the secret', (page, to) => {
  const { told, go } = openHistoryAt(`${page}?return=${encodeURIComponent(to)}&action=redeem`);
  const known = parseRoute(location).query['return'] ?? '';
  expect(known).toContain('…');
  go(`/signup?return=${encodeURIComponent(known)}`);
  const reloaded = startLocation();
  reloaded.go(known, true);
  expect(currentPath()).toBe(to);
  expect(JSON.stringify([told, reloaded.told])).not.toContain('S3CRET');
});

test.each([
  ['/redeem/…', '/redeem'],
  ['/redeem/%E2%80%A6', '/redeem'],
  ['/resetpassword/…', '/forgotpassword'],
  ['/subscription/purchase?planid=gold&code=…', '/subscription/purchase?planid=gold'],
  ['/all?search=…&sort=title', '/all?search=%E2%80%A6&sort=title'],
])('the mark in %s is never a secret: opened and navigated to, it is %s', (marked, without) => {
  openHistoryAt(marked);
  expect(currentPath()).toBe(without);
  const { go } = openHistoryAt('/all');
  go(marked);
  expect(currentPath()).toBe(without);
});

test('a marked address does not replace the known secret', () => {
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
  const { told, go } = openHistoryAt('/all');
  go(to);
  go(to, true);
  expect(currentPath()).toBe('/all');
  expect(told).toHaveLength(1);
});

describe('a visitor who leaves the shop', () => {
  /** The shop as it is left for a place on its own page, so that a test sees the navigation. */
  const leavingFrom = (path: string) => {
    const { promise, resolve: tellThatItIsRecorded } = Promise.withResolvers<void>();
    const opened = openHistoryAt(path, () => promise);
    const gone: string[] = [];
    const note = ({ newURL }: HashChangeEvent): void => void gone.push(new URL(newURL).hash);
    addEventListener('hashchange', note);
    onTestFinished(() => removeEventListener('hashchange', note));
    opened.leave('#payment');
    return { ...opened, gone, tellThatItIsRecorded };
  };

  test('leaves once the events so far are recorded', async () => {
    const { gone, tellThatItIsRecorded } = leavingFrom('/all');
    tellThatItIsRecorded();
    await vi.waitFor(() => expect(gone).toEqual(['#payment']));
  });

  test.each<[string, (go: (to: string) => void) => void]>([
    ['goes to another page', (go) => go('/all?sort=title')],
    ['goes back', () => dispatchEvent(new PopStateEvent('popstate'))],
    ['finds the page as it was left', () => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))],
  ])('and stays if %s before that', async (_, act) => {
    const { go, leave, gone, tellThatItIsRecorded } = leavingFrom('/all');
    act(go);
    tellThatItIsRecorded();
    leave('#later');
    await vi.waitFor(() => expect(gone).toContain('#later'));
    expect(gone).toEqual(['#later']);
  });
});
