import { assign, sendParent, setup } from 'xstate';
import type { SignedIn } from '../app/session.ts';
import { failed, fails, keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import type { OwnProvider } from '../model/account/provider.ts';
import { outputIn, problemIn, requestPort } from '../ports.ts';
import { asking, thenShown, type RemovalAnswer } from './removal.ts';
import { phoneMachine } from './phone.ts';

/** What has just become of a provider, by its name; a telephone has none. */
export type ProviderNews = { what: 'connected' | 'removed'; provider: OwnProvider };

type Context = {
  providers: OwnProvider[];
  /** The one that was pressed last. */
  chosen: string | null;
  news: ProviderNews | null;
  problem: Problem | null;
};

const withJoined = (providers: OwnProvider[], providerId: string | null): OwnProvider[] =>
  providers.map((each) => (each.id === providerId ? { ...each, isJoined: true } : each));

const newsOf = ({ providers, chosen }: Context, what: ProviderNews['what']): ProviderNews | null => {
  const provider = providers.find(({ id }) => id === chosen);
  return provider === undefined ? null : { what, provider };
};

/** By whom the customer signs in beside a password and passkeys: joining one of the store's providers to the account, and parting it. */
export const ownProvidersMachine = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'retry.pressed' }
      | { type: 'connect.pressed'; providerId: string }
      | { type: 'remove.pressed'; providerId: string }
      | RemovalAnswer
      | { type: 'page.returned' }
      | { type: 'phone.closed' }
      | ({ type: 'session.started' } & SignedIn);
  },
  actors: {
    /** In the order shown; none where the store has none. */
    loadProviders: requestPort<OwnProvider[]>(),
    /**
     * Begins it, and keeps in this tab what its end is compared with. Gives where to go, without what is secret in it; null for a
     * telephone. Rejects with `refused`: `sign_in_again` for who signed in too long ago, `provider_unreachable`.
     */
    startJoining: requestPort<string | null, { providerId: string }>(),
    /** Its code joins the number: it starts no other session. */
    phone: phoneMachine,
    /**
     * Gives all of them, as they are then. Rejects with `refused`: `last_way_in` where nothing else
     * opens the account, `sign_in_again` for a sign-in of too long ago.
     */
    removeProvider: requestPort<OwnProvider[], { providerId: string }>(),
  },
  actions: {
    keepProviders: assign({ providers: (_, providers: OwnProvider[]) => providers, problem: null }),
    keepChosen: assign({ chosen: (_, providerId: string) => providerId, news: null, problem: null }),
    keepConnected: assign(({ context }) => ({
      news: newsOf(context, 'connected'),
      providers: withJoined(context.providers, context.chosen),
      chosen: null,
    })),
    keepRemoved: assign(({ context }, providers: OwnProvider[]) => ({
      news: newsOf(context, 'removed'),
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
  context: { providers: [], chosen: null, news: null, problem: null },
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'loadProviders',
        src: 'loadProviders',
        onDone: [
          { guard: { type: 'isEmpty', params: outputIn }, target: 'none' },
          { target: 'shown', actions: { type: 'keepProviders', params: outputIn } },
        ],
        onError: fails,
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
          { guard: { type: 'isPhone', params: outputIn }, target: 'phoning' },
          { target: 'leaving', actions: { type: 'leave', params: outputIn } },
        ],
        onError: { target: 'shown', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    /** The browser is on its way, and may come back to this page as it was. */
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
        ...thenShown,
      },
    },
    failed,
  },
});
