import { assign, sendParent, setup } from 'xstate';
import { failed, fails, keepProblem } from '../loadable.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import type { ContentPage } from '../model/store/content-page.ts';
import type { Problem } from '../model/problem.ts';
import { isMissing, isUnauthorized, outputIn, problemIn, requestPort } from '../ports.ts';

/** A page of the store's own. */
export type ContentPageReference = { page: string };

type Context = { reference: ContentPageReference; page: ContentPage | null; problem: Problem | null };

/** What a store has written: content pages, for everybody or for customers alone. */
export const contentPageMachine = setup({
  types: {} as {
    context: Context;
    events: FlowNews | { type: 'retry.pressed' };
    input: FlowInput;
  },
  actors: {
    /** Rejects with `unauthorized` for a page that is for customers alone. */
    page: requestPort<ContentPage, ContentPageReference>(),
  },
  actions: {
    keepPage: assign({ page: (_, page: ContentPage) => page, problem: null }),
    keepProblem: keepProblem(),
    askSignIn: sendParent({ type: 'signIn.needed', action: null }),
  },
  guards: { isMissing, isUnauthorized },
}).createMachine({
  id: 'page',
  context: ({ input }) => ({
    reference: { page: input.route.params['page'] ?? '' },
    page: null,
    problem: null,
  }),
  initial: 'loading',
  states: {
    loading: {
      meta: { spec: ['S7.pages/page'] },
      tags: 'busy',
      invoke: {
        id: 'page',
        src: 'page',
        input: ({ context }) => context.reference,
        onDone: { target: 'shown', actions: { type: 'keepPage', params: outputIn } },
        onError: [
          { guard: { type: 'isUnauthorized', params: problemIn }, target: 'forCustomers', actions: 'askSignIn' },
          { guard: { type: 'isMissing', params: problemIn }, target: 'notFound' },
          fails,
        ],
      },
      on: { 'language.changed': { target: 'loading', reenter: true } },
    },
    shown: { meta: { spec: ['S2./pages/public'] }, on: { 'language.changed': 'translating' } },
    /** The page stays until its words in the other language are there, or if they do not come. */
    translating: {
      tags: 'busy',
      invoke: {
        id: 'page',
        src: 'page',
        input: ({ context }) => context.reference,
        onDone: { target: 'shown', actions: { type: 'keepPage', params: outputIn } },
        onError: 'shown',
      },
      on: { 'language.changed': { target: 'translating', reenter: true } },
    },
    forCustomers: { meta: { spec: ['S2./pages/private'] }, tags: 'busy' },
    notFound: {},
    failed,
  },
});
