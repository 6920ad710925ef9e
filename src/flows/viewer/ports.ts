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

/** Fetches the hrefs of the documents of a publication with a single book, in reading order. */
const fetchReadingOrder = async (addressesPromise: Promise<RenewedAddresses>, signal: AbortSignal): Promise<string[]> => {
  const [{ fetchReadingOrderHrefs }, { items }] = await Promise.all([
    import('../../reader/open-publication.ts'),
    addressesPromise,
  ]);
  return fetchReadingOrderHrefs(items[0]?.url ?? '', signal);
};

/**
 * The medium of a title: as the server reports it, except for a PDF that it reports as an EPUB,
 * detected by its URL, else by its first bytes.
 */
const detectMedium = async (medium: Medium, [first]: readonly ViewerItem[], signal: AbortSignal): Promise<Medium> => {
  const path = URL.parse(first?.url ?? '')?.pathname ?? '';
  if (medium !== 'epub' || first === undefined || /(\.epub|\/|\/manifest\.json)$/i.test(path)) return medium;
  const isPdf = /\.pdf$/i.test(path) || (await (await import('../../reader/begins-as-pdf.ts')).beginsAsPdf(first.url, signal));
  return isPdf ? 'pdf' : medium;
};

/**
 * Creates the port of an engine. It reports a failure if the engine cannot be loaded or started, or
 * throws while it runs.
 */
const createEnginePort = <Command extends EventObject, Fact extends EventObject, Input extends NonReducibleUnknown>(
  ...[load, toFailure]: Parameters<typeof createEngine<Command, Fact, Input>>
) => channelPort<Command, Fact, Input>(createEngine(load, toFailure), toFailure);

export const flow = ({ api, spokenLanguage }: AppEnvironment) => {
  const fetchPublication = async ({ instanceId, sample }: TitleKey, signal: AbortSignal): Promise<Publication> =>
    fetchComponents(await api(), sample ? { titleId: instanceId, sample: true } : { instanceId }, signal);

  /** Fetches the signed URLs of a title's items. */
  const fetchItemsWithUrls = async (publication: Publication, signal: AbortSignal): Promise<RenewedAddresses> => {
    const { instanceId, sample } = publication;
    const addresses = await Promise.all(
      publication.items.map(async ({ id }) => fetchItemUrl(await api(), { instanceId, itemId: id, sample }, signal)),
    );
    return {
      items: publication.items.map((item, index) => ({ ...item, url: addresses[index]?.url ?? '' })),
      renewIn: getRenewalDelayMs(addresses.map(({ expiresIn }) => expiresIn)),
    };
  };

  /** Fetches the reading orders of a book and of its sample; null for other media. */
  const fetchReadingOrders = async (
    publication: Publication,
    addressesPromise: Promise<RenewedAddresses>,
    signal: AbortSignal,
  ) => {
    if (publication.medium !== 'epub') return null;
    const samplePublication = await fetchPublication({ instanceId: publication.titleId, sample: true }, signal);
    const [sample, whole] = await Promise.all([
      fetchReadingOrder(fetchItemsWithUrls(samplePublication, signal), signal),
      fetchReadingOrder(addressesPromise, signal),
    ]);
    return { sample, whole };
  };

  /**
   * Fetches the data of a title that players show: its cover, and the price beside its sample. Null
   * if it is not needed, or after a failure, which changes nothing else.
   */
  const fetchTitleInfo = async ({ titleId, medium, sample }: Publication, signal: AbortSignal): Promise<TitleSummary | null> => {
    if (!sample && medium !== 'audio' && medium !== 'video') return null;
    return fetchTitle(await api(), titleId, signal).catch(() => null);
  };

  const openTitle = requestPort<OpenedTitle, TitleKey>(async ({ input, signal }) => {
    const publication = await fetchPublication(input, signal);
    preloadEngine(publication.medium);
    const addressesPromise = fetchItemsWithUrls(publication, signal);
    const findOpeningPlace = async (title: Publication) => {
      const key = { titleId: title.titleId, contextKey: getContextKey(title) };
      const shop = await api();
      const last = await fetchLastPlace(shop, title, signal, () => fetchReadingOrders(title, addressesPromise, signal));
      const openingPlace = chooseOpeningPlace(last, findLocalPlace(key), getThisDevice().id, (savedPlace) =>
        addAge(shop, savedPlace),
      );
      saveOffer(key, openingPlace);
      return openingPlace;
    };
    const [openingPlace, { items, renewIn }, about] = await Promise.all([
      findOpeningPlace(publication),
      addressesPromise,
      fetchTitleInfo(publication, signal),
    ]);
    const openedPublication = { ...publication, medium: await detectMedium(publication.medium, items, signal), items };
    return {
      publication: openedPublication,
      ...(openedPublication.medium === publication.medium ? openingPlace : await findOpeningPlace(openedPublication)),
      look: readItem(lookKey, ReadingLook, defaultLook),
      playback: getInitialPlayback(openedPublication.titleId, openedPublication.medium, spokenLanguage()),
      about,
      renewIn,
    };
  });

  const renewAddresses = requestPort<RenewedAddresses, TitleKey>(async ({ input, signal }) =>
    fetchItemsWithUrls(await fetchPublication(input, signal), signal),
  );

  const savePlace = createPlaceSaver(async ({ position, known, ...key }) =>
    saveViewerProgress(await api(), key, { position, known, device: getThisDevice() }),
  );
  /** Not aborted when the actor stops: the last position is saved while the viewer closes. */
  const saveProgress = requestPort<SaveOutcome, PlaceUpdate>(({ input }) => savePlace(input));

  const memory = channelPort<PlaceCommand, EventObject>(({ receive }) => receive(applyPlaceCommand));

  const connection = connectionPort(({ sendBack }) => {
    const sendReturned = () => sendBack({ type: 'connection.returned' });
    addEventListener('online', sendReturned);
    return () => removeEventListener('online', sendReturned);
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
      saveLook: requestPort<null, ReadingLook>(async ({ input }) => {
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
