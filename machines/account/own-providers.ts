import { assign, sendParent, setup } from 'xstate';
import type { SignedInUser } from '../app/session.ts';
import { failed, toFailed, keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import type { OwnProvider } from '../model/account/provider.ts';
import { getOutput, getProblem, requestPort } from '../ports.ts';
import { asking, showAfterRemoval, type RemovalDecision } from './removal.ts';
import { phoneMachine } from './phone.ts';

/** The provider that was just connected or removed. A telephone has no provider name. */
export type ProviderNotice = { what: 'connected' | 'removed'; provider: OwnProvider };

type Context = {
  providers: OwnProvider[];
  /** The provider whose button was pressed last. */
  chosen: string | null;
  notice: ProviderNotice | null;
  problem: Problem | null;
};

const markConnected = (providers: OwnProvider[], providerId: string | null): OwnProvider[] =>
  providers.map((each) => (each.id === providerId ? { ...each, isJoined: true } : each));

const toNotice = ({ providers, chosen }: Context, kind: ProviderNotice['what']): ProviderNotice | null => {
  const provider = providers.find(({ id }) => id === chosen);
  return provider === undefined ? null : { what: kind, provider };
};

/**
 * The providers by which the customer can sign in, besides password and passkeys: connects one of
 * the store's providers to the account, or removes it.
 */
export const ownProvidersMachine = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'retry.pressed' }
      | { type: 'connect.pressed'; providerId: string }
      | { type: 'remove.pressed'; providerId: string }
      | RemovalDecision
      | { type: 'page.returned' }
      | { type: 'phone.closed' }
      | ({ type: 'session.started' } & SignedInUser);
  },
  actors: {
    /** The providers in display order; empty if the store has no providers. */
    loadProviders: requestPort<OwnProvider[]>(),
    /**
     * Starts connecting a provider, and stores values in this tab to verify its response with.
     * Returns the URL to open, without secrets; null for a telephone. Rejects with `refused`:
     * `sign_in_again` if the sign-in is not recent, `provider_unreachable`.
     */
    startJoining: requestPort<string | null, { providerId: string }>(),
    /** The code adds the telephone number to the account and starts no new session. */
    phone: phoneMachine,
    /**
     * Returns all providers after the change. Rejects with `refused`: `last_way_in` if no other
     * sign-in method remains, `sign_in_again` if the sign-in is not recent.
     */
    removeProvider: requestPort<OwnProvider[], { providerId: string }>(),
  },
  actions: {
    keepProviders: assign({ providers: (_, providers: OwnProvider[]) => providers, problem: null }),
    keepChosen: assign({ chosen: (_, providerId: string) => providerId, notice: null, problem: null }),
    keepConnected: assign(({ context }) => ({
      notice: toNotice(context, 'connected'),
      providers: markConnected(context.providers, context.chosen),
      chosen: null,
    })),
    keepRemoved: assign(({ context }, providers: OwnProvider[]) => ({
      notice: toNotice(context, 'removed'),
      providers,
      chosen: null,
    })),
    keepProblem: keepProblem(),
    leave: sendParent((_, url: string | null) => ({ type: 'leave', url: url ?? '' })),
  },
  guards: {
    isEmpty: (_, providers: OwnProvider[]) => providers.length === 0,
    canConnect: ({ context }, providerId: string) => context.providers.some(({ id, isJoined }) => id === providerId && !isJoined),
    isJoined: ({ context }, providerId: string) => context.providers.some(({ id, isJoined }) => id === providerId && isJoined),
    isPhone: (_, url: string | null) => url === null,
  },
}).createMachine({
  id: 'ownProviders',
  context: { providers: [], chosen: null, notice: null, problem: null },
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'loadProviders',
        src: 'loadProviders',
        onDone: [
          { guard: { type: 'isEmpty', params: getOutput }, target: 'none' },
          { target: 'shown', actions: { type: 'keepProviders', params: getOutput } },
        ],
        onError: toFailed,
      },
    },
    /** The store has no providers. */
    none: {},
    shown: {
      on: {
        'connect.pressed': {
          guard: { type: 'canConnect', params: ({ event }) => event.providerId },
          target: 'starting',
          actions: { type: 'keepChosen', params: ({ event }) => event.providerId },
        },
        'remove.pressed': {
          guard: { type: 'isJoined', params: ({ event }) => event.providerId },
          target: 'asking',
          actions: { type: 'keepChosen', params: ({ event }) => event.providerId },
        },
      },
    },
    starting: {
      tags: 'busy',
      invoke: {
        id: 'startJoining',
        src: 'startJoining',
        input: ({ context }) => ({ providerId: context.chosen ?? '' }),
        onDone: [
          { guard: { type: 'isPhone', params: getOutput }, target: 'phoning' },
          { target: 'leaving', actions: { type: 'leave', params: getOutput } },
        ],
        onError: { target: 'shown', actions: { type: 'keepProblem', params: getProblem } },
      },
    },
    /** The browser is leaving the page, and may restore it from its back-forward cache. */
    leaving: { tags: 'busy', on: { 'page.returned': 'shown' } },
    phoning: {
      invoke: { id: 'phone', src: 'phone', input: { remember: true } },
      on: { 'phone.closed': 'shown', 'session.started': { target: 'shown', actions: 'keepConnected' } },
    },
    asking,
    removing: {
      tags: 'busy',
      invoke: {
        id: 'removeProvider',
        src: 'removeProvider',
        input: ({ context }) => ({ providerId: context.chosen ?? '' }),
        ...showAfterRemoval,
      },
    },
    failed,
  },
});
