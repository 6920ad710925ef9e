import { assign, sendParent, setup } from 'xstate';
import type { Medium } from '../model/catalogue/title.ts';
import { outputIn, requestPort } from '../ports.ts';

/** What is shown beside a title that is suggested. */
export type SuggestedTitle = { authors: string[]; medium: Medium | null; coverUrl: string };

/** What somebody who types may mean: a category, an author or a title, and the address that shows it. */
export type Suggestion = {
  kind: 'category' | 'author' | 'title';
  text: string;
  path: string;
  title: SuggestedTitle | null;
};

type Context = {
  /** People type names and numbers into any field. */
  pii: { typed: string };
  suggestions: Suggestion[];
  /** Place of the suggestion that the arrow keys have reached; null for what was typed itself. */
  active: number | null;
  /** Suggestions that were chosen so far. */
  chosen: number;
};

/** Whether there is enough typed to suggest by: fewer letters begin too many words. */
export const isEnough = (typed: string): boolean => typed.trim().length >= 2;

/** Suggests titles, authors and categories while somebody types into the search field. */
export const searchBoxMachine = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'search.typed'; isEnough: boolean; pii: { typed: string } }
      | { type: 'suggestion.moved'; by: 1 | -1 }
      | { type: 'suggestion.chosen'; path: string }
      | { type: 'search.left' };
  },
  actors: {
    /** At most eight; rejects as any call. */
    suggestions: requestPort<Suggestion[], { pii: { typed: string } }>(),
  },
  actions: {
    keepTyped: assign({ pii: (_, { typed }: { typed: string }) => ({ typed }), active: null }),
    keepSuggestions: assign({
      suggestions: (_, suggestions: Suggestion[]) => suggestions,
      active: null,
    }),
    forgetSuggestions: assign({ suggestions: [], active: null }),
    moveActive: assign({
      active: ({ context: { active, suggestions } }, by: 1 | -1) => {
        // What was typed is one more place, between the last suggestion and the first.
        const places = suggestions.length + 1;
        const next = ((active ?? suggestions.length) + by + places) % places;
        return next === suggestions.length ? null : next;
      },
    }),
    countChosen: assign({ chosen: ({ context }) => context.chosen + 1 }),
    goChosen: sendParent((_, to: string) => ({ type: 'go', to, replace: false })),
  },
  guards: {
    isEnough: (_, isEnough: boolean) => isEnough,
    hasNone: (_, suggestions: Suggestion[]) => suggestions.length === 0,
  },
  delays: {
    /** Somebody who types on does not want the answers between. */
    pause: 180,
  },
}).createMachine({
  id: 'searchBox',
  context: { pii: { typed: '' }, suggestions: [], active: null, chosen: 0 },
  initial: 'closed',
  on: {
    'search.typed': [
      {
        guard: { type: 'isEnough', params: ({ event }) => event.isEnough },
        target: '.typing',
        reenter: true,
        actions: { type: 'keepTyped', params: ({ event }) => event.pii },
      },
      { target: '.closed', actions: { type: 'keepTyped', params: ({ event }) => event.pii } },
    ],
    'search.left': '.closed',
  },
  states: {
    closed: { entry: 'forgetSuggestions' },
    typing: { after: { pause: 'asking' } },
    asking: {
      invoke: {
        id: 'suggestions',
        src: 'suggestions',
        input: ({ context }) => ({ pii: context.pii }),
        onDone: [
          { guard: { type: 'hasNone', params: outputIn }, target: 'closed' },
          { target: 'offering', actions: { type: 'keepSuggestions', params: outputIn } },
        ],
        // Suggestions that do not come keep nobody from searching.
        onError: 'closed',
      },
    },
    offering: {
      on: {
        'suggestion.moved': { actions: { type: 'moveActive', params: ({ event }) => event.by } },
        'suggestion.chosen': {
          target: 'closed',
          actions: ['countChosen', { type: 'goChosen', params: ({ event }) => event.path }],
        },
      },
    },
  },
});
