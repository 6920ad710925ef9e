import { assign, sendParent, setup } from 'xstate';
import type { Medium } from '../model/catalogue/title.ts';
import { getOutput, requestPort } from '../ports.ts';

/** The details shown with a suggested title. */
export type SuggestedTitle = { authors: string[]; medium: Medium | null; coverUrl: string };

/** A suggestion for the typed text: a category, author or title, and the path of its page. */
export type Suggestion = {
  kind: 'category' | 'author' | 'title';
  text: string;
  path: string;
  title: SuggestedTitle | null;
};

type Context = {
  /** The typed text, which may contain personal data: customers type names into any field. */
  pii: { typed: string };
  suggestions: Suggestion[];
  /** Index of the suggestion that the arrow keys selected; null for the typed text itself. */
  active: number | null;
  /** The number of suggestions that were chosen so far. */
  chosen: number;
};

/** Whether a text is long enough for suggestions: a shorter text matches too many words. */
export const isLongEnough = (text: string): boolean => text.trim().length >= 2;

/** Suggests titles, authors and categories while the customer types into the search field. */
export const searchBoxMachine = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'search.typed'; isEnough: boolean; pii: { typed: string } }
      | { type: 'suggestion.moved'; by: 1 | -1 }
      | { type: 'suggestion.chosen'; path: string }
      | { type: 'search.closed' };
  },
  actors: {
    /** At most eight suggestions; rejects like any call. */
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
      active: ({ context: { active, suggestions } }, step: 1 | -1) => {
        // The typed text is one more position, between the last suggestion and the first.
        const positionCount = suggestions.length + 1;
        const nextIndex = ((active ?? suggestions.length) + step + positionCount) % positionCount;
        return nextIndex === suggestions.length ? null : nextIndex;
      },
    }),
    countSuggestionChoice: assign({ chosen: ({ context }) => context.chosen + 1 }),
    goChosen: sendParent((_, to: string) => ({ type: 'go', to, replace: false })),
  },
  guards: {
    isEnough: (_, isEnough: boolean) => isEnough,
    hasNone: (_, suggestions: Suggestion[]) => suggestions.length === 0,
  },
  delays: {
    /** Debounce in ms: no requests while the customer is still typing. */
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
    'search.closed': '.closed',
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
          { guard: { type: 'hasNone', params: getOutput }, target: 'closed' },
          { target: 'offering', actions: { type: 'keepSuggestions', params: getOutput } },
        ],
        // Failed suggestions must not block the search.
        onError: 'closed',
      },
    },
    offering: {
      on: {
        'suggestion.moved': { actions: { type: 'moveActive', params: ({ event }) => event.by } },
        'suggestion.chosen': {
          target: 'closed',
          actions: ['countSuggestionChoice', { type: 'goChosen', params: ({ event }) => event.path }],
        },
      },
    },
  },
});
