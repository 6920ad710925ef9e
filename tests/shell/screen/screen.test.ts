import { expect, test } from 'vitest';
import { flowOf } from '../../../machines/app/flow-actors.ts';
import { screenMachine } from '../../../machines/app/screen.ts';
import { route, store } from '../../support/path-model.ts';
import { after, contextOf, done, isSend } from '../../support/steps.ts';

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
