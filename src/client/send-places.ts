import { mayHaveHappened } from '../../machines/model/problem.ts';
import type { Api } from './client.ts';
import { rememberPlace, unsentPlaces } from './kept-places.ts';
import { saveViewerProgress } from './places.ts';
import { problemOfFailure } from './problem.ts';
import { thisDevice } from './start-session.ts';

/**
 * Sends the places that an earlier visit could not save. Where another device has read on, a place
 * is offered when its title is opened. Nothing waits for it, and a place that cannot be sent stays.
 */
export const sendPlaces = async (api: Api): Promise<void> => {
  for (const { titleId, contextKey, position, known } of unsentPlaces()) {
    try {
      const outcome = await saveViewerProgress(api, { titleId, contextKey }, { position, known, device: thisDevice() });
      if (outcome.newer === null) rememberPlace({ type: 'place.sent', titleId, contextKey, position, known: outcome.known });
    } catch (error) {
      const problem = problemOfFailure(error);
      if (mayHaveHappened(problem) || problem.kind === 'unauthorized' || 'retryAfterSeconds' in problem) return;
      // The title is no longer the customer's: its place is not sent again.
      rememberPlace({ type: 'place.sent', titleId, contextKey, position, known });
    }
  }
};
