import { expect, test } from 'vitest';
import { getFlowName } from '../../../machines/app/flow-actors.ts';
import { screenMachine } from '../../../machines/app/screen.ts';
import { createRoute, store } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent, isSendEffect, isStartEffect } from '../../support/steps.ts';

test('the route of a missing store is shown by the flow “notFound”', () => {
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

test('the store’s texts in another language are passed to the next page', () => {
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

test('signing out stops the player, after its position is saved [S4.logout-player]', () => {
  const viewer = createRoute({ flow: 'viewer', path: '/viewer?instanceid=i1', access: 'login' });
  const playingStep = stepThrough(screenMachine, { store, route: viewer, userId: 'u1' }, doneEvent('fetchFlow', null));
  const getFlowActor = ({ children }: { children: unknown }): unknown => (children as Record<string, unknown>)['flow'];
  expect(getFlowActor(playingStep.snapshot)).toBeDefined();
  const stepAfterSignOut = stepThrough(screenMachine, { store, route: viewer, userId: 'u1' }, doneEvent('fetchFlow', null), {
    type: 'session.changed',
    userId: null,
    ended: false,
  });
  expect(stepAfterSignOut.snapshot.value).toBe('redirecting');
  expect(getFlowActor(stepAfterSignOut.snapshot)).toBeUndefined();
  // The unsaved listening time is saved first: the player is notified that it is hidden.
  expect(stepAfterSignOut.effects.filter(isSendEffect).map(({ event }) => event.type)).toContain('page.hidden');
});

const typedEmail = { pii: { email: 'reader@example.com' } };
const navigateTo = (to: ReturnType<typeof createRoute>) => [
  { type: 'location.changed', route: to },
  doneEvent('fetchFlow', null),
];
const findFlowInput = ({ effects }: ReturnType<typeof stepThrough>): unknown =>
  effects.filter(isStartEffect).find(({ id }) => id === 'flow')?.input;

test.each(['signIn', 'signUp', 'forgotPassword'] as const)('a typed e-mail address is passed to %s', (flow) => {
  const from = createRoute({ flow: flow === 'signIn' ? 'signUp' : 'signIn', path: '/from' });
  const events = [
    doneEvent('fetchFlow', null),
    { type: 'email.typed', ...typedEmail },
    ...navigateTo(createRoute({ flow, path: '/to' })),
  ];
  expect(findFlowInput(stepThrough(screenMachine, { store, route: from, userId: null }, ...events))).toMatchObject({
    typed: typedEmail,
  });
});

test('data that a page passes on is used by the next page, and by no other', () => {
  const getFlowInputAt = (path: string) => {
    const navigation = { type: 'go', to: '/title/purchase', replace: true, resume: 'pay' };
    const events = [doneEvent('fetchFlow', null), navigation, ...navigateTo(createRoute({ flow: 'purchase', path }))];
    return findFlowInput(stepThrough(screenMachine, { store, route: createRoute(), userId: 'u1' }, ...events));
  };
  expect(getFlowInputAt('/title/purchase')).toMatchObject({ resume: 'pay' });
  expect(getFlowInputAt('/title/other')).toMatchObject({ resume: null });
});

test.each(['signIn', 'signUp'] as const)('a signed-in customer is redirected from %s', (flow) => {
  const { snapshot } = stepThrough(screenMachine, { store, route: createRoute({ flow, path: '/from' }), userId: 'u1' });
  expect(snapshot.value).toBe('redirecting');
});

test.each([
  ['signs in there continues', null, 'u1', 'redirecting'],
  ['signs out there stays', 'u1', null, 'showing'],
])('a customer who returns from a provider and %s', (_, userIdBefore, userId, value) => {
  const input = { store, route: createRoute({ flow: 'providerReturn', path: '/auth0loginCallback' }), userId: userIdBefore };
  const sessionChanged = { type: 'session.changed', userId, ended: false };
  expect(stepThrough(screenMachine, input, doneEvent('fetchFlow', null), sessionChanged).snapshot.value).toBe(value);
});
