import * as v from 'valibot';
import {
  isElsewhere,
  Position,
  ReadingDevice,
  SavedPlace,
  type KnownPlace,
  type OfferedPlace,
  type ProgressKey,
  type SaveOutcome,
} from '../../../machines/model/reading/reading.ts';
import type { Device } from '../account/account.ts';
import type { Api } from '../wire/client.ts';
import { jsonAnswer } from '../wire/json.ts';
import { problemOfFailure, raise } from '../wire/problem.ts';
import { reportFailure } from '../wire/report-failure.ts';
import { shopNow } from '../wire/shop-time.ts';

const queryOf = ({ titleId, contextKey }: ProgressKey) => ({ titleid: titleId, contextkey: contextKey });

const Progress = v.object({
  position: v.nullish(Position, null),
  savedAt: v.nullish(v.string(), null),
  version: v.optional(v.number()),
  device: v.fallback(v.nullish(ReadingDevice, null), null),
  earlier: v.fallback(v.optional(v.array(SavedPlace), []), []),
});
type Progress = v.InferOutput<typeof Progress>;

/** A title's place at the server. */
export type ServerPlace = { place: OfferedPlace | null; known: KnownPlace; earlier: OfferedPlace[] };

const MINUTE_MS = 60_000;

/** A place with the time since it was saved, by the shop's clock. */
export const withAge = (api: Pick<Api, 'config'>, place: SavedPlace): OfferedPlace => {
  const ms = shopNow(api) - Date.parse(place.savedAt);
  return { ...place, minutesAgo: Number.isNaN(ms) ? null : Math.max(0, Math.round(ms / MINUTE_MS)) };
};

const serverPlace = (api: Api, { position, savedAt, version, device, earlier }: Progress): ServerPlace => ({
  place: position && withAge(api, { position, savedAt: savedAt ?? '', device }),
  known: version === undefined ? { position } : { version },
  earlier: earlier.map((each) => withAge(api, each)),
});

const progress = 'viewer/progress';

/** @throws Problem of any kind, reported already */
export const viewerProgress = (api: Api, progressKey: ProgressKey, signal?: AbortSignal): Promise<ServerPlace> =>
  reportFailure(api, progress, async () => {
    const sending = api.client.GET('/viewer/progress', { params: { query: queryOf(progressKey) }, ...api.reading(signal) });
    return serverPlace(api, await jsonAnswer(api, progress, sending, Progress));
  });

/** A server of the specification alone may answer anything. */
const Saved = v.fallback(v.pick(Progress, ['version', 'earlier']), { earlier: [] });

/** A place to be saved: by a device, based on what its reader knows of the server's. */
type Saving = { position: Position; known: KnownPlace; device: Device };

/** The place of another device, where it is not the one that the reader knows. */
const newerThan = ({ position, known }: Saving, { place }: ServerPlace): OfferedPlace | null => {
  const isKnown =
    'position' in known && known.position !== null && place !== null && !isElsewhere(known.position, place.position);
  return place === null || isKnown || !isElsewhere(position, place.position) ? null : place;
};

/**
 * Saves the position, even while the page closes. Where another device has saved since, nothing is
 * saved and its place is answered; a server without versions is asked for its place first.
 * @throws Problem of any kind, reported already: the caller ignores it (specification section 8).
 */
export const saveViewerProgress = (api: Api, progressKey: ProgressKey, saving: Saving): Promise<SaveOutcome> =>
  reportFailure(api, progress, async () => {
    const { position, known, device } = saving;
    const hasVersions = 'version' in known;
    const conflict = async (): Promise<SaveOutcome | null> => {
      const now = await viewerProgress(api, progressKey);
      const newer = hasVersions ? now.place : newerThan(saving, now);
      return newer && { known: now.known, earlier: now.earlier, newer };
    };
    const other = hasVersions ? null : await conflict();
    if (other !== null) return other;
    const sending = api.client.POST('/viewer/progress', {
      params: { query: queryOf(progressKey) },
      body: { position, ...(hasVersions ? { basedOn: known.version, device } : {}) },
      keepalive: true,
      ...api.changing(null),
      headers: { 'Content-Type': 'application/json' },
    });
    try {
      const { version, earlier } = await jsonAnswer(api, progress, sending, Saved);
      return {
        known: version === undefined ? { position } : { version },
        earlier: earlier.map((each) => withAge(api, each)),
        newer: null,
      };
    } catch (error) {
      const problem = problemOfFailure(error);
      const isConflict = problem.kind === 'refused' && problem.code === 'place_newer';
      return (isConflict ? await conflict() : null) ?? raise(problem);
    }
  });
