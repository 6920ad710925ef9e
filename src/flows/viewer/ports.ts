import * as v from 'valibot';
import type { EventObject } from 'xstate';
import { bookMachine } from '../../../machines/reading/book.ts';
import { interactiveMachine } from '../../../machines/reading/interactive.ts';
import {
  ReadingLook,
  contextKey,
  type BookCommand,
  type BookFact,
  type BookInput,
  type InteractiveFact,
  type InteractiveInput,
  type Position,
  type TracksCommand,
  type TracksFact,
  type TracksInput,
  type ProgressKey,
} from '../../../machines/model/reading.ts';
import { channelPort, requestPort } from '../../../machines/ports.ts';
import { progressMachine } from '../../../machines/reading/progress.ts';
import { tracksMachine } from '../../../machines/reading/tracks.ts';
import { viewerMachine, type OpenedTitle } from '../../../machines/reading/viewer.ts';
import { saveViewerProgress, viewerComponents, viewerProgress, viewerUrl } from './calls.ts';
import { api } from '../../client/open-client.ts';
import { engine } from '../../reader/engine.ts';
import { store, stored } from '../../storage/storage.ts';

const lookName = 'colophon.look';
const usualLook: ReadingLook = { fontScale: 1, theme: 'light' };

const openTitle = requestPort<OpenedTitle, { instanceId: string; sample: boolean }>(async ({ input, signal }) => {
  const opening = input.sample ? { titleId: input.instanceId, sample: true as const } : { instanceId: input.instanceId };
  const publication = await viewerComponents(await api(), opening, signal);
  const { titleId, instanceId, sample } = publication;
  const urlOf = async (itemId: string) => viewerUrl(await api(), { instanceId, itemId, sample }, signal);
  const [position, items] = await Promise.all([
    viewerProgress(await api(), { titleId, contextKey: contextKey(publication) }, signal),
    Promise.all(publication.items.map(async (item) => ({ ...item, url: await urlOf(item.id) }))),
  ]);
  return {
    publication: { ...publication, items },
    position,
    look: stored(lookName, ReadingLook, usualLook),
    rate: 1,
  };
});

/** Goes on after the actor has stopped: the last position is saved while the viewer closes. */
const saveProgress = requestPort<null, ProgressKey & { position: Position | null }>(async ({ input }) => {
  const { position, ...progressKey } = input;
  if (position === null) return null;
  await saveViewerProgress(await api(), progressKey, position);
  return null;
});

const progress = progressMachine.provide({ actors: { saveProgress } });

const book = bookMachine.provide({
  actors: {
    progress,
    pages: channelPort<BookCommand, BookFact, BookInput>(
      engine(
        async () => (await import('../../reader/run-book.ts')).runBook,
        (problem): BookFact => ({ type: 'book.failed', problem }),
      ),
    ),
    rememberLook: requestPort<null, ReadingLook>(async ({ input }) => {
      store(lookName, v.parse(ReadingLook, input));
      return null;
    }),
  },
});

const tracks = tracksMachine.provide({
  actors: {
    progress,
    element: channelPort<TracksCommand, TracksFact, TracksInput>(
      engine(
        async () => (await import('../../reader/tracks.ts')).runTracks,
        (problem): TracksFact => ({ type: 'tracks.failed', problem }),
      ),
    ),
  },
});

const interactive = interactiveMachine.provide({
  actors: {
    progress,
    iframe: channelPort<EventObject, InteractiveFact, InteractiveInput>(
      engine(
        async () => (await import('../../reader/interactive.ts')).runInteractive,
        (problem): InteractiveFact => ({ type: 'interactive.failed', problem }),
      ),
    ),
  },
});

export const flow = viewerMachine.provide({ actors: { book, tracks, interactive, openTitle } });
