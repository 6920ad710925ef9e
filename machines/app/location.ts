import { assign, sendParent, sendTo, setup } from 'xstate';
import type { Route } from '../flows/route.ts';
import { channelPort } from '../ports.ts';

export type HistoryCommand =
  | { type: 'history.push'; to: string }
  | { type: 'history.replace'; to: string }
  | { type: 'history.leave'; url: string };
export type HistoryFact = { type: 'history.changed'; route: Route } | { type: 'page.returned' } | { type: 'page.hidden' };

type Events = HistoryFact | { type: 'go'; to: string; replace: boolean } | { type: 'leave'; url: string };

/**
 * The only owner of the URL: reports the current route, navigates, and leaves for other sites such
 * as payment pages.
 */
export const locationMachine = setup({
  types: {} as { context: { route: Route | null }; events: Events },
  actors: {
    /**
     * The browser's history: reports the first route at once, then every change, including by Back
     * and Forward.
     */
    history: channelPort<HistoryCommand, HistoryFact>(),
  },
  actions: {
    keepRoute: assign({ route: (_, route: Route) => route }),
    reportRoute: sendParent((_, route: Route) => ({ type: 'location.changed', route })),
    reportPage: sendParent(({ event }) => ({ type: event.type })),
    push: sendTo('history', (_, to: string) => ({ type: 'history.push', to })),
    replace: sendTo('history', (_, to: string) => ({ type: 'history.replace', to })),
    depart: sendTo('history', (_, url: string) => ({ type: 'history.leave', url })),
  },
  guards: {
    replaces: (_, replace: boolean) => replace,
  },
}).createMachine({
  id: 'location',
  context: { route: null },
  invoke: { id: 'history', src: 'history' },
  on: {
    'history.changed': {
      actions: [
        { type: 'keepRoute', params: ({ event }) => event.route },
        { type: 'reportRoute', params: ({ event }) => event.route },
      ],
    },
    go: [
      {
        guard: { type: 'replaces', params: ({ event }) => event.replace },
        actions: { type: 'replace', params: ({ event }) => event.to },
      },
      { actions: { type: 'push', params: ({ event }) => event.to } },
    ],
    'page.hidden': { actions: 'reportPage' },
  },
  initial: 'here',
  states: {
    here: {
      on: { leave: { target: 'leaving', actions: { type: 'depart', params: ({ event }) => event.url } } },
    },
    leaving: {
      on: {
        'page.returned': { target: 'here', actions: 'reportPage' },
        'history.changed': {
          target: 'here',
          actions: [
            { type: 'keepRoute', params: ({ event }) => event.route },
            { type: 'reportRoute', params: ({ event }) => event.route },
          ],
        },
      },
    },
  },
});
