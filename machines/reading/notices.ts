import { assign, setup } from 'xstate';
import type { Problem } from '../model/problem.ts';
import { noPlace, createPlaceActions, placeGuards, wayBack, type PlaceContext, type PlaceEvents } from './reading-place.ts';

type Context = PlaceContext & {
  /** The reason why the last skipped chapter failed to load. */
  skipped: Problem | null;
};

type Events = PlaceEvents | { type: 'book.skipped'; problem: Problem } | { type: 'skipped.dismissed' };

/**
 * The notices below a page: the link back to where a link was followed, and a skipped chapter.
 * `reading-place.ts` decides which position counts as read.
 */
export const noticesMachine = setup({
  types: {} as {
    context: Context;
    events: Events;
  },
  actions: {
    ...createPlaceActions<Context, Events>(),
    keepSkipped: assign({ skipped: (_, problem: Problem) => problem }),
    forgetSkipped: assign({ skipped: null }),
  },
  guards: placeGuards,
}).createMachine({
  id: 'notices',
  context: { ...noPlace, skipped: null },
  type: 'parallel',
  states: {
    wayBack,
    skipped: {
      initial: 'none',
      on: {
        'book.skipped': { target: '.shown', actions: { type: 'keepSkipped', params: ({ event }) => event.problem } },
      },
      states: {
        none: { entry: 'forgetSkipped' },
        shown: {
          on: {
            'turn.pressed': 'none',
            'book.turnRequested': 'none',
            'book.linkPressed': 'none',
            'entry.chosen': 'none',
            'fraction.chosen': 'none',
            'skipped.dismissed': 'none',
          },
        },
      },
    },
  },
});
