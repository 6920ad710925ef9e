import { captionsShown, type Captions, type TracksInput } from '../../../machines/model/reading/reading.ts';

type PlayerCaptions = {
  offered: Captions[];
  shown: Captions | null;
  /** What the switch leads to: '' for off, else a language; null where there are no captions. */
  next: string | null;
};

/** The captions of the part that plays. Switched on again, they are in the language that the customer speaks, if they can be. */
export const captionsOf = (
  { items, itemId, playback }: Pick<TracksInput, 'items' | 'playback'> & { itemId: string },
  locale: string,
): PlayerCaptions => {
  const offered = items.find(({ id }) => id === itemId)?.captions ?? [];
  const shown = captionsShown(offered, playback.captions);
  const next = shown === null ? (captionsShown(offered, locale)?.language ?? null) : '';
  return { offered, shown, next };
};
