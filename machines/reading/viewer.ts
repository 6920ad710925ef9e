import { assign, sendParent, sendTo, setup } from 'xstate';
import { libraryPath, purchasePath, titlePath } from '../model/paths.ts';
import { fails, keepProblem } from '../loadable.ts';
import { bookMachine } from './book.ts';
import { connectionPort, mayContinue, type ConnectionNews } from './connection.ts';
import { interactiveMachine } from './interactive.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import {
  contextKey,
  type BookInput,
  type InteractiveInput,
  type Playback,
  type Position,
  type ProgressInput,
  type ProgressKey,
  type Publication,
  type ReadingLook,
  type TitleKey,
  type TracksInput,
} from '../model/reading/reading.ts';
import type { TitleSummary } from '../model/catalogue/title.ts';
import { isMissing, outputIn, problemIn, requestPort } from '../ports.ts';
import { tracksMachine } from './tracks.ts';

/** A title with what is needed to go on reading it: the position where the customer left off and the settings of their pages. */
export type OpenedTitle = {
  publication: Publication;
  position: Position | null;
  progress: Omit<ProgressInput, keyof ProgressKey>;
  look: ReadingLook;
  playback: Playback;
  /** What the shop says of the title, where a player shows it; null when it is not known. */
  about: TitleSummary | null;
  /** Milliseconds until its addresses are to be renewed. */
  renewIn: number;
};

type Context = {
  instanceId: string;
  sample: boolean;
  /** The reader's own bar; the PDF viewer's address does without. */
  topBar: boolean;
  /** The store may leave reading and playing to its app. */
  readsHere: boolean;
  opened: OpenedTitle | null;
  problem: Problem | null;
};

const bookInput = ({ publication, position, look }: OpenedTitle): BookInput => ({
  medium: publication.medium === 'pdf' ? 'pdf' : 'epub',
  url: publication.items[0]?.url ?? '',
  start: position !== null && 'href' in position ? position : null,
  look,
});

const tracksInput = ({ publication, position, playback, about }: OpenedTitle): TracksInput => ({
  medium: publication.medium === 'video' ? 'video' : 'audio',
  items: publication.items,
  start: position !== null && 'itemId' in position ? { itemId: position.itemId, seconds: position.seconds } : null,
  playback,
  about: { name: publication.name, authors: about?.authors ?? [], cover: about?.cover ?? null },
});

const interactiveInput = ({ publication, position }: OpenedTitle): InteractiveInput => ({
  url: publication.items[0]?.url ?? '',
  start: position !== null && 'node' in position ? position.node : null,
});

const refusalIn = ({ event }: { event: { problem: Problem } }): Problem => event.problem;

const progressOf = ({ publication, progress }: OpenedTitle): ProgressInput => ({
  titleId: publication.titleId,
  contextKey: contextKey(publication),
  ...progress,
});

const opened = (context: Context): OpenedTitle => {
  if (!context.opened) throw new Error('nothing is open');
  return context.opened;
};

/** What every player needs beside its title. */
const keysOf = (context: Context) => ({
  progress: progressOf(opened(context)),
  addresses: { instanceId: context.instanceId, sample: context.sample, renewIn: opened(context).renewIn },
});

/** Every player tells it when the customer has lost the title while it is open. */
const whenRefused = [{ guard: { type: 'isNotOwned', params: refusalIn }, target: 'notOwned' }, { target: 'notFound' }] as const;

/** The viewer: opens a title or its sample and hands it to the player of its medium. */
export const viewerMachine = setup({
  types: {} as {
    context: Context;
    events:
      | FlowNews
      | { type: 'retry.pressed' }
      | { type: 'close.pressed' }
      | { type: 'buy.pressed' }
      | ConnectionNews
      | { type: 'title.refused'; problem: Problem };
    input: FlowInput;
  },
  actors: {
    book: bookMachine,
    tracks: tracksMachine,
    interactive: interactiveMachine,
    /** Rejects with `refused not_owned` when the customer does not have the title. */
    openTitle: requestPort<OpenedTitle, TitleKey>(),
    connection: connectionPort(),
  },
  actions: {
    // The instance id may name a sample where the address says nothing of it.
    keepOpened: assign(({ context }, title: OpenedTitle) => ({
      opened: title,
      sample: context.sample || title.publication.sample,
      problem: null,
    })),
    keepProblem: keepProblem(),
    tellBook: sendTo('book', ({ event }) => event),
    tellTracks: sendTo('tracks', ({ event }) => event),
    tellInteractive: sendTo('interactive', ({ event }) => event),
    // Whoever goes to buy a sample's title leaves it, as by Close: its place is kept first.
    saveBook: sendTo('book', { type: 'page.hidden' }),
    saveTracks: sendTo('tracks', { type: 'page.hidden' }),
    saveInteractive: sendTo('interactive', { type: 'page.hidden' }),
    goBack: sendParent(({ context }) => ({
      type: 'go',
      to: context.sample ? titlePath(context.opened?.publication.titleId ?? context.instanceId) : libraryPath(),
      replace: true,
    })),
    goPurchase: sendParent(({ context }) => ({
      type: 'go',
      to: purchasePath(context.opened?.publication.titleId ?? context.instanceId),
      replace: false,
    })),
  },
  guards: {
    isMissing,
    isNotOwned: (_, problem: Problem) => problem.kind === 'refused' && problem.code === 'not_owned',
    isBook: (_, { publication }: OpenedTitle) => publication.medium === 'epub' || publication.medium === 'pdf',
    isInteractive: (_, { publication }: OpenedTitle) => publication.medium === 'interactive',
    isForApp: ({ context }) => !context.readsHere,
    isForNothing: ({ context }) => context.instanceId === '',
    isSample: ({ context }) => context.sample,
    mayContinue,
  },
}).createMachine({
  id: 'viewer',
  context: ({ input: { route, store } }) => ({
    instanceId: route.params['instanceid'] ?? '',
    sample: 'sample' in route.params,
    topBar: !route.hides.includes('topBar'),
    readsHere: store.enableWebReader,
    opened: null,
    problem: null,
  }),
  initial: 'arriving',
  states: {
    arriving: {
      always: [{ guard: 'isForApp', target: 'inApp' }, { guard: 'isForNothing', target: 'notFound' }, { target: 'opening' }],
    },
    opening: {
      meta: { spec: ['S7.viewer/components', 'S7.viewer/url', 'S7.viewer/progress'] },
      tags: 'busy',
      on: { 'close.pressed': { actions: 'goBack' } },
      invoke: {
        id: 'openTitle',
        src: 'openTitle',
        input: ({ context: { instanceId, sample } }) => ({ instanceId, sample }),
        onDone: [
          {
            guard: { type: 'isBook', params: outputIn },
            target: 'reading',
            actions: { type: 'keepOpened', params: outputIn },
          },
          {
            guard: { type: 'isInteractive', params: outputIn },
            target: 'playing',
            actions: { type: 'keepOpened', params: outputIn },
          },
          { target: 'listening', actions: { type: 'keepOpened', params: outputIn } },
        ],
        onError: [
          { guard: { type: 'isNotOwned', params: problemIn }, target: 'notOwned' },
          { guard: { type: 'isMissing', params: problemIn }, target: 'notFound' },
          fails,
        ],
      },
    },
    reading: {
      meta: { spec: ['S2./viewer'] },
      invoke: {
        id: 'book',
        src: 'book',
        input: ({ context }) => ({ book: bookInput(opened(context)), ...keysOf(context) }),
        onDone: { actions: 'goBack' },
      },
      on: {
        'page.hidden': { actions: 'tellBook' },
        'title.refused': whenRefused,
        'buy.pressed': { guard: 'isSample', actions: ['saveBook', 'goPurchase'] },
      },
    },
    listening: {
      invoke: {
        id: 'tracks',
        src: 'tracks',
        input: ({ context }) => ({ tracks: tracksInput(opened(context)), ...keysOf(context) }),
        onDone: { actions: 'goBack' },
      },
      on: {
        'page.hidden': { actions: 'tellTracks' },
        'title.refused': whenRefused,
        'buy.pressed': { guard: 'isSample', actions: ['saveTracks', 'goPurchase'] },
      },
    },
    playing: {
      invoke: {
        id: 'interactive',
        src: 'interactive',
        input: ({ context }) => ({ interactive: interactiveInput(opened(context)), ...keysOf(context) }),
        onDone: { actions: 'goBack' },
      },
      on: {
        'page.hidden': { actions: 'tellInteractive' },
        'title.refused': whenRefused,
        'buy.pressed': { guard: 'isSample', actions: ['saveInteractive', 'goPurchase'] },
      },
    },
    inApp: { on: { 'close.pressed': { actions: 'goBack' } } },
    notOwned: { on: { 'close.pressed': { actions: 'goBack' } } },
    notFound: { on: { 'close.pressed': { actions: 'goBack' } } },
    failed: {
      invoke: { id: 'connection', src: 'connection' },
      on: {
        'retry.pressed': 'opening',
        'connection.returned': { guard: 'mayContinue', target: 'opening' },
        'close.pressed': { actions: 'goBack' },
      },
    },
  },
});
