import * as v from 'valibot';
import {
  isOtherPlace,
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
 * A place in this browser. `isSent`: the server has it. `offered`: this browser's place, after
 * another device has read further, until the customer has chosen.
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
 * Maximum number of places that a browser keeps; those that the server does not have are evicted
 * last.
 */
const MAX_PLACES = 50;

const storageKey = () => `colophon.places.${getCustomerKey()}` as const;

const readPlaces = (): LocalPlace[] => readItem(storageKey(), v.array(LocalPlace), []);

const hasKey =
  ({ titleId, contextKey }: ProgressKey) =>
  (each: ProgressKey): boolean =>
    each.titleId === titleId && each.contextKey === contextKey;

export const findLocalPlace = (key: ProgressKey): LocalPlace | null => readPlaces().find(hasKey(key)) ?? null;

/** Places that the server does not have, the latest first. */
export const getUnsentPlaces = (): LocalPlace[] => readPlaces().filter(({ isSent }) => !isSent);

const savePlace = (place: LocalPlace): void => {
  const places = [place, ...readPlaces().filter((each) => !hasKey(place)(each))];
  const unsentFirst = places.toSorted((one, other) => Number(one.isSent) - Number(other.isSent));
  writeList(storageKey(), unsentFirst.slice(0, MAX_PLACES));
};

/**
 * Applies a command of the machine that saves a place. If the reader moved while a place was being
 * sent, the later place stays unsent.
 */
export const applyPlaceCommand = (command: PlaceCommand): void => {
  const { titleId, contextKey } = command;
  const kept = findLocalPlace(command);
  if (command.type === 'place.answered') return kept === null ? undefined : savePlace({ ...kept, offered: null });
  const { position, known } = command;
  const isSent = command.type === 'place.sent';
  if (isSent && kept !== null && !kept.isSent && isOtherPlace(kept.position, position)) return savePlace({ ...kept, known });
  savePlace({ titleId, contextKey, position, known, savedAt: new Date().toISOString(), isSent, offered: kept?.offered ?? null });
};

/** The place that a title opens at, and the place offered beside it. */
type StoredPlace = { position: Position | null; progress: Omit<ProgressInput, keyof ProgressKey> };

/** Whether the server still has the place that this browser's place is based on. */
const isUpToDate = (kept: LocalPlace, { place, known }: ServerPlace, deviceId: string): boolean => {
  if (place === null || place.device?.id === deviceId) return true;
  if ('version' in kept.known && 'version' in known) return known.version <= kept.known.version;
  const base = 'position' in kept.known ? kept.known.position : null;
  return base !== null && !isOtherPlace(base, place.position);
};

/**
 * A title opens at the newest place. This browser's unsent place is the newest unless another
 * device has saved since; then it is offered instead.
 * @param server null where the server could not be asked
 */
export const chooseOpeningPlace = (
  server: ServerPlace | null,
  kept: LocalPlace | null,
  deviceId: string,
  offerOf: (place: SavedPlace) => OfferedPlace,
): StoredPlace => {
  if (server === null)
    return {
      position: kept?.position ?? null,
      progress: {
        known: kept?.known ?? { position: null },
        unsent: kept !== null && !kept.isSent ? kept.position : null,
        offered: kept?.offered ? offerOf(kept.offered) : null,
        earlier: [],
      },
    };
  const { place, known, earlier } = server;
  const own = kept && { position: kept.position, savedAt: kept.savedAt, device: null };
  const isNewest = kept !== null && !kept.isSent && isUpToDate(kept, server, deviceId);
  const position = isNewest ? kept.position : (place?.position ?? null);
  const isFromElsewhere = own !== null && !isNewest && place !== null && place.device?.id !== deviceId;
  const offered = isFromElsewhere ? own : (kept?.offered ?? null);
  return {
    position,
    progress: {
      known,
      unsent: isNewest ? kept.position : null,
      offered: offered !== null && position !== null && isOtherPlace(offered.position, position) ? offerOf(offered) : null,
      earlier,
    },
  };
};

/** Stores an offer until it is answered, since reading continues at another place. */
export const saveOffer = (key: ProgressKey, { position, progress: { offered, known } }: StoredPlace): void => {
  if (offered === null || position === null) return;
  savePlace({ ...key, position, known, savedAt: new Date().toISOString(), isSent: true, offered });
};
