import { assign, sendParent, setup } from 'xstate';
import { outputIn, requestPort } from './ports.ts';

/** What somebody who types may mean: a category, an author or a title, and the address that shows it. */
export type Suggestion = { kind: 'category' | 'author' | 'title'; text: string; path: string };

type Context = {
  typed: string;
  suggestions: Suggestion[];
  /** Place of the suggestion that the arrow keys have reached; null for what was typed itself. */
  active: number | null;
};

/** Fewer letters than this begin too many words. */
const fewestLetters = 2;

/** Suggests titles, authors and categories while somebody types into the search field. */
export const finderMachine = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'search.typed'; typed: string }
      | { type: 'suggestion.moved'; by: 1 | -1 }
      | { type: 'suggestion.chosen'; path: string }
      | { type: 'search.left' };
  },
  actors: {
    /** At most eight; rejects as any call. */
    suggestions: requestPort<Suggestion[], { typed: string }>(),
  },
  actions: {
    keepTyped: assign({ typed: (_, typed: string) => typed, active: null }),
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
    goChosen: sendParent((_, to: string) => ({ type: 'go', to, replace: false })),
  },
  guards: {
    isEnough: (_, typed: string) => typed.trim().length >= fewestLetters,
    hasNone: (_, suggestions: Suggestion[]) => suggestions.length === 0,
  },
  delays: {
    /** Somebody who types on does not want the answers between. */
    pause: 180,
  },
}).createMachine({
  id: 'finder',
  context: { typed: '', suggestions: [], active: null },
  initial: 'closed',
  on: {
    'search.typed': [
      {
        guard: { type: 'isEnough', params: ({ event }) => event.typed },
        target: '.typing',
        reenter: true,
        actions: { type: 'keepTyped', params: ({ event }) => event.typed },
      },
      { target: '.closed', actions: { type: 'keepTyped', params: ({ event }) => event.typed } },
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
        input: ({ context }) => ({ typed: context.typed }),
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
          actions: { type: 'goChosen', params: ({ event }) => event.path },
        },
      },
    },
  },
});
