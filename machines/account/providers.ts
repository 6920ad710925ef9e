import { assign, sendParent, setup } from 'xstate';
import type { SignInResult } from '../app/session.ts';
import { keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import type { Provider, ProviderChoice } from '../model/account/provider.ts';
import type { AfterSignIn } from '../model/account/after-sign-in.ts';
import { getOutput, getProblem, requestPort } from '../ports.ts';
import { phoneMachine } from './phone.ts';

type Context = {
  /** The page and action to continue with after sign-in. */
  way: AfterSignIn;
  providers: Provider[];
  /** The provider whose button was pressed, with the input of its sign-in. */
  choice: ProviderChoice | null;
  problem: Problem | null;
};

/**
 * Sign-in by identity providers, beside a form. The form does not wait for the list of providers;
 * without the list there are no buttons.
 */
export const providersMachine = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'provider.pressed'; providerId: string; remember: boolean }
      | { type: 'page.returned' }
      | { type: 'phone.closed' }
      | ({ type: 'session.started' } & SignInResult);
    input: { way: AfterSignIn };
  },
  actors: {
    /** The providers in display order; empty if the store has no providers. */
    loadProviders: requestPort<Provider[]>(),
    /**
     * Starts the sign-in, and stores values in this tab to verify the provider's response with.
     * Returns the URL to open, without secrets.
     */
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
    forwardEvent: sendParent(({ event }) => event),
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
          { guard: { type: 'isEmpty', params: getOutput }, target: 'none' },
          { target: 'offered', actions: { type: 'keepProviders', params: getOutput } },
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
        onDone: { target: 'leaving', actions: { type: 'leave', params: getOutput } },
        onError: { target: 'offered', actions: { type: 'keepProblem', params: getProblem } },
      },
    },
    /** The forms for the number and the code replace the buttons. */
    phoning: {
      invoke: { id: 'phone', src: 'phone', input: ({ context }) => ({ remember: context.choice?.remember ?? true }) },
      on: { 'phone.closed': 'offered', 'session.started': { actions: 'forwardEvent' } },
    },
    /** The browser is leaving the page, and may restore it from its back-forward cache. */
    leaving: { tags: 'busy', on: { 'page.returned': 'offered' } },
  },
});
