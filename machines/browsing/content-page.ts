import { assign, sendParent, setup } from 'xstate';
import { failed, toFailed, keepProblem } from '../loadable.ts';
import type { FlowInput, FlowSignal } from '../flows/flow-input.ts';
import type { ContentPage } from '../model/store/content-page.ts';
import type { Problem } from '../model/problem.ts';
import { isMissing, isUnauthorized, getOutput, getProblem, requestPort } from '../ports.ts';

/** The input for loading a content page of the store, by its name. */
export type ContentPageReference = { page: string };

type Context = { reference: ContentPageReference; page: ContentPage | null; problem: Problem | null };

/** Shows a content page of the store, which is public or for customers only. */
export const contentPageMachine = setup({
  types: {} as {
    context: Context;
    events: FlowSignal | { type: 'retry.pressed' };
    input: FlowInput;
  },
  actors: {
    /** Rejects with `unauthorized` if the page is for customers only. */
    page: requestPort<ContentPage, ContentPageReference>(),
  },
  actions: {
    keepPage: assign({ page: (_, page: ContentPage) => page, problem: null }),
    keepProblem: keepProblem(),
    requestSignIn: sendParent({ type: 'signIn.needed', action: null }),
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
        onDone: { target: 'shown', actions: { type: 'keepPage', params: getOutput } },
        onError: [
          { guard: { type: 'isUnauthorized', params: getProblem }, target: 'forCustomers', actions: 'requestSignIn' },
          { guard: { type: 'isMissing', params: getProblem }, target: 'notFound' },
          toFailed,
        ],
      },
      on: { 'language.changed': { target: 'loading', reenter: true } },
    },
    shown: { meta: { spec: ['S2./pages/public'] }, on: { 'language.changed': 'translating' } },
    /** Keeps the page until its translation is loaded, and also if that fails. */
    translating: {
      tags: 'busy',
      invoke: {
        id: 'page',
        src: 'page',
        input: ({ context }) => context.reference,
        onDone: { target: 'shown', actions: { type: 'keepPage', params: getOutput } },
        onError: 'shown',
      },
      on: { 'language.changed': { target: 'translating', reenter: true } },
    },
    forCustomers: { meta: { spec: ['S2./pages/private'] }, tags: 'busy' },
    notFound: {},
    failed,
  },
});
