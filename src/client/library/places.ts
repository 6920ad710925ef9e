import * as v from 'valibot';
import {
  isOtherPosition,
  Position,
  ReadingDevice,
  SavedPlace,
  type KnownPlace,
  type OfferedPlace,
  type ProgressKey,
  type SaveOutcome,
} from '../../../machines/model/reading/reading.ts';
import type { BrowserDevice } from '../account/account.ts';
import type { Api } from '../wire/client.ts';
import { readJsonResponse } from '../wire/json.ts';
import { toFetchProblem, throwProblem } from '../wire/problem.ts';
import { withFailureReport } from '../wire/report-failure.ts';
import { getShopTime } from '../wire/shop-time.ts';

const toQuery = ({ titleId, contextKey }: ProgressKey) => ({ titleid: titleId, contextkey: contextKey });

const Progress = v.object({
  position: v.nullish(Position, null),
  savedAt: v.nullish(v.string(), null),
  version: v.optional(v.number()),
  device: v.fallback(v.nullish(ReadingDevice, null), null),
  earlier: v.fallback(v.optional(v.array(SavedPlace), []), []),
});
type Progress = v.InferOutput<typeof Progress>;

/** A title's place on the server. */
export type ServerPlace = { place: OfferedPlace | null; known: KnownPlace; earlier: OfferedPlace[] };

const MINUTE_MS = 60_000;

/** A place with the time since it was saved, by the shop's clock. */
export const addAge = (api: Pick<Api, 'config'>, place: SavedPlace): OfferedPlace => {
  const ms = getShopTime(api) - Date.parse(place.savedAt);
  return { ...place, minutesAgo: Number.isNaN(ms) ? null : Math.max(0, Math.round(ms / MINUTE_MS)) };
};

const toServerPlace = (api: Api, { position, savedAt, version, device, earlier }: Progress): ServerPlace => ({
  place: position && addAge(api, { position, savedAt: savedAt ?? '', device }),
  known: version === undefined ? { position } : { version },
  earlier: earlier.map((each) => addAge(api, each)),
});

const callName = 'viewer/progress';

/** @throws Problem of any kind, already reported */
export const fetchServerPlace = (api: Api, progressKey: ProgressKey, signal?: AbortSignal): Promise<ServerPlace> =>
  withFailureReport(api, callName, async () => {
    const responsePromise = api.client.GET('/viewer/progress', {
      params: { query: toQuery(progressKey) },
      ...api.readOptions(signal),
    });
    return toServerPlace(api, await readJsonResponse(api, callName, responsePromise, Progress));
  });

/** The answer to a save; a server that implements only the specification may answer anything. */
const SaveResponse = v.fallback(v.pick(Progress, ['version', 'earlier']), { earlier: [] });

/** A place to save, with its device and the server's place that it is based on. */
type PlaceRequest = { position: Position; known: KnownPlace; device: BrowserDevice };

/**
 * The server's place if the reader has neither started from it nor is saving the same one; null
 * otherwise.
 */
const getNewerPlace = ({ position, known }: PlaceRequest, { place }: ServerPlace): OfferedPlace | null => {
  const isKnown =
    'position' in known && known.position !== null && place !== null && !isOtherPosition(known.position, place.position);
  return place === null || isKnown || !isOtherPosition(position, place.position) ? null : place;
};

/**
 * Saves the position, even while the page closes. Where another device has saved since, nothing is
 * saved and its place is returned; on a server without versions, its place is read first.
 * @throws Problem of any kind, already reported
 */
export const saveViewerProgress = (api: Api, progressKey: ProgressKey, request: PlaceRequest): Promise<SaveOutcome> =>
  withFailureReport(api, callName, async () => {
    const { position, known, device } = request;
    const hasVersions = 'version' in known;
    const fetchConflict = async (): Promise<SaveOutcome | null> => {
      const serverPlace = await fetchServerPlace(api, progressKey);
      const newerPlace = hasVersions ? serverPlace.place : getNewerPlace(request, serverPlace);
      return newerPlace && { known: serverPlace.known, earlier: serverPlace.earlier, newer: newerPlace };
    };
    const conflict = hasVersions ? null : await fetchConflict();
    if (conflict !== null) return conflict;
    const responsePromise = api.client.POST('/viewer/progress', {
      params: { query: toQuery(progressKey) },
      body: { position, ...(hasVersions ? { basedOn: known.version, device } : {}) },
      keepalive: true,
      ...api.changeOptions(null),
      headers: { 'Content-Type': 'application/json' },
    });
    try {
      const { version, earlier } = await readJsonResponse(api, callName, responsePromise, SaveResponse);
      return {
        known: version === undefined ? { position } : { version },
        earlier: earlier.map((each) => addAge(api, each)),
        newer: null,
      };
    } catch (error) {
      const problem = toFetchProblem(error);
      const isConflict = problem.kind === 'refused' && problem.code === 'place_newer';
      return (isConflict ? await fetchConflict() : null) ?? throwProblem(problem);
    }
  });
