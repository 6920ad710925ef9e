import { assign, sendParent, setup } from 'xstate';
import type { Problem } from '../model/problem.ts';
import type { Locator, PageCount } from '../model/reading.ts';

type Direction = 'next' | 'previous';
type Moved = { locator: Locator; pageCount?: PageCount };

type Context = {
  /** What is shown. */
  locator: Locator | null;
  /** The page that is shown, where the book counts its pages. */
  page: string | null;
  /** Where a link was followed from. */
  wayBack: Locator | null;
  wayBackPage: string | null;
  /** Why the last chapter that was left out did not come. */
  skipped: Problem | null;
};

/**
 * What a reader is told at the foot of a page: the way back from where a link has led, and that a chapter was left out. It
 * hears what happens in its book and says `place.read` where the customer reads: a link leads to a note more often than
 * onwards, so the place stays where it was until they go on reading there.
 */
export const noticesMachine = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'book.moved'; locator: Locator; pageCount?: PageCount }
      | { type: 'book.skipped'; problem: Problem }
      | { type: 'book.linkPressed' }
      | { type: 'turn.pressed'; direction: Direction }
      | { type: 'book.turnRequested'; direction: Direction }
      | { type: 'entry.chosen' }
      | { type: 'fraction.chosen' }
      | { type: 'back.pressed' }
      | { type: 'back.dismissed' }
      | { type: 'skipped.dismissed' };
  },
  actions: {
    keepPlace: assign((_, { locator, pageCount }: Moved) => ({ locator, page: pageCount?.page ?? null })),
    tellRead: sendParent((_, { locator }: Moved) => ({ type: 'place.read', locator })),
    readHere: sendParent(({ context }) => ({ type: 'place.read', locator: context.locator })),
    askBack: sendParent(({ context }) => ({ type: 'place.wanted', place: context.wayBack })),
    keepWayBack: assign(({ context: { locator, page } }) => ({ wayBack: locator, wayBackPage: page })),
    forgetWayBack: assign({ wayBack: null, wayBackPage: null }),
    keepSkipped: assign({ skipped: (_, problem: Problem) => problem }),
    forgetSkipped: assign({ skipped: null }),
  },
  guards: {
    isBack: ({ context: { wayBack } }, { locator: { href, page } }: Moved) => href === wayBack?.href && page === wayBack.page,
    isOnwards: (_, direction: Direction) => direction === 'next',
  },
}).createMachine({
  id: 'notices',
  context: { locator: null, page: null, wayBack: null, wayBackPage: null, skipped: null },
  type: 'parallel',
  states: {
    wayBack: {
      initial: 'none',
      states: {
        none: {
          entry: 'forgetWayBack',
          on: {
            'book.moved': {
              actions: [
                { type: 'keepPlace', params: ({ event }) => event },
                { type: 'tellRead', params: ({ event }) => event },
              ],
            },
            'book.linkPressed': { target: 'looking', actions: 'keepWayBack' },
          },
        },
        looking: {
          on: {
            'book.moved': [
              {
                guard: { type: 'isBack', params: ({ event }) => event },
                target: 'none',
                actions: [
                  { type: 'keepPlace', params: ({ event }) => event },
                  { type: 'tellRead', params: ({ event }) => event },
                ],
              },
              { actions: { type: 'keepPlace', params: ({ event }) => event } },
            ],
            'turn.pressed': { guard: { type: 'isOnwards', params: ({ event }) => event.direction }, target: 'reading' },
            'book.turnRequested': { guard: { type: 'isOnwards', params: ({ event }) => event.direction }, target: 'reading' },
            'back.pressed': { target: 'none', actions: 'askBack' },
            'back.dismissed': { target: 'none', actions: 'readHere' },
            'entry.chosen': 'none',
            'fraction.chosen': 'none',
          },
        },
        reading: {
          on: {
            'book.moved': {
              actions: [
                { type: 'keepPlace', params: ({ event }) => event },
                { type: 'tellRead', params: ({ event }) => event },
              ],
            },
            'book.linkPressed': { target: 'looking', actions: 'keepWayBack' },
            'back.pressed': { target: 'none', actions: 'askBack' },
            'back.dismissed': 'none',
            'entry.chosen': 'none',
            'fraction.chosen': 'none',
          },
        },
      },
    },
    skipped: {
      initial: 'none',
      on: {
        'book.skipped': { target: '.told', actions: { type: 'keepSkipped', params: ({ event }) => event.problem } },
      },
      states: {
        none: { entry: 'forgetSkipped' },
        told: {
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
