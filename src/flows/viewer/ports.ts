import * as v from 'valibot';
import type { EventObject, NonReducibleUnknown } from 'xstate';
import { addressesMachine } from '../../../machines/reading/addresses.ts';
import { bookMachine } from '../../../machines/reading/book.ts';
import { interactiveMachine } from '../../../machines/reading/interactive.ts';
import {
  getContextKey,
  ReadingLook,
  type BookCommand,
  type BookFact,
  type BookInput,
  type InteractiveCommand,
  type InteractiveFact,
  type InteractiveInput,
  type Publication,
  type RenewedAddresses,
  type TitleKey,
  type TracksCommand,
  type TracksFact,
  type TracksInput,
  type PlaceCommand,
  type SaveOutcome,
  type ViewerItem,
} from '../../../machines/model/reading/reading.ts';
import type { Medium, TitleSummary } from '../../../machines/model/catalogue/title.ts';
import { channelPort, requestPort } from '../../../machines/ports.ts';
import { progressMachine } from '../../../machines/reading/progress.ts';
import { tracksMachine } from '../../../machines/reading/tracks.ts';
import type { PlaybackCommand } from '../../../machines/reading/tracks-setup.ts';
import { connectionPort } from '../../../machines/reading/connection.ts';
import { interruptionMachine } from '../../../machines/reading/interruption.ts';
import { viewerMachine } from '../../../machines/reading/viewer.ts';
import type { OpenedTitle } from '../../../machines/reading/viewer-setup.ts';
import { fetchLastPlace, fetchComponents, fetchItemUrl } from './calls.ts';
import { createPlaceSaver, type PlaceUpdate } from './place-saver.ts';
import { savePlayback, getInitialPlayback } from './stored-playback.ts';
import { getRenewalDelayMs } from './renewal.ts';
import { saveOffer, findLocalPlace, chooseOpeningPlace, applyPlaceCommand } from '../../client/library/local-places.ts';
import { saveViewerProgress, addAge } from '../../client/library/places.ts';
import { getThisDevice } from '../../client/account/start-session.ts';
import { fetchTitle } from '../../client/catalogue/title.ts';
import { createEngine } from '../../reader/engine.ts';
import { preloadEngine, loadBookEngine, loadInteractiveEngine, loadTracksEngine } from '../../reader/load-engine.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';
import { writeItem, readItem } from '../../storage/storage.ts';

const lookKey = 'colophon.look';
const defaultLook: ReadingLook = { fontScale: 1, theme: 'light' };

/** The items of a publication with a single book, in reading order. */
const fetchReadingOrder = async (addressed: Promise<RenewedAddresses>, signal: AbortSignal): Promise<string[]> => {
  const [{ fetchReadingOrderHrefs }, { items }] = await Promise.all([import('../../reader/open-publication.ts'), addressed]);
  return fetchReadingOrderHrefs(items[0]?.url ?? '', signal);
};

/** Detects a PDF that the server calls a book: by its address, else by its first bytes. */
const detectMedium = async (medium: Medium, [first]: readonly ViewerItem[], signal: AbortSignal): Promise<Medium> => {
  const path = URL.parse(first?.url ?? '')?.pathname ?? '';
  if (medium !== 'epub' || first === undefined || /(\.epub|\/|\/manifest\.json)$/i.test(path)) return medium;
  const isPdf = /\.pdf$/i.test(path) || (await (await import('../../reader/begins-as-pdf.ts')).beginsAsPdf(first.url, signal));
  return isPdf ? 'pdf' : medium;
};

/** Reports a failure when an engine cannot be loaded or started, or throws while it runs. */
const createEnginePort = <Command extends EventObject, Fact extends EventObject, Input extends NonReducibleUnknown>(
  ...[load, failed]: Parameters<typeof createEngine<Command, Fact, Input>>
) => channelPort<Command, Fact, Input>(createEngine(load, failed), failed);

export const flow = ({ api, spokenLanguage }: AppEnvironment) => {
  const componentsOf = async ({ instanceId, sample }: TitleKey, signal: AbortSignal): Promise<Publication> =>
    fetchComponents(await api(), sample ? { titleId: instanceId, sample: true } : { instanceId }, signal);

  /** A title's items with their signed addresses. */
  const addressItems = async (publication: Publication, signal: AbortSignal): Promise<RenewedAddresses> => {
    const { instanceId, sample } = publication;
    const addresses = await Promise.all(
      publication.items.map(async ({ id }) => fetchItemUrl(await api(), { instanceId, itemId: id, sample }, signal)),
    );
    return {
      items: publication.items.map((item, nth) => ({ ...item, url: addresses[nth]?.url ?? '' })),
      renewIn: getRenewalDelayMs(addresses.map(({ expiresIn }) => expiresIn)),
    };
  };

  /** The items of a book and of its sample. */
  const ordersOf = async (publication: Publication, addressed: Promise<RenewedAddresses>, signal: AbortSignal) => {
    if (publication.medium !== 'epub') return null;
    const sampled = await componentsOf({ instanceId: publication.titleId, sample: true }, signal);
    const [sample, whole] = await Promise.all([
      fetchReadingOrder(addressItems(sampled, signal), signal),
      fetchReadingOrder(addressed, signal),
    ]);
    return { sample, whole };
  };

  /**
   * Data of a title for the players: its cover, and the price beside its sample. Optional: a
   * failure changes nothing else.
   */
  const aboutTitle = async ({ titleId, medium, sample }: Publication, signal: AbortSignal): Promise<TitleSummary | null> => {
    if (!sample && medium !== 'audio' && medium !== 'video') return null;
    return fetchTitle(await api(), titleId, signal).catch(() => null);
  };

  const openTitle = requestPort<OpenedTitle, TitleKey>(async ({ input, signal }) => {
    const publication = await componentsOf(input, signal);
    preloadEngine(publication.medium);
    const addressed = addressItems(publication, signal);
    const placeIn = async (title: Publication) => {
      const key = { titleId: title.titleId, contextKey: getContextKey(title) };
      const shop = await api();
      const last = await fetchLastPlace(shop, title, signal, () => ordersOf(title, addressed, signal));
      const opening = chooseOpeningPlace(last, findLocalPlace(key), getThisDevice().id, (each) => addAge(shop, each));
      saveOffer(key, opening);
      return opening;
    };
    const [place, { items, renewIn }, about] = await Promise.all([
      placeIn(publication),
      addressed,
      aboutTitle(publication, signal),
    ]);
    const opened = { ...publication, medium: await detectMedium(publication.medium, items, signal), items };
    return {
      publication: opened,
      ...(opened.medium === publication.medium ? place : await placeIn(opened)),
      look: readItem(lookKey, ReadingLook, defaultLook),
      playback: getInitialPlayback(opened.titleId, opened.medium, spokenLanguage()),
      about,
      renewIn,
    };
  });

  const renewAddresses = requestPort<RenewedAddresses, TitleKey>(async ({ input, signal }) =>
    addressItems(await componentsOf(input, signal), signal),
  );

  const savePlace = createPlaceSaver(async ({ position, known, ...key }) =>
    saveViewerProgress(await api(), key, { position, known, device: getThisDevice() }),
  );
  /** Not aborted when the actor stops: the last position is saved while the viewer closes. */
  const saveProgress = requestPort<SaveOutcome, PlaceUpdate>(({ input }) => savePlace(input));

  const memory = channelPort<PlaceCommand, EventObject>(({ receive }) => receive(applyPlaceCommand));

  const connection = connectionPort(({ sendBack }) => {
    const tell = () => sendBack({ type: 'connection.returned' });
    addEventListener('online', tell);
    return () => removeEventListener('online', tell);
  });

  const progress = progressMachine.provide({ actors: { saveProgress, memory, connection } });
  const interruption = interruptionMachine.provide({ actors: { connection } });
  const addresses = addressesMachine.provide({ actors: { renewAddresses } });

  const book = bookMachine.provide({
    actors: {
      progress,
      addresses,
      interruption,
      connection,
      pages: createEnginePort<BookCommand, BookFact, BookInput>(
        ({ medium }) => loadBookEngine(medium),
        (problem) => ({ type: 'book.failed', problem }),
      ),
      rememberLook: requestPort<null, ReadingLook>(async ({ input }) => {
        writeItem(lookKey, v.parse(ReadingLook, input));
        return null;
      }),
    },
  });

  const tracks = tracksMachine.provide({
    actors: {
      progress,
      addresses,
      interruption,
      connection,
      element: createEnginePort<TracksCommand, TracksFact, TracksInput>(loadTracksEngine, (problem) => ({
        type: 'tracks.failed',
        problem,
      })),
      memory: channelPort<PlaybackCommand, EventObject>(({ receive }) => receive(savePlayback)),
    },
  });

  const interactive = interactiveMachine.provide({
    actors: {
      progress,
      addresses,
      iframe: createEnginePort<InteractiveCommand, InteractiveFact, InteractiveInput>(loadInteractiveEngine, (problem) => ({
        type: 'interactive.failed',
        problem,
      })),
    },
  });

  return viewerMachine.provide({ actors: { book, tracks, interactive, openTitle, connection } });
};
