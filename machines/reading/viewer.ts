import { fails } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import {
  contextKey,
  type BookInput,
  type InteractiveInput,
  type ProgressInput,
  type TracksInput,
} from '../model/reading/reading.ts';
import { outputIn, problemIn } from '../ports.ts';
import { viewerSetup, type Context, type OpenedTitle } from './viewer-setup.ts';

const refusalIn = ({ event }: { event: { problem: Problem } }): Problem => event.problem;

/** Every player tells it when the customer has lost the title while it is open. */
const whenRefused = [{ guard: { type: 'isNotOwned', params: refusalIn }, target: 'notOwned' }, { target: 'notFound' }] as const;

/** The viewer: opens a title or its sample and hands it to the player of its medium. */
export const viewerMachine = viewerSetup.createMachine({
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

function opened(context: Context): OpenedTitle {
  if (!context.opened) throw new Error('nothing is open');
  return context.opened;
}

/** The input that every player needs beside its title. */
function keysOf(context: Context) {
  return {
    progress: progressOf(opened(context)),
    addresses: { instanceId: context.instanceId, sample: context.sample, renewIn: opened(context).renewIn },
  };
}

function progressOf({ publication, progress }: OpenedTitle): ProgressInput {
  return {
    titleId: publication.titleId,
    contextKey: contextKey(publication),
    ...progress,
  };
}

function bookInput({ publication, position, look }: OpenedTitle): BookInput {
  return {
    medium: publication.medium === 'pdf' ? 'pdf' : 'epub',
    url: publication.items[0]?.url ?? '',
    start: position !== null && 'href' in position ? position : null,
    look,
  };
}

function tracksInput({ publication, position, playback, about }: OpenedTitle): TracksInput {
  return {
    medium: publication.medium === 'video' ? 'video' : 'audio',
    items: publication.items,
    start: position !== null && 'itemId' in position ? { itemId: position.itemId, seconds: position.seconds } : null,
    playback,
    about: { name: publication.name, authors: about?.authors ?? [], cover: about?.cover ?? null },
  };
}

function interactiveInput({ publication, position }: OpenedTitle): InteractiveInput {
  return {
    url: publication.items[0]?.url ?? '',
    start: position !== null && 'node' in position ? position.node : null,
  };
}
