import { expect, test } from 'vitest';
import { getFlowName } from '../../../machines/app/flow-actors.ts';
import { screenMachine } from '../../../machines/app/screen.ts';
import { createRoute, store } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent, isSendEffect, isStartEffect } from '../../support/steps.ts';

test('screens of the app itself are in no flow', () => {
  expect([getFlowName(createRoute({ flow: 'invalid' })), getFlowName(createRoute({ flow: 'title' }))]).toEqual([
    'notFound',
    'title',
  ]);
});

test('a customer who signs in without a way back goes to the home page', () => {
  const input = { store, route: createRoute({ flow: 'signIn', path: '/signin' }), userId: null };
  const events = [doneEvent('fetchFlow', null), { type: 'session.changed', userId: 'u1', ended: false }];
  expect(stepThrough(screenMachine, input, ...events).effects.filter(isSendEffect)).toMatchObject([
    { event: { type: 'page.hidden' } },
    { event: { type: 'go', to: '/' } },
  ]);
});

test('a store in another language is passed to the next page', () => {
  const input = { store, route: createRoute(), userId: null };
  const french = { ...store, shelfName: 'Le port' };
  const step = stepThrough(screenMachine, input, doneEvent('fetchFlow', null), {
    type: 'language.changed',
    words: { store: french },
  });
  expect(getContext(step)['store']).toEqual(french);
});

test('a page that needs sign-in is not even fetched for a visitor', () => {
  const library = createRoute({ flow: 'library', path: '/mylibrary', access: 'login' });
  const { snapshot, effects } = stepThrough(screenMachine, { store, route: library, userId: null });
  expect(snapshot.value).toBe('redirecting');
  expect(effects.filter(({ kind }) => kind === 'start')).toEqual([]);
});

test('signing out stops the player; the next customer starts over [S4.logout-player]', () => {
  const viewer = createRoute({ flow: 'viewer', path: '/viewer?instanceid=i1', access: 'login' });
  const playing = stepThrough(screenMachine, { store, route: viewer, userId: 'u1' }, doneEvent('fetchFlow', null));
  const flowIn = ({ children }: { children: unknown }): unknown => (children as Record<string, unknown>)['flow'];
  expect(flowIn(playing.snapshot)).toBeDefined();
  const left = stepThrough(screenMachine, { store, route: viewer, userId: 'u1' }, doneEvent('fetchFlow', null), {
    type: 'session.changed',
    userId: null,
    ended: false,
  });
  expect(left.snapshot.value).toBe('redirecting');
  expect(flowIn(left.snapshot)).toBeUndefined();
  // The unsaved listening time is saved first: the player is notified that it is hidden.
  expect(left.effects.filter(isSendEffect).map(({ event }) => event.type)).toContain('page.hidden');
});

const typed = { pii: { email: 'reader@example.com' } };
const navigateTo = (to: ReturnType<typeof createRoute>) => [
  { type: 'location.changed', route: to },
  doneEvent('fetchFlow', null),
];
const findFlowInput = ({ effects }: ReturnType<typeof stepThrough>): unknown =>
  effects.filter(isStartEffect).find(({ id }) => id === 'flow')?.input;

test.each(['signIn', 'signUp', 'forgotPassword'] as const)('a typed address is passed to %s', (flow) => {
  const from = createRoute({ flow: flow === 'signIn' ? 'signUp' : 'signIn', path: '/from' });
  const events = [
    doneEvent('fetchFlow', null),
    { type: 'email.typed', ...typed },
    ...navigateTo(createRoute({ flow, path: '/to' })),
  ];
  expect(findFlowInput(stepThrough(screenMachine, { store, route: from, userId: null }, ...events))).toMatchObject({ typed });
});

test('data that a page passes on is used by the next page, and by no other', () => {
  const at = (path: string) => {
    const handed = { type: 'go', to: '/title/purchase', replace: true, resume: 'pay' };
    const events = [doneEvent('fetchFlow', null), handed, ...navigateTo(createRoute({ flow: 'purchase', path }))];
    return findFlowInput(stepThrough(screenMachine, { store, route: createRoute(), userId: 'u1' }, ...events));
  };
  expect(at('/title/purchase')).toMatchObject({ resume: 'pay' });
  expect(at('/title/other')).toMatchObject({ resume: null });
});

test.each(['signIn', 'signUp'] as const)('a signed-in customer sees no %s', (flow) => {
  const { snapshot } = stepThrough(screenMachine, { store, route: createRoute({ flow, path: '/from' }), userId: 'u1' });
  expect(snapshot.value).toBe('redirecting');
});

test.each([
  ['signs in there continues', null, 'u1', 'redirecting'],
  ['signs out there stays', 'u1', null, 'showing'],
])('a customer who returns from a provider and %s', (_, before, userId, value) => {
  const input = { store, route: createRoute({ flow: 'providerReturn', path: '/auth0loginCallback' }), userId: before };
  const changed = { type: 'session.changed', userId, ended: false };
  expect(stepThrough(screenMachine, input, doneEvent('fetchFlow', null), changed).snapshot.value).toBe(value);
});
