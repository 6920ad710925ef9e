import { isUnreachable } from '../../../machines/model/problem.ts';
import { getCustomerKey } from '../../storage/session-storage.ts';
import type { Api } from '../wire/client.ts';
import { findLocalPlace, applyPlaceCommand, getUnsentPlaces, type LocalPlace } from './local-places.ts';
import { saveViewerProgress } from './places.ts';
import { toFetchProblem } from '../wire/problem.ts';
import { getThisDevice } from '../account/start-session.ts';
import { isSameJson } from '../../../machines/same-json.ts';

/** Whether a place is still the one to send: the customer may have continued reading. */
const isStillUnsent = (place: LocalPlace): boolean => {
  const current = findLocalPlace(place);
  return current !== null && !current.isSent && isSameJson(current.position, place.position);
};

/** Sends a place. @returns false where sending the next one would fail as well */
const sendPlace = async (api: Api, { titleId, contextKey, position, known }: LocalPlace): Promise<boolean> => {
  try {
    const outcome = await saveViewerProgress(api, { titleId, contextKey }, { position, known, device: getThisDevice() });
    if (outcome.newer === null) applyPlaceCommand({ type: 'place.sent', titleId, contextKey, position, known: outcome.known });
    return true;
  } catch (error) {
    const problem = toFetchProblem(error);
    // The place of a title that the customer no longer has stays, in case the title returns.
    return !isUnreachable(problem) && problem.kind !== 'unauthorized' && !('retryAfterSeconds' in problem);
  }
};

/**
 * Sends the places that an earlier visit could not save, one after the other. Where another device
 * has read further, a place is offered when its title is opened. Nothing waits for this, and a
 * place that cannot be sent stays.
 */
export const createPlacesSender = (): ((api: Api) => Promise<void>) => {
  let isSending = false;
  const sendAll = async (api: Api): Promise<void> => {
    const customer = getCustomerKey();
    for (const place of getUnsentPlaces()) {
      if (getCustomerKey() !== customer) return;
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
