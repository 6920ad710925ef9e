import { assign, sendParent, type EventObject } from 'xstate';
import type { Locator, PageCount } from '../model/reading/reading.ts';

export type Direction = 'next' | 'previous';
type Moved = { locator: Locator; pageCount?: PageCount };

export type PlaceContext = {
  /** The place on the screen. */
  locator: Locator | null;
  /** Its page, where the book counts its pages. */
  page: string | null;
  /** The place where a link was followed. */
  wayBack: Locator | null;
  wayBackPage: string | null;
};

/** The part of a book's news that says where the customer looks, and how they came there. */
export type PlaceEvents =
  | { type: 'book.moved'; locator: Locator; pageCount?: PageCount }
  | { type: 'book.linkPressed' }
  | { type: 'turn.pressed'; direction: Direction }
  | { type: 'book.turnRequested'; direction: Direction }
  | { type: 'entry.chosen' }
  | { type: 'fraction.chosen' }
  | { type: 'back.pressed' }
  | { type: 'back.dismissed' };

export const nowhere: PlaceContext = { locator: null, page: null, wayBack: null, wayBackPage: null };

export const placeActions = <Context extends PlaceContext, Event extends EventObject>() => ({
  keepPlace: assign<Context, Event, Moved, Event, never>(
    (_, { locator, pageCount }) => ({ locator, page: pageCount?.page ?? null }) as Partial<Context>,
  ),
  tellRead: sendParent<Context, Event, Moved, EventObject & { locator: Locator }, Event>((_, { locator }) => ({
    type: 'place.read',
    locator,
  })),
  readHere: sendParent<Context, Event, undefined, EventObject & { locator: Locator | null }, Event>(({ context }) => ({
    type: 'place.read',
    locator: context.locator,
  })),
  askBack: sendParent<Context, Event, undefined, EventObject & { place: Locator | null }, Event>(({ context }) => ({
    type: 'place.wanted',
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
  isBack: ({ context: { wayBack } }: { context: PlaceContext }, { locator: { href, page } }: Moved): boolean =>
    href === wayBack?.href && page === wayBack.page,
  isOnwards: (_: unknown, direction: Direction): boolean => direction === 'next',
};

const movedTo = ({ event }: { event: Moved }): Moved => event;
const turnedTo = ({ event }: { event: { direction: Direction } }): Direction => event.direction;
const seen = { type: 'keepPlace', params: movedTo } as const;
const read = [seen, { type: 'tellRead', params: movedTo }] as const;

/**
 * Decides which place counts as read, and says `place.read` there. A link leads to a note more
 * often than onwards: the place before it is kept until the customer turns a page or declines the
 * way back.
 */
export const wayBack = {
  initial: 'none',
  states: {
    none: {
      entry: 'forgetWayBack',
      on: {
        'book.moved': {
          actions: read,
        },
        'book.linkPressed': { target: 'looking', actions: 'keepWayBack' },
      },
    },
    looking: {
      on: {
        'book.moved': [
          {
            guard: { type: 'isBack', params: movedTo },
            target: 'none',
            actions: read,
          },
          { actions: seen },
        ],
        'turn.pressed': { guard: { type: 'isOnwards', params: turnedTo }, target: 'reading' },
        'book.turnRequested': { guard: { type: 'isOnwards', params: turnedTo }, target: 'reading' },
        'back.pressed': { target: 'none', actions: 'askBack' },
        'back.dismissed': { target: 'none', actions: 'readHere' },
        'entry.chosen': 'none',
        'fraction.chosen': 'none',
      },
    },
    reading: {
      on: {
        'book.moved': {
          actions: read,
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
