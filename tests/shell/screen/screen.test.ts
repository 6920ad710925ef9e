import { expect, test } from 'vitest';
import { flowOf } from '../../../machines/app/flow-actors.ts';
import { screenMachine } from '../../../machines/app/screen.ts';
import { route, store } from '../../../machines/path-models/path-model.ts';
import { after, contextOf, done, isSend, isStart } from '../../support/steps.ts';

test('what the app shows itself is found in no flow', () => {
  expect([flowOf(route({ flow: 'invalid' })), flowOf(route({ flow: 'title' }))]).toEqual(['notFound', 'title']);
});

test('who has signed in without a way back goes home', () => {
  const input = { store, route: route({ flow: 'signIn', path: '/signin' }), userId: null };
  const events = [done('fetchFlow', null), { type: 'session.changed', userId: 'u1', ended: false }];
  expect(after(screenMachine, input, ...events).effects.filter(isSend)).toMatchObject([
    { event: { type: 'page.hidden' } },
    { event: { type: 'go', to: '/' } },
  ]);
});

test('a store that speaks another language is handed to the next page', () => {
  const input = { store, route: route(), userId: null };
  const french = { ...store, shelfName: 'Le port' };
  const step = after(screenMachine, input, done('fetchFlow', null), { type: 'language.changed', words: { store: french } });
  expect(contextOf(step)['store']).toEqual(french);
});

test('a page that needs sign-in is not even fetched for a visitor', () => {
  const library = route({ flow: 'library', path: '/mylibrary', access: 'login' });
  const { snapshot, effects } = after(screenMachine, { store, route: library, userId: null });
  expect(snapshot.value).toBe('redirecting');
  expect(effects.filter(({ kind }) => kind === 'start')).toEqual([]);
});

test('signing out while something plays stops it; whoever signs in next begins anew [S4.logout-player]', () => {
  const viewer = route({ flow: 'viewer', path: '/viewer?instanceid=i1', access: 'login' });
  const playing = after(screenMachine, { store, route: viewer, userId: 'u1' }, done('fetchFlow', null));
  const flowIn = ({ children }: { children: unknown }): unknown => (children as Record<string, unknown>)['flow'];
  expect(flowIn(playing.snapshot)).toBeDefined();
  const left = after(screenMachine, { store, route: viewer, userId: 'u1' }, done('fetchFlow', null), {
    type: 'session.changed',
    userId: null,
    ended: false,
  });
  expect(left.snapshot.value).toBe('redirecting');
  expect(flowIn(left.snapshot)).toBeUndefined();
  // What is spent is saved first: the player hears that it goes out of sight.
  expect(left.effects.filter(isSend).map(({ event }) => event.type)).toContain('page.hidden');
});

const typed = { pii: { email: 'reader@example.com' } };
const went = (to: ReturnType<typeof route>) => [{ type: 'location.changed', route: to }, done('fetchFlow', null)];
const inputOfFlow = ({ effects }: ReturnType<typeof after>): unknown =>
  effects.filter(isStart).find(({ id }) => id === 'flow')?.input;

test.each(['signIn', 'signUp', 'forgotPassword'] as const)('an address that was typed is handed on to %s', (flow) => {
  const from = route({ flow: flow === 'signIn' ? 'signUp' : 'signIn', path: '/from' });
  const events = [done('fetchFlow', null), { type: 'email.typed', ...typed }, ...went(route({ flow, path: '/to' }))];
  expect(inputOfFlow(after(screenMachine, { store, route: from, userId: null }, ...events))).toMatchObject({ typed });
});

test('what a page hands on is taken up on the next one, and nowhere else', () => {
  const at = (path: string) => {
    const handed = { type: 'go', to: '/title/purchase', replace: true, resume: 'pay' };
    const events = [done('fetchFlow', null), handed, ...went(route({ flow: 'purchase', path }))];
    return inputOfFlow(after(screenMachine, { store, route: route(), userId: 'u1' }, ...events));
  };
  expect(at('/title/purchase')).toMatchObject({ resume: 'pay' });
  expect(at('/title/other')).toMatchObject({ resume: null });
});

test.each(['signIn', 'signUp'] as const)('who is signed in sees no %s', (flow) => {
  const { snapshot } = after(screenMachine, { store, route: route({ flow, path: '/from' }), userId: 'u1' });
  expect(snapshot.value).toBe('redirecting');
});

test.each([
  ['signs in there goes on', null, 'u1', 'redirecting'],
  ['signs out there stays', 'u1', null, 'showing'],
])('who comes back from a provider and %s', (_, before, userId, value) => {
  const input = { store, route: route({ flow: 'providerReturn', path: '/auth0loginCallback' }), userId: before };
  const changed = { type: 'session.changed', userId, ended: false };
  expect(after(screenMachine, input, done('fetchFlow', null), changed).snapshot.value).toBe(value);
});
