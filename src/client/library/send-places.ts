import { isUnreached } from '../../../machines/model/problem.ts';
import { customersKey } from '../../storage/session-storage.ts';
import type { Api } from '../wire/client.ts';
import { keptPlace, rememberPlace, unsentPlaces, type KeptPlace } from './kept-places.ts';
import { saveViewerProgress } from './places.ts';
import { problemOfFailure } from '../wire/problem.ts';
import { thisDevice } from '../account/start-session.ts';

/** Whether a place is still the one to be sent: its title may have been read on since. */
const isStillUnsent = (place: KeptPlace): boolean => {
  const now = keptPlace(place);
  return now !== null && !now.isSent && JSON.stringify(now.position) === JSON.stringify(place.position);
};

/** @returns false where the next place fares no better */
const sendPlace = async (api: Api, { titleId, contextKey, position, known }: KeptPlace): Promise<boolean> => {
  try {
    const outcome = await saveViewerProgress(api, { titleId, contextKey }, { position, known, device: thisDevice() });
    if (outcome.newer === null) rememberPlace({ type: 'place.sent', titleId, contextKey, position, known: outcome.known });
    return true;
  } catch (error) {
    const problem = problemOfFailure(error);
    // The place of a title that is not the customer's any more stays, in case the title returns.
    return !isUnreached(problem) && problem.kind !== 'unauthorized' && !('retryAfterSeconds' in problem);
  }
};

/**
 * Sends the places that an earlier visit could not save, one after the other. Where another device
 * has read on, a place is offered when its title is opened. Nothing waits for it, and a place that
 * cannot be sent stays.
 */
export const placesSender = (): ((api: Api) => Promise<void>) => {
  let isSending = false;
  const sendAll = async (api: Api): Promise<void> => {
    const customer = customersKey();
    for (const place of unsentPlaces()) {
      if (customersKey() !== customer) return;
      if (isStillUnsent(place) && !(await sendPlace(api, place))) return;
    }
  };
  return async (api) => {
    if (isSending) return;
    isSending = true;
    await sendAll(api).finally(() => {
      isSending = false;
    });
  };
};
