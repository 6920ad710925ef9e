import { assign, sendParent, sendTo, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import {
  noPageCount,
  type AddressesInput,
  type AddressesNews,
  type BookCommand,
  type BookFact,
  type BookInput,
  type ContentsEntry,
  type Locator,
  type PageCount,
  type Position,
  type ProgressInput,
  type ReadingLook,
  type ViewerItem,
} from '../model/reading/reading.ts';
import { channelPort, requestPort } from '../ports.ts';
import { addressesMachine } from './addresses.ts';
import { connectionPort, mayContinue, type ConnectionNews } from './connection.ts';
import { interruptionMachine } from './interruption.ts';
import { noticesMachine } from './notices.ts';
import { progressMachine } from './progress.ts';

type Context = BookInput & {
  progress: ProgressInput;
  addresses: AddressesInput;
  contents: ContentsEntry[];
  locator: Locator | null;
  pageCount: PageCount;
  /** Bound on the right: its pages turn the other way, and so do the bars. */
  rightToLeft?: true;
  problem: Problem | null;
};

type Opened = Extract<BookFact, { type: 'book.opened' }>;
type Moved = Extract<BookFact, { type: 'book.moved' }>;

/** Reading a book or a PDF: pages turn, contents and settings open beside them, the position is saved. */
export const bookMachine = setup({
  types: {} as {
    context: Context;
    events:
      | BookFact
      | AddressesNews
      | { type: 'turn.pressed'; direction: 'next' | 'previous' }
      | { type: 'contents.pressed' }
      | { type: 'settings.pressed' }
      | { type: 'panel.closed' }
      | { type: 'place.read'; locator: Locator }
      | { type: 'place.wanted'; place: Position }
      | { type: 'entry.chosen'; href: string }
      | { type: 'fraction.chosen'; fraction: number }
      | { type: 'look.chosen'; look: ReadingLook }
      | { type: 'retry.pressed' }
      | { type: 'close.pressed' }
      | { type: 'page.hidden' }
      | ConnectionNews
      | { type: 'continuation.wanted' };
    input: { book: BookInput; progress: ProgressInput; addresses: AddressesInput };
  },
  actors: {
    progress: progressMachine,
    addresses: addressesMachine,
    notices: noticesMachine,
    interruption: interruptionMachine,
    /** Lays the book's pages out in the mount point that the view renders. */
    pages: channelPort<BookCommand, BookFact, BookInput>(),
    connection: connectionPort(),
    /** Remembers the look for the next book. */
    rememberLook: requestPort<null, ReadingLook>(),
  },
  actions: {
    keepBook: assign((_, { contents, rightToLeft }: Opened) => ({
      contents,
      problem: null,
      ...(rightToLeft && { rightToLeft }),
    })),
    keepMoved: assign((_, { locator, pageCount = noPageCount }: Moved) => ({ locator, pageCount })),
    startHere: assign({ start: ({ context }) => context.locator ?? context.start }),
    keepLook: assign({ look: (_, look: ReadingLook) => look }),
    keepProblem: keepProblem(),
    turn: sendTo('pages', (_, direction: 'next' | 'previous') => ({ type: 'book.turn', direction })),
    showEntry: sendTo('pages', (_, href: string) => ({ type: 'book.goTo', href })),
    showPlace: sendTo('pages', (_, place: Locator) => ({ type: 'book.goToPlace', place })),
    tellNotices: sendTo('notices', ({ event }) => event),
    tellInterrupted: sendTo('interruption', (_, problem: Problem) => ({ type: 'interrupted', problem })),
    tellContinued: sendTo('interruption', { type: 'continued' }),
    continue: sendTo('pages', { type: 'book.continue' }),
    enlarge: sendTo('pages', { type: 'book.enlarge' }),
    reduce: sendTo('pages', { type: 'book.reduce' }),
    showFraction: sendTo('pages', (_, fraction: number) => ({ type: 'book.goToFraction', fraction })),
    showLook: sendTo('pages', (_, look: ReadingLook) => ({ type: 'book.look', look })),
    savePosition: sendTo('progress', (_, locator: Locator) => ({ type: 'position.moved', position: locator })),
    keepAddress: assign({ url: ({ context }, items: ViewerItem[]) => items[0]?.url ?? context.url }),
    showRenewed: sendTo('pages', ({ context }) => ({ type: 'book.renewed', url: context.url })),
    tellNotRenewed: sendTo('pages', (_, problem: Problem) => ({ type: 'book.notRenewed', problem })),
    askRenewal: sendTo('addresses', { type: 'addresses.expired' }),
    tellRefused: sendParent((_, problem: Problem) => ({ type: 'title.refused', problem })),
    tellProgress: sendTo('progress', ({ event }) => event),
    closeProgress: sendTo('progress', { type: 'close' }),
  },
  guards: {
    isInBook: (_, place: Position) => 'href' in place,
    mayContinue,
  },
}).createMachine({
  id: 'book',
  context: ({ input: { book, progress, addresses } }) => ({
    ...book,
    progress,
    addresses,
    contents: [],
    locator: null,
    pageCount: noPageCount,
    problem: null,
  }),
  invoke: [
    { id: 'progress', src: 'progress', input: ({ context }) => context.progress, onDone: '.closed' },
    { id: 'notices', src: 'notices' },
    { id: 'addresses', src: 'addresses', input: ({ context }) => context.addresses },
  ],
  on: {
    'page.hidden': { actions: 'tellProgress' },
    'close.pressed': '.closing',
    'place.read': { actions: { type: 'savePosition', params: ({ event }) => event.locator } },
    // A player that has stopped begins again at an address that opens.
    'addresses.renewed': { actions: { type: 'keepAddress', params: ({ event }) => event.items } },
    'addresses.refused': { actions: { type: 'tellRefused', params: ({ event }) => event.problem } },
  },
  initial: 'reading',
  states: {
    reading: {
      type: 'parallel',
      meta: { spec: ['S2./viewer'] },
      invoke: [
        {
          id: 'pages',
          src: 'pages',
          input: ({ context: { medium, url, start, look, progress } }) => ({
            medium,
            url,
            start,
            look,
            title: { titleId: progress.titleId, contextKey: progress.contextKey },
          }),
        },
        { id: 'interruption', src: 'interruption' },
      ],
      on: {
        'book.failed': { target: 'failed', actions: { type: 'keepProblem', params: ({ event }) => event.problem } },
        'book.skipped': { actions: 'tellNotices' },
        'book.interrupted': { actions: { type: 'tellInterrupted', params: ({ event }) => event.problem } },
        'book.continued': { actions: 'tellContinued' },
        'continuation.wanted': { actions: 'continue' },
        'book.expired': { actions: 'askRenewal' },
        'addresses.renewed': { actions: [{ type: 'keepAddress', params: ({ event }) => event.items }, 'showRenewed'] },
        'addresses.failed': { actions: { type: 'tellNotRenewed', params: ({ event }) => event.problem } },
      },
      states: {
        page: {
          initial: 'opening',
          on: {
            'place.wanted': {
              guard: { type: 'isInBook', params: ({ event }) => event.place },
              actions: { type: 'showPlace', params: ({ event }) => event.place as Locator },
            },
            'book.moved': {
              target: '.open',
              actions: [{ type: 'keepMoved', params: ({ event }) => event }, 'tellNotices'],
            },
          },
          states: {
            opening: {
              tags: 'busy',
              on: {
                'book.opened': {
                  target: 'open',
                  actions: { type: 'keepBook', params: ({ event }) => event },
                },
              },
            },
            open: {
              on: {
                'turn.pressed': { actions: [{ type: 'turn', params: ({ event }) => event.direction }, 'tellNotices'] },
                'book.turnRequested': { actions: [{ type: 'turn', params: ({ event }) => event.direction }, 'tellNotices'] },
                'entry.chosen': { actions: [{ type: 'showEntry', params: ({ event }) => event.href }, 'tellNotices'] },
                'fraction.chosen': { actions: [{ type: 'showFraction', params: ({ event }) => event.fraction }, 'tellNotices'] },
                'book.linkPressed': { actions: [{ type: 'showEntry', params: ({ event }) => event.href }, 'tellNotices'] },
                'book.ended': 'ended',
              },
            },
            ended: {
              on: {
                'turn.pressed': {
                  target: 'open',
                  actions: [{ type: 'turn', params: ({ event }) => event.direction }, 'tellNotices'],
                },
                'book.turnRequested': {
                  target: 'open',
                  actions: [{ type: 'turn', params: ({ event }) => event.direction }, 'tellNotices'],
                },
                'entry.chosen': {
                  target: 'open',
                  actions: [{ type: 'showEntry', params: ({ event }) => event.href }, 'tellNotices'],
                },
              },
            },
          },
        },
        panel: {
          initial: 'closed',
          states: {
            closed: { on: { 'contents.pressed': 'contents', 'settings.pressed': 'settings' } },
            // An open panel keeps the focus and veils the bars: nothing else is pressed meanwhile.
            contents: { on: { 'entry.chosen': 'closed', 'panel.closed': 'closed' } },
            settings: { on: { 'panel.closed': 'closed' } },
          },
        },
        enlarging: {
          initial: 'none',
          states: {
            none: { on: { 'book.enlargeRequested': { target: 'enlarged', actions: 'enlarge' } } },
            enlarged: {
              on: {
                'book.reduceRequested': { target: 'none', actions: 'reduce' },
                'turn.pressed': { target: 'none', actions: 'reduce' },
              },
            },
          },
        },
        controls: {
          initial: 'shown',
          states: {
            shown: { on: { 'book.controlsRequested': 'hidden' } },
            hidden: { on: { 'book.controlsRequested': 'shown' } },
          },
        },
        look: {
          initial: 'kept',
          on: {
            'look.chosen': {
              target: '.changed',
              actions: [
                { type: 'keepLook', params: ({ event }) => event.look },
                { type: 'showLook', params: ({ event }) => event.look },
              ],
            },
          },
          states: {
            kept: {},
            changed: {
              invoke: {
                id: 'rememberLook',
                src: 'rememberLook',
                input: ({ context }) => context.look,
                onDone: 'kept',
                onError: 'kept',
              },
            },
          },
        },
      },
    },
    failed: {
      entry: 'startHere',
      invoke: { id: 'connection', src: 'connection' },
      on: { 'retry.pressed': 'reading', 'connection.returned': { guard: 'mayContinue', target: 'reading' } },
    },
    closing: { tags: 'busy', entry: 'closeProgress' },
    closed: { type: 'final' },
  },
});
