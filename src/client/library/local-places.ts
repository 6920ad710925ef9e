import * as v from 'valibot';
import {
  isOtherPosition,
  KnownPlace,
  Position,
  SavedPlace,
  type OfferedPlace,
  type PlaceCommand,
  type ProgressInput,
  type ProgressKey,
} from '../../../machines/model/reading/reading.ts';
import { getCustomerKey } from '../../storage/session-storage.ts';
import { readItem, writeList } from '../../storage/storage.ts';
import type { ServerPlace } from './places.ts';

/**
 * A customer's place in a title, stored in this browser. `isSent`: the server has it. `offered`:
 * the place that this browser had before another device read further, until the customer has
 * chosen.
 */
const LocalPlace = v.object({
  titleId: v.string(),
  contextKey: v.string(),
  position: Position,
  savedAt: v.string(),
  known: KnownPlace,
  isSent: v.boolean(),
  offered: v.nullable(SavedPlace),
});
export type LocalPlace = v.InferOutput<typeof LocalPlace>;

/**
 * Maximum number of places that a browser stores for a customer; places that the server does not
 * have are evicted last.
 */
const MAX_PLACES = 50;

const getStorageKey = () => `colophon.places.${getCustomerKey()}` as const;

const readPlaces = (): LocalPlace[] => readItem(getStorageKey(), v.array(LocalPlace), []);

const matchesKey =
  ({ titleId, contextKey }: ProgressKey) =>
  (each: ProgressKey): boolean =>
    each.titleId === titleId && each.contextKey === contextKey;

export const findLocalPlace = (key: ProgressKey): LocalPlace | null => readPlaces().find(matchesKey(key)) ?? null;

/** Places that the server does not have, the latest stored first. */
export const getUnsentPlaces = (): LocalPlace[] => readPlaces().filter(({ isSent }) => !isSent);

const savePlace = (place: LocalPlace): void => {
  const places = [place, ...readPlaces().filter((each) => !matchesKey(place)(each))];
  const unsentFirst = places.toSorted((one, other) => Number(one.isSent) - Number(other.isSent));
  writeList(getStorageKey(), unsentFirst.slice(0, MAX_PLACES));
};

/**
 * Applies a command of the machine that saves a place. If the reader moved while a place was being
 * sent, the later place stays unsent.
 */
export const applyPlaceCommand = (command: PlaceCommand): void => {
  const { titleId, contextKey } = command;
  const localPlace = findLocalPlace(command);
  if (command.type === 'place.answered') return localPlace === null ? undefined : savePlace({ ...localPlace, offered: null });
  const { position, known } = command;
  const isSent = command.type === 'place.sent';
  if (isSent && localPlace !== null && !localPlace.isSent && isOtherPosition(localPlace.position, position))
    return savePlace({ ...localPlace, known });
  savePlace({
    titleId,
    contextKey,
    position,
    known,
    savedAt: new Date().toISOString(),
    isSent,
    offered: localPlace?.offered ?? null,
  });
};

/** The place that a title opens at, and the place offered beside it. */
type OpeningPlace = { position: Position | null; progress: Omit<ProgressInput, keyof ProgressKey> };

/**
 * Whether no other device has saved a place since the one that this browser's place is based on.
 */
const isUpToDate = (localPlace: LocalPlace, { place, known }: ServerPlace, deviceId: string): boolean => {
  if (place === null || place.device?.id === deviceId) return true;
  if ('version' in localPlace.known && 'version' in known) return known.version <= localPlace.known.version;
  const basePosition = 'position' in localPlace.known ? localPlace.known.position : null;
  return basePosition !== null && !isOtherPosition(basePosition, place.position);
};

/**
 * Chooses the newest place of a title: this browser's unsent place, unless another device has saved
 * since. Where another device's place is the newest, this browser's place is offered beside it.
 * @param server the server's place; null where it could not be fetched
 */
export const chooseOpeningPlace = (
  server: ServerPlace | null,
  localPlace: LocalPlace | null,
  deviceId: string,
  toOffer: (place: SavedPlace) => OfferedPlace,
): OpeningPlace => {
  if (server === null)
    return {
      position: localPlace?.position ?? null,
      progress: {
        known: localPlace?.known ?? { position: null },
        unsent: localPlace !== null && !localPlace.isSent ? localPlace.position : null,
        offered: localPlace?.offered ? toOffer(localPlace.offered) : null,
        earlier: [],
      },
    };
  const { place, known, earlier } = server;
  const localOffer = localPlace && { position: localPlace.position, savedAt: localPlace.savedAt, device: null };
  const isNewest = localPlace !== null && !localPlace.isSent && isUpToDate(localPlace, server, deviceId);
  const position = isNewest ? localPlace.position : (place?.position ?? null);
  const isReplaced = localOffer !== null && !isNewest && place !== null && place.device?.id !== deviceId;
  const offer = isReplaced ? localOffer : (localPlace?.offered ?? null);
  return {
    position,
    progress: {
      known,
      unsent: isNewest ? localPlace.position : null,
      offered: offer !== null && position !== null && isOtherPosition(offer.position, position) ? toOffer(offer) : null,
      earlier,
    },
  };
};

/** Stores an offer until it is answered, since reading continues at another place. */
export const saveOffer = (key: ProgressKey, { position, progress: { offered, known } }: OpeningPlace): void => {
  if (offered === null || position === null) return;
  savePlace({ ...key, position, known, savedAt: new Date().toISOString(), isSent: true, offered });
};
