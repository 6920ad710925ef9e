import { assign, sendParent, type EventObject } from 'xstate';
import type { Locator, PageCount } from '../model/reading/reading.ts';

export type Direction = 'next' | 'previous';
type PlaceChange = { locator: Locator; pageCount?: PageCount };

export type PlaceContext = {
  /** The position on the screen. */
  locator: Locator | null;
  /** The page number at `locator`; null if the book has no page numbers. */
  page: string | null;
  /** The position at which a link was followed, to return to; null without one. */
  wayBack: Locator | null;
  /** The page number at `wayBack`. */
  wayBackPage: string | null;
};

/** Events about the position in the book, and about the actions that changed it. */
export type PlaceEvents =
  | { type: 'book.moved'; locator: Locator; pageCount?: PageCount }
  | { type: 'book.linkPressed' }
  | { type: 'turn.pressed'; direction: Direction }
  | { type: 'book.turnRequested'; direction: Direction }
  | { type: 'entry.chosen' }
  | { type: 'fraction.chosen' }
  | { type: 'back.pressed' }
  | { type: 'back.dismissed' };

export const noPlace: PlaceContext = { locator: null, page: null, wayBack: null, wayBackPage: null };

export const createPlaceActions = <Context extends PlaceContext, Event extends EventObject>() => ({
  keepPlace: assign<Context, Event, PlaceChange, Event, never>(
    (_, { locator, pageCount }) => ({ locator, page: pageCount?.page ?? null }) as Partial<Context>,
  ),
  tellRead: sendParent<Context, Event, PlaceChange, EventObject & { locator: Locator }, Event>((_, { locator }) => ({
    type: 'place.changed',
    locator,
  })),
  readHere: sendParent<Context, Event, undefined, EventObject & { locator: Locator | null }, Event>(({ context }) => ({
    type: 'place.changed',
    locator: context.locator,
  })),
  askBack: sendParent<Context, Event, undefined, EventObject & { place: Locator | null }, Event>(({ context }) => ({
    type: 'place.requested',
    place: context.wayBack,
  })),
  keepWayBack: assign<Context, Event, undefined, Event, never>(
    ({ context: { locator, page } }) => ({ wayBack: locator, wayBackPage: page }) as Partial<Context>,
  ),
  forgetWayBack: assign<Context, Event, undefined, Event, never>(
    () => ({ wayBack: null, wayBackPage: null }) as Partial<Context>,
  ),
});

export const placeGuards = {
  isBack: ({ context: { wayBack } }: { context: PlaceContext }, { locator: { href, page } }: PlaceChange): boolean =>
    href === wayBack?.href && page === wayBack.page,
  isOnwards: (_: unknown, direction: Direction): boolean => direction === 'next',
};

const getMove = ({ event }: { event: PlaceChange }): PlaceChange => event;
const getDirection = ({ event }: { event: { direction: Direction } }): Direction => event.direction;
const keepPlaceAction = { type: 'keepPlace', params: getMove } as const;
const readActions = [keepPlaceAction, { type: 'tellRead', params: getMove }] as const;

/**
 * The region that decides which position counts as read, and sends `place.changed` for it. A link
 * leads to a note more often than onwards, so the position before the link counts as read until the
 * customer turns to the next page, declines to return, or goes to another chapter or position.
 */
export const wayBack = {
  initial: 'none',
  states: {
    none: {
      entry: 'forgetWayBack',
      on: {
        'book.moved': {
          actions: readActions,
        },
        'book.linkPressed': { target: 'looking', actions: 'keepWayBack' },
      },
    },
    looking: {
      on: {
        'book.moved': [
          {
            guard: { type: 'isBack', params: getMove },
            target: 'none',
            actions: readActions,
          },
          { actions: keepPlaceAction },
        ],
        'turn.pressed': { guard: { type: 'isOnwards', params: getDirection }, target: 'reading' },
        'book.turnRequested': { guard: { type: 'isOnwards', params: getDirection }, target: 'reading' },
        'back.pressed': { target: 'none', actions: 'askBack' },
        'back.dismissed': { target: 'none', actions: 'readHere' },
        'entry.chosen': 'none',
        'fraction.chosen': 'none',
      },
    },
    reading: {
      on: {
        'book.moved': {
          actions: readActions,
        },
        'book.linkPressed': { target: 'looking', actions: 'keepWayBack' },
        'back.pressed': { target: 'none', actions: 'askBack' },
        'back.dismissed': 'none',
        'entry.chosen': 'none',
        'fraction.chosen': 'none',
      },
    },
  },
} as const;
