import { noPageCount, type Locator } from '../model/reading/reading.ts';
import { bookSetup } from './book-setup.ts';

/** The reader for books and PDFs: pages, table of contents, settings, and the saved position. */
export const bookMachine = bookSetup.createMachine({
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
    'page.hidden': { actions: 'sendToProgress' },
    'close.pressed': '.closing',
    'place.changed': { actions: { type: 'savePosition', params: ({ event }) => event.locator } },
    // After a failure, the retry opens the new URL.
    'addresses.renewed': { actions: { type: 'keepAddress', params: ({ event }) => event.items } },
    'addresses.refused': { actions: { type: 'reportRefused', params: ({ event }) => event.problem } },
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
        'book.skipped': { actions: 'sendToNotices' },
        'book.interrupted': { actions: { type: 'reportInterrupted', params: ({ event }) => event.problem } },
        'book.continued': { actions: 'reportContinued' },
        'continuation.requested': { actions: 'continue' },
        'book.expired': { actions: 'requestRenewal' },
        'addresses.renewed': { actions: [{ type: 'keepAddress', params: ({ event }) => event.items }, 'showRenewed'] },
        'addresses.failed': { actions: { type: 'reportNotRenewed', params: ({ event }) => event.problem } },
      },
      states: {
        page: {
          initial: 'opening',
          on: {
            'place.requested': {
              guard: { type: 'isInBook', params: ({ event }) => event.place },
              actions: { type: 'showPlace', params: ({ event }) => event.place as Locator },
            },
            'book.moved': {
              target: '.open',
              actions: [{ type: 'keepMoved', params: ({ event }) => event }, 'sendToNotices'],
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
                'turn.pressed': { actions: [{ type: 'turn', params: ({ event }) => event.direction }, 'sendToNotices'] },
                'book.turnRequested': { actions: [{ type: 'turn', params: ({ event }) => event.direction }, 'sendToNotices'] },
                'entry.chosen': { actions: [{ type: 'showEntry', params: ({ event }) => event.href }, 'sendToNotices'] },
                'fraction.chosen': {
                  actions: [{ type: 'showFraction', params: ({ event }) => event.fraction }, 'sendToNotices'],
                },
                'book.linkPressed': { actions: [{ type: 'showEntry', params: ({ event }) => event.href }, 'sendToNotices'] },
                'book.ended': 'ended',
              },
            },
            ended: {
              on: {
                'turn.pressed': {
                  target: 'open',
                  actions: [{ type: 'turn', params: ({ event }) => event.direction }, 'sendToNotices'],
                },
                'book.turnRequested': {
                  target: 'open',
                  actions: [{ type: 'turn', params: ({ event }) => event.direction }, 'sendToNotices'],
                },
                'entry.chosen': {
                  target: 'open',
                  actions: [{ type: 'showEntry', params: ({ event }) => event.href }, 'sendToNotices'],
                },
              },
            },
          },
        },
        panel: {
          initial: 'closed',
          states: {
            closed: { on: { 'contents.pressed': 'contents', 'settings.pressed': 'settings' } },
            // An open panel traps the focus and covers the bars, so no other press is possible.
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
                id: 'saveLook',
                src: 'saveLook',
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
