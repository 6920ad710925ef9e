import { problemOf, type Problem } from '../../machines/model/problem.ts';
import { malformed } from '../client/problem.ts';
import { fetchMedia } from './media-problem.ts';

/** Why a player gave up. Its own words say little, so the file is asked for once more; null when the engine has stopped. */
export const problemOfPlayer = async (player: HTMLMediaElement, itemId: string, signal: AbortSignal): Promise<Problem | null> => {
  const { error, currentSrc, src } = player;
  try {
    await fetchMedia(currentSrc || src, signal, 'HEAD');
  } catch (failure) {
    return signal.aborted ? null : problemOf(failure);
  }
  return error?.code === MediaError.MEDIA_ERR_NETWORK
    ? { kind: 'offline' }
    : malformed('recording', itemId, error?.message ?? '');
};
