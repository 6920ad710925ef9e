import * as v from 'valibot';
import type { EventObject, NonReducibleUnknown } from 'xstate';
import { addressesMachine } from '../../../machines/reading/addresses.ts';
import { bookMachine } from '../../../machines/reading/book.ts';
import { interactiveMachine } from '../../../machines/reading/interactive.ts';
import {
  contextKey,
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
import { lastPlace, viewerComponents, viewerUrl } from './calls.ts';
import { placeSaver, type Saving } from './place-saver.ts';
import { keepPlayback, playbackOf } from './kept-playback.ts';
import { renewalAfter } from './renewal.ts';
import { keepOffer, keptPlace, openingPlace, rememberPlace } from '../../client/library/kept-places.ts';
import { saveViewerProgress, withAge } from '../../client/library/places.ts';
import { thisDevice } from '../../client/account/start-session.ts';
import { titleById } from '../../client/catalogue/title.ts';
import { engine } from '../../reader/engine.ts';
import { loadAhead, loadBook, loadInteractive, loadTracks } from '../../reader/programs.ts';
import type { World } from '../../shell/app/world.ts';
import { store, stored } from '../../storage/storage.ts';

const lookName = 'colophon.look';
const usualLook: ReadingLook = { fontScale: 1, theme: 'light' };

/** The items of the only book of a publication, in the order of reading. */
const readingOrder = async (addressed: Promise<RenewedAddresses>, signal: AbortSignal): Promise<string[]> => {
  const [{ readingOrderOf }, { items }] = await Promise.all([import('../../reader/open-publication.ts'), addressed]);
  return readingOrderOf(items[0]?.url ?? '', signal);
};

/** A PDF that the server calls a book is known by its address, else by its first bytes. */
const mediumOf = async (medium: Medium, [first]: readonly ViewerItem[], signal: AbortSignal): Promise<Medium> => {
  const path = URL.parse(first?.url ?? '')?.pathname ?? '';
  if (medium !== 'epub' || first === undefined || /(\.epub|\/|\/manifest\.json)$/i.test(path)) return medium;
  const isPdf = /\.pdf$/i.test(path) || (await (await import('../../reader/begins-as-pdf.ts')).beginsAsPdf(first.url, signal));
  return isPdf ? 'pdf' : medium;
};

/** An engine that cannot be loaded or started, or throws while it runs, has failed. */
const enginePort = <Command extends EventObject, Fact extends EventObject, Input extends NonReducibleUnknown>(
  ...[load, failed]: Parameters<typeof engine<Command, Fact, Input>>
) => channelPort<Command, Fact, Input>(engine(load, failed), failed);

export const flow = ({ api, spokenLanguage }: World) => {
  const componentsOf = async ({ instanceId, sample }: TitleKey, signal: AbortSignal): Promise<Publication> =>
    viewerComponents(await api(), sample ? { titleId: instanceId, sample: true } : { instanceId }, signal);

  /** A title's items with addresses that open them. */
  const addressItems = async (publication: Publication, signal: AbortSignal): Promise<RenewedAddresses> => {
    const { instanceId, sample } = publication;
    const addresses = await Promise.all(
      publication.items.map(async ({ id }) => viewerUrl(await api(), { instanceId, itemId: id, sample }, signal)),
    );
    return {
      items: publication.items.map((item, nth) => ({ ...item, url: addresses[nth]?.url ?? '' })),
      renewIn: renewalAfter(addresses.map(({ expiresIn }) => expiresIn)),
    };
  };

  /** What a book and its sample consist of. */
  const ordersOf = async (publication: Publication, addressed: Promise<RenewedAddresses>, signal: AbortSignal) => {
    if (publication.medium !== 'epub') return null;
    const sampled = await componentsOf({ instanceId: publication.titleId, sample: true }, signal);
    const [sample, whole] = await Promise.all([
      readingOrder(addressItems(sampled, signal), signal),
      readingOrder(addressed, signal),
    ]);
    return { sample, whole };
  };

  /** What players show of a title: its cover, and what it costs beside its sample. Nothing else depends on it. */
  const aboutTitle = async ({ titleId, medium, sample }: Publication, signal: AbortSignal): Promise<TitleSummary | null> => {
    if (!sample && medium !== 'audio' && medium !== 'video') return null;
    return titleById(await api(), titleId, signal).catch(() => null);
  };

  const openTitle = requestPort<OpenedTitle, TitleKey>(async ({ input, signal }) => {
    const publication = await componentsOf(input, signal);
    loadAhead(publication.medium);
    const addressed = addressItems(publication, signal);
    const placeIn = async (title: Publication) => {
      const key = { titleId: title.titleId, contextKey: contextKey(title) };
      const shop = await api();
      const last = await lastPlace(shop, title, signal, () => ordersOf(title, addressed, signal));
      const opening = openingPlace(last, keptPlace(key), thisDevice().id, (each) => withAge(shop, each));
      keepOffer(key, opening);
      return opening;
    };
    const [place, { items, renewIn }, about] = await Promise.all([
      placeIn(publication),
      addressed,
      aboutTitle(publication, signal),
    ]);
    const opened = { ...publication, medium: await mediumOf(publication.medium, items, signal), items };
    return {
      publication: opened,
      ...(opened.medium === publication.medium ? place : await placeIn(opened)),
      look: stored(lookName, ReadingLook, usualLook),
      playback: playbackOf(opened.titleId, opened.medium, spokenLanguage()),
      about,
      renewIn,
    };
  });

  const renewAddresses = requestPort<RenewedAddresses, TitleKey>(async ({ input, signal }) =>
    addressItems(await componentsOf(input, signal), signal),
  );

  const savePlace = placeSaver(async ({ position, known, ...key }) =>
    saveViewerProgress(await api(), key, { position, known, device: thisDevice() }),
  );
  /** Continues after the actor has stopped: the last position is saved while the viewer closes. */
  const saveProgress = requestPort<SaveOutcome, Saving>(({ input }) => savePlace(input));

  const memory = channelPort<PlaceCommand, EventObject>(({ receive }) => receive(rememberPlace));

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
      pages: enginePort<BookCommand, BookFact, BookInput>(
        ({ medium }) => loadBook(medium),
        (problem) => ({ type: 'book.failed', problem }),
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
      addresses,
      interruption,
      connection,
      element: enginePort<TracksCommand, TracksFact, TracksInput>(loadTracks, (problem) => ({ type: 'tracks.failed', problem })),
      memory: channelPort<PlaybackCommand, EventObject>(({ receive }) => receive(keepPlayback)),
    },
  });

  const interactive = interactiveMachine.provide({
    actors: {
      progress,
      addresses,
      iframe: enginePort<InteractiveCommand, InteractiveFact, InteractiveInput>(loadInteractive, (problem) => ({
        type: 'interactive.failed',
        problem,
      })),
    },
  });

  return viewerMachine.provide({ actors: { book, tracks, interactive, openTitle, connection } });
};
