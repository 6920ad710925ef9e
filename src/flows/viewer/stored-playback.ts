import * as v from 'valibot';
import { Playback } from '../../../machines/model/reading/reading.ts';
import type { Medium } from '../../../machines/model/catalogue/title.ts';
import type { PlaybackCommand } from '../../../machines/reading/tracks-setup.ts';
import { writeItem, readItem } from '../../storage/storage.ts';

const storageKey = 'colophon.playback';

/** Maximum number of titles with their own playback speed; the latest choices are kept. */
const MAX_TITLES = 200;

const { rate: Rate } = Playback.entries;

/**
 * Stored playback settings: `rates` has the last chosen speed of each medium (in a record of an
 * older build it is missing, and `rate` applies to both); `titles` has the speeds of titles, the
 * latest choice first.
 */
const StoredPlayback = v.object({
  ...Playback.entries,
  rates: v.optional(v.object({ audio: v.optional(Rate), video: v.optional(Rate) })),
  titles: v.optional(v.array(v.object({ titleId: v.string(), rate: Rate })), []),
});

/** Captions are on by default, in the shop's language where available. */
const defaultPlayback = (language: string): v.InferOutput<typeof StoredPlayback> => ({
  rate: 1,
  volume: 1,
  muted: false,
  captions: language,
  titles: [],
});

const readStored = (language: string) => {
  const { rate, rates, titles, ...shared } = readItem(storageKey, StoredPlayback, defaultPlayback(language));
  return { shared, rates: rates ?? { audio: rate, video: rate }, titles };
};

/**
 * The initial playback settings of a title: its own speed, else the last one chosen for its medium;
 * all others as in the last title.
 */
export const getInitialPlayback = (titleId: string, medium: Medium, language: string): Playback => {
  const { shared, rates, titles } = readStored(language);
  const own = titles.find((title) => title.titleId === titleId)?.rate;
  const ofMedium = medium === 'audio' || medium === 'video' ? rates[medium] : undefined;
  return { ...shared, rate: own ?? ofMedium ?? 1 };
};

/** Stores the playback settings; the speed for the title where the customer chose it there. */
export const savePlayback = ({ playback, rateOf }: PlaybackCommand): void => {
  const { rate, captions } = playback;
  const before = readStored(captions);
  const others = before.titles.filter(({ titleId }) => titleId !== rateOf?.titleId);
  const rates = rateOf === undefined ? before.rates : { ...before.rates, [rateOf.medium]: rate };
  const titles = rateOf === undefined ? others : [{ titleId: rateOf.titleId, rate }, ...others];
  writeItem(storageKey, v.parse(StoredPlayback, { ...playback, rates, titles: titles.slice(0, MAX_TITLES) }));
};
