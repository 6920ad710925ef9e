import { selectCaptions, type Captions, type TracksInput } from '../../../machines/model/reading/reading.ts';

type PlayerCaptions = {
  offered: Captions[];
  shown: Captions | null;
  /** The language that the switch selects, '' for off; null where there are no captions. */
  next: string | null;
};

/**
 * The captions of the current part. After they are switched on again, they are in the customer's
 * language if that is available.
 */
export const getCaptions = (
  { items, itemId, playback }: Pick<TracksInput, 'items' | 'playback'> & { itemId: string },
  locale: string,
): PlayerCaptions => {
  const offered = items.find(({ id }) => id === itemId)?.captions ?? [];
  const shown = selectCaptions(offered, playback.captions);
  const next = shown === null ? (selectCaptions(offered, locale)?.language ?? null) : '';
  return { offered, shown, next };
};
