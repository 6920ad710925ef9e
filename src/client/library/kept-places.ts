import * as v from 'valibot';
import {
  isElsewhere,
  KnownPlace,
  Position,
  SavedPlace,
  type OfferedPlace,
  type PlaceCommand,
  type ProgressInput,
  type ProgressKey,
} from '../../../machines/model/reading/reading.ts';
import { customersKey } from '../../storage/session-storage.ts';
import { stored, storeList } from '../../storage/storage.ts';
import type { ServerPlace } from './places.ts';

/**
 * A place in this browser. `isSent`: the server has it. `offered`: the place of this browser when
 * another device read on, until the customer has chosen.
 */
const KeptPlace = v.object({
  titleId: v.string(),
  contextKey: v.string(),
  position: Position,
  savedAt: v.string(),
  known: KnownPlace,
  isSent: v.boolean(),
  offered: v.nullable(SavedPlace),
});
export type KeptPlace = v.InferOutput<typeof KeptPlace>;

/** Places that a browser keeps; those that the server does not have are kept longest. */
const MOST_PLACES = 50;

const name = () => `colophon.places.${customersKey()}` as const;

const all = (): KeptPlace[] => stored(name(), v.array(KeptPlace), []);

const isOf =
  ({ titleId, contextKey }: ProgressKey) =>
  (each: ProgressKey): boolean =>
    each.titleId === titleId && each.contextKey === contextKey;

export const keptPlace = (key: ProgressKey): KeptPlace | null => all().find(isOf(key)) ?? null;

/** Places that the server does not have, the latest first. */
export const unsentPlaces = (): KeptPlace[] => all().filter(({ isSent }) => !isSent);

const keep = (place: KeptPlace): void => {
  const places = [place, ...all().filter((each) => !isOf(place)(each))];
  const unsentFirst = places.toSorted((one, other) => Number(one.isSent) - Number(other.isSent));
  storeList(name(), unsentFirst.slice(0, MOST_PLACES));
};

/**
 * Carries out a command of the machine that saves a place. A place that was sent while the reader
 * moved on leaves the later one unsent.
 */
export const rememberPlace = (command: PlaceCommand): void => {
  const { titleId, contextKey } = command;
  const kept = keptPlace(command);
  if (command.type === 'place.answered') return kept === null ? undefined : keep({ ...kept, offered: null });
  const { position, known } = command;
  const isSent = command.type === 'place.sent';
  if (isSent && kept !== null && !kept.isSent && isElsewhere(kept.position, position)) return keep({ ...kept, known });
  keep({ titleId, contextKey, position, known, savedAt: new Date().toISOString(), isSent, offered: kept?.offered ?? null });
};

/** Where a title opens, and what is offered beside. */
type Opening = { position: Position | null; progress: Omit<ProgressInput, keyof ProgressKey> };

/** Whether the server still has what this browser's place is based on. */
const isUpToDate = (kept: KeptPlace, { place, known }: ServerPlace, deviceId: string): boolean => {
  if (place === null || place.device?.id === deviceId) return true;
  if ('version' in kept.known && 'version' in known) return known.version <= kept.known.version;
  const base = 'position' in kept.known ? kept.known.position : null;
  return base !== null && !isElsewhere(base, place.position);
};

/**
 * A title opens at the newest place. A place of this browser that the server does not have is the
 * newest where no other device has saved since; otherwise it is offered.
 * @param server null where it could not be asked
 */
export const openingPlace = (
  server: ServerPlace | null,
  kept: KeptPlace | null,
  deviceId: string,
  offerOf: (place: SavedPlace) => OfferedPlace,
): Opening => {
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
      offered: offered !== null && position !== null && isElsewhere(offered.position, position) ? offerOf(offered) : null,
      earlier,
    },
  };
};

/** Keeps an offer until it is answered, since the title is read on from elsewhere. */
export const keepOffer = (key: ProgressKey, { position, progress: { offered, known } }: Opening): void => {
  if (offered === null || position === null) return;
  keep({ ...key, position, known, savedAt: new Date().toISOString(), isSent: true, offered });
};
