import * as v from 'valibot';
import { Playback } from '../../../machines/model/reading/reading.ts';
import type { Medium } from '../../../machines/model/catalogue/title.ts';
import type { PlaybackCommand } from '../../../machines/reading/tracks-setup.ts';
import { store, stored } from '../../storage/storage.ts';

const name = 'colophon.playback';

/** Titles whose speed a browser keeps, those of which it was chosen last. */
const MAX_TITLES = 200;

const { rate: Rate } = Playback.entries;

/**
 * Playback as it is kept: `rates` the last speed chosen for each medium, missing in a record of an
 * older build, where `rate` is of both; `titles` the speeds of titles, the latest choice first.
 */
const KeptPlayback = v.object({
  ...Playback.entries,
  rates: v.optional(v.object({ audio: v.optional(Rate), video: v.optional(Rate) })),
  titles: v.optional(v.array(v.object({ titleId: v.string(), rate: Rate })), []),
});

/** Captions show from the start, in the language of the shop where there are such. */
const usual = (language: string): v.InferOutput<typeof KeptPlayback> => ({
  rate: 1,
  volume: 1,
  muted: false,
  captions: language,
  titles: [],
});

const kept = (language: string) => {
  const { rate, rates, titles, ...shared } = stored(name, KeptPlayback, usual(language));
  return { shared, rates: rates ?? { audio: rate, video: rate }, titles };
};

/**
 * How a title begins to play: at its own speed, else at the last one that was chosen for its
 * medium; all else as the last title was played.
 */
export const playbackOf = (titleId: string, medium: Medium, language: string): Playback => {
  const { shared, rates, titles } = kept(language);
  const own = titles.find((title) => title.titleId === titleId)?.rate;
  const ofMedium = medium === 'audio' || medium === 'video' ? rates[medium] : undefined;
  return { ...shared, rate: own ?? ofMedium ?? 1 };
};

/** Keeps how a title is played now; the speed where the customer chose it for the title. */
export const keepPlayback = ({ playback, rateOf }: PlaybackCommand): void => {
  const { rate, captions } = playback;
  const before = kept(captions);
  const others = before.titles.filter(({ titleId }) => titleId !== rateOf?.titleId);
  const rates = rateOf === undefined ? before.rates : { ...before.rates, [rateOf.medium]: rate };
  const titles = rateOf === undefined ? others : [{ titleId: rateOf.titleId, rate }, ...others];
  store(name, v.parse(KeptPlayback, { ...playback, rates, titles: titles.slice(0, MAX_TITLES) }));
};
