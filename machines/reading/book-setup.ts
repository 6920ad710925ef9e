import { assign, sendParent, sendTo, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import {
  noPageCount,
  type AddressesInput,
  type AddressesSignal,
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
import { connectionPort, mayContinue, type ConnectionSignal } from './connection.ts';
import { interruptionMachine } from './interruption.ts';
import { noticesMachine } from './notices.ts';
import { progressMachine } from './progress.ts';

type Context = BookInput & {
  progress: ProgressInput;
  addresses: AddressesInput;
  contents: ContentsEntry[];
  locator: Locator | null;
  pageCount: PageCount;
  /** The book is read from right to left: pages turn the other way, and the bars are mirrored. */
  rightToLeft?: true;
  problem: Problem | null;
};

type OpenedFact = Extract<BookFact, { type: 'book.opened' }>;
type MovedFact = Extract<BookFact, { type: 'book.moved' }>;

/** The ports, actions and guards of reading a book. */
export const bookSetup = setup({
  types: {} as {
    context: Context;
    events:
      | BookFact
      | AddressesSignal
      | { type: 'turn.pressed'; direction: 'next' | 'previous' }
      | { type: 'contents.pressed' }
      | { type: 'settings.pressed' }
      | { type: 'panel.closed' }
      | { type: 'place.changed'; locator: Locator }
      | { type: 'place.requested'; place: Position }
      | { type: 'entry.chosen'; href: string }
      | { type: 'fraction.chosen'; fraction: number }
      | { type: 'look.chosen'; look: ReadingLook }
      | { type: 'retry.pressed' }
      | { type: 'close.pressed' }
      | { type: 'page.hidden' }
      | ConnectionSignal
      | { type: 'continuation.requested' };
    input: { book: BookInput; progress: ProgressInput; addresses: AddressesInput };
  },
  actors: {
    progress: progressMachine,
    addresses: addressesMachine,
    notices: noticesMachine,
    interruption: interruptionMachine,
    /** The book engine, which lays the pages out in an element that the view renders. */
    pages: channelPort<BookCommand, BookFact, BookInput>(),
    connection: connectionPort(),
    /** Stores the look in this browser for the next book. */
    saveLook: requestPort<null, ReadingLook>(),
  },
  actions: {
    keepBook: assign((_, { contents, rightToLeft }: OpenedFact) => ({
      contents,
      problem: null,
      ...(rightToLeft && { rightToLeft }),
    })),
    keepMoved: assign((_, { locator, pageCount = noPageCount }: MovedFact) => ({ locator, pageCount })),
    startHere: assign({ start: ({ context }) => context.locator ?? context.start }),
    keepLook: assign({ look: (_, look: ReadingLook) => look }),
    keepProblem: keepProblem(),
    turn: sendTo('pages', (_, direction: 'next' | 'previous') => ({ type: 'book.turn', direction })),
    showEntry: sendTo('pages', (_, href: string) => ({ type: 'book.goTo', href })),
    showPlace: sendTo('pages', (_, place: Locator) => ({ type: 'book.goToPlace', place })),
    sendToNotices: sendTo('notices', ({ event }) => event),
    reportInterrupted: sendTo('interruption', (_, problem: Problem) => ({ type: 'interrupted', problem })),
    reportContinued: sendTo('interruption', { type: 'continued' }),
    continue: sendTo('pages', { type: 'book.continue' }),
    enlarge: sendTo('pages', { type: 'book.enlarge' }),
    reduce: sendTo('pages', { type: 'book.reduce' }),
    showFraction: sendTo('pages', (_, fraction: number) => ({ type: 'book.goToFraction', fraction })),
    showLook: sendTo('pages', (_, look: ReadingLook) => ({ type: 'book.setLook', look })),
    savePosition: sendTo('progress', (_, locator: Locator) => ({ type: 'position.moved', position: locator })),
    keepAddress: assign({ url: ({ context }, items: ViewerItem[]) => items[0]?.url ?? context.url }),
    showRenewed: sendTo('pages', ({ context }) => ({ type: 'book.renewed', url: context.url })),
    reportNotRenewed: sendTo('pages', (_, problem: Problem) => ({ type: 'book.notRenewed', problem })),
    requestRenewal: sendTo('addresses', { type: 'addresses.expired' }),
    reportRefused: sendParent((_, problem: Problem) => ({ type: 'title.refused', problem })),
    sendToProgress: sendTo('progress', ({ event }) => event),
    closeProgress: sendTo('progress', { type: 'close' }),
  },
  guards: {
    isInBook: (_, place: Position) => 'href' in place,
    mayContinue,
  },
});
