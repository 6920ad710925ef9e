import { toFailed } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import {
  getContextKey,
  type BookInput,
  type InteractiveInput,
  type ProgressInput,
  type TracksInput,
} from '../model/reading/reading.ts';
import { getOutput, getProblem } from '../ports.ts';
import { viewerSetup, type Context, type OpenedTitle } from './viewer-setup.ts';

const getEventProblem = ({ event }: { event: { problem: Problem } }): Problem => event.problem;

/** Transitions on `title.refused`, which every player sends if the title can no longer be read. */
const onRefused = [
  { guard: { type: 'isNotOwned', params: getEventProblem }, target: 'notOwned' },
  { target: 'notFound' },
] as const;

/** The viewer: opens a title or its sample and starts the player of its medium. */
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
      always: [{ guard: 'isForApp', target: 'inApp' }, { guard: 'isForNoGoods', target: 'notFound' }, { target: 'opening' }],
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
            guard: { type: 'isBook', params: getOutput },
            target: 'reading',
            actions: { type: 'keepOpened', params: getOutput },
          },
          {
            guard: { type: 'isInteractive', params: getOutput },
            target: 'playing',
            actions: { type: 'keepOpened', params: getOutput },
          },
          { target: 'listening', actions: { type: 'keepOpened', params: getOutput } },
        ],
        onError: [
          { guard: { type: 'isNotOwned', params: getProblem }, target: 'notOwned' },
          { guard: { type: 'isMissing', params: getProblem }, target: 'notFound' },
          toFailed,
        ],
      },
    },
    reading: {
      meta: { spec: ['S2./viewer'] },
      invoke: {
        id: 'book',
        src: 'book',
        input: ({ context }) => ({ book: toBookInput(getOpenedTitle(context)), ...getSharedInput(context) }),
        onDone: { actions: 'goBack' },
      },
      on: {
        'page.hidden': { actions: 'sendToBook' },
        'title.refused': onRefused,
        'buy.pressed': { guard: 'isSample', actions: ['saveBook', 'goPurchase'] },
      },
    },
    listening: {
      invoke: {
        id: 'tracks',
        src: 'tracks',
        input: ({ context }) => ({ tracks: toTracksInput(getOpenedTitle(context)), ...getSharedInput(context) }),
        onDone: { actions: 'goBack' },
      },
      on: {
        'page.hidden': { actions: 'sendToTracks' },
        'title.refused': onRefused,
        'buy.pressed': { guard: 'isSample', actions: ['saveTracks', 'goPurchase'] },
      },
    },
    playing: {
      invoke: {
        id: 'interactive',
        src: 'interactive',
        input: ({ context }) => ({ interactive: toInteractiveInput(getOpenedTitle(context)), ...getSharedInput(context) }),
        onDone: { actions: 'goBack' },
      },
      on: {
        'page.hidden': { actions: 'sendToInteractive' },
        'title.refused': onRefused,
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

function getOpenedTitle(context: Context): OpenedTitle {
  if (!context.opened) throw new Error('The player was started before a title was opened.');
  return context.opened;
}

/** The input that every player needs besides its title. */
function getSharedInput(context: Context) {
  return {
    progress: toProgressInput(getOpenedTitle(context)),
    addresses: { instanceId: context.instanceId, sample: context.sample, renewIn: getOpenedTitle(context).renewIn },
  };
}

function toProgressInput({ publication, progress }: OpenedTitle): ProgressInput {
  return {
    titleId: publication.titleId,
    contextKey: getContextKey(publication),
    ...progress,
  };
}

function toBookInput({ publication, position, look }: OpenedTitle): BookInput {
  return {
    medium: publication.medium === 'pdf' ? 'pdf' : 'epub',
    url: publication.items[0]?.url ?? '',
    start: position !== null && 'href' in position ? position : null,
    look,
  };
}

function toTracksInput({ publication, position, playback, about }: OpenedTitle): TracksInput {
  return {
    medium: publication.medium === 'video' ? 'video' : 'audio',
    items: publication.items,
    start: position !== null && 'itemId' in position ? { itemId: position.itemId, seconds: position.seconds } : null,
    playback,
    about: { name: publication.name, authors: about?.authors ?? [], cover: about?.cover ?? null },
  };
}

function toInteractiveInput({ publication, position }: OpenedTitle): InteractiveInput {
  return {
    url: publication.items[0]?.url ?? '',
    start: position !== null && 'node' in position ? position.node : null,
  };
}
