import * as v from 'valibot';
import { Playback } from '../../../machines/model/reading/reading.ts';
import type { Medium } from '../../../machines/model/catalogue/title.ts';
import type { PlaybackCommand } from '../../../machines/reading/tracks-setup.ts';
import { writeItem, readItem } from '../../storage/storage.ts';

const storageKey = 'colophon.playback';

/** Maximum number of titles with their own playback speed; the latest choices are kept. */
const MAX_STORED_TITLES = 200;

const { rate: Rate } = Playback.entries;

/**
 * The stored playback settings. `rates` has the last chosen speed of each medium; in a record of an
 * older build it is missing, and `rate` applies to both media. `titles` has the speeds of titles,
 * the latest choice first.
 */
const StoredPlayback = v.object({
  ...Playback.entries,
  rates: v.optional(v.object({ audio: v.optional(Rate), video: v.optional(Rate) })),
  titles: v.optional(v.array(v.object({ titleId: v.string(), rate: Rate })), []),
});

/** Captions are on by default, in the shop's language where available. */
const createDefaultPlayback = (language: string): v.InferOutput<typeof StoredPlayback> => ({
  rate: 1,
  volume: 1,
  muted: false,
  captions: language,
  titles: [],
});

const readStored = (language: string) => {
  const { rate, rates, titles, ...shared } = readItem(storageKey, StoredPlayback, createDefaultPlayback(language));
  return { shared, rates: rates ?? { audio: rate, video: rate }, titles };
};

/**
 * The initial playback settings of a title: its own speed, else the last speed chosen for its
 * medium; the other settings are those of the last title.
 */
export const getInitialPlayback = (titleId: string, medium: Medium, language: string): Playback => {
  const { shared, rates, titles } = readStored(language);
  const titleRate = titles.find((title) => title.titleId === titleId)?.rate;
  const mediumRate = medium === 'audio' || medium === 'video' ? rates[medium] : undefined;
  return { ...shared, rate: titleRate ?? mediumRate ?? 1 };
};

/**
 * Stores the playback settings. With `rateOf`, the customer has chosen the speed for that title, so
 * it is stored for the title and its medium.
 */
export const savePlayback = ({ playback, rateOf }: PlaybackCommand): void => {
  const { rate, captions } = playback;
  const storedSettings = readStored(captions);
  const otherTitles = storedSettings.titles.filter(({ titleId }) => titleId !== rateOf?.titleId);
  const rates = rateOf === undefined ? storedSettings.rates : { ...storedSettings.rates, [rateOf.medium]: rate };
  const titles = rateOf === undefined ? otherTitles : [{ titleId: rateOf.titleId, rate }, ...otherTitles];
  writeItem(storageKey, v.parse(StoredPlayback, { ...playback, rates, titles: titles.slice(0, MAX_STORED_TITLES) }));
};
