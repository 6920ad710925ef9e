import { assign, sendParent, setup } from 'xstate';
import type { CameBy } from '../app/session.ts';
import { keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import type { Provider, ProviderChoice } from '../model/account/provider.ts';
import type { AfterSignIn } from '../model/account/after-sign-in.ts';
import { outputIn, problemIn, requestPort } from '../ports.ts';
import { phoneMachine } from './phone.ts';

type Context = {
  /** Where the customer goes on after signing in. */
  way: AfterSignIn;
  providers: Provider[];
  /** The one that was pressed, with all that it has to know. */
  choice: ProviderChoice | null;
  problem: Problem | null;
};

/** Signing in by somebody else's word, beside a form. The form never waits for it: without a list there is nothing to press. */
export const providersMachine = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'provider.pressed'; providerId: string; remember: boolean }
      | { type: 'page.returned' }
      | { type: 'phone.closed' }
      | ({ type: 'session.started' } & CameBy);
    input: { way: AfterSignIn };
  },
  actors: {
    /** In the order shown; none where the store has none. */
    loadProviders: requestPort<Provider[]>(),
    /** Begins the sign-in and keeps in this tab what its end is compared with. Gives where to go, without what is secret in it. */
    startSignIn: requestPort<string, ProviderChoice>(),
    phone: phoneMachine,
  },
  actions: {
    keepProviders: assign({ providers: (_, providers: Provider[]) => providers }),
    keepChoice: assign({
      choice: ({ context: { way } }, { providerId, remember }: Omit<ProviderChoice, 'way'>) => ({ providerId, remember, way }),
      problem: null,
    }),
    dropChoice: assign({ choice: null }),
    keepProblem: keepProblem(),
    passOn: sendParent(({ event }) => event),
    leave: sendParent((_, url: string) => ({ type: 'leave', url })),
  },
  guards: {
    isEmpty: (_, providers: Provider[]) => providers.length === 0,
    isPhone: ({ context }, providerId: string) => context.providers.some(({ id, kind }) => id === providerId && kind === 'phone'),
    isOffered: ({ context }, providerId: string) => context.providers.some(({ id }) => id === providerId),
  },
}).createMachine({
  id: 'providers',
  context: ({ input: { way } }) => ({ way, providers: [], choice: null, problem: null }),
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id: 'loadProviders',
        src: 'loadProviders',
        onDone: [
          { guard: { type: 'isEmpty', params: outputIn }, target: 'none' },
          { target: 'offered', actions: { type: 'keepProviders', params: outputIn } },
        ],
        onError: 'none',
      },
    },
    none: {},
    offered: {
      meta: { spec: ['S2.signin/providers', 'S2.signup/providers'] },
      entry: 'dropChoice',
      on: {
        'provider.pressed': [
          {
            guard: { type: 'isPhone', params: ({ event }) => event.providerId },
            target: 'phoning',
            actions: { type: 'keepChoice', params: ({ event }) => event },
          },
          {
            guard: { type: 'isOffered', params: ({ event }) => event.providerId },
            target: 'starting',
            actions: { type: 'keepChoice', params: ({ event }) => event },
          },
        ],
      },
    },
    starting: {
      tags: 'busy',
      invoke: {
        id: 'startSignIn',
        src: 'startSignIn',
        input: ({ context: { choice, way } }) => choice ?? { providerId: '', remember: false, way },
        onDone: { target: 'leaving', actions: { type: 'leave', params: outputIn } },
        onError: { target: 'offered', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    /** The number and the code take the place of the buttons. */
    phoning: {
      invoke: { id: 'phone', src: 'phone', input: ({ context }) => ({ remember: context.choice?.remember ?? true }) },
      on: { 'phone.closed': 'offered', 'session.started': { actions: 'passOn' } },
    },
    /** The browser is on its way, and may come back to this page as it was. */
    leaving: { tags: 'busy', on: { 'page.returned': 'offered' } },
  },
});
