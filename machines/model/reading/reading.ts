import * as v from 'valibot';
import { Medium, type TitleSummary } from '../catalogue/title.ts';
import type { Problem } from '../problem.ts';

/**
 * A position in a book: `progression` within the item, `totalProgression` within the book, both 0
 * to 1; `cfi` is an EPUB CFI. `page` and `pages` count the positions of an EPUB, or the pages of a
 * PDF.
 */
export const Locator = v.object({
  href: v.string(),
  progression: v.number(),
  totalProgression: v.number(),
  cfi: v.nullable(v.string()),
  label: v.string(),
  page: v.nullable(v.number()),
  pages: v.nullable(v.number()),
});
export type Locator = v.InferOutput<typeof Locator>;

/**
 * The page numbers at a position, only for the screen: the server never receives them. `page` and
 * `lastPage` are those of the printed edition's page list, or of a PDF; `pagesLeft` counts the
 * screens left in the chapter at the current layout. Each is null if unknown.
 */
export type PageCount = { page: string | null; lastPage: string | null; pagesLeft: number | null };
export const noPageCount: PageCount = { page: null, lastPage: null, pagesLeft: null };

/** A position in a recording: `seconds` into the item. */
export const TrackPosition = v.object({ itemId: v.string(), seconds: v.number(), totalProgression: v.number() });
export type TrackPosition = v.InferOutput<typeof TrackPosition>;

/** A position in an interactive title; `node` is the title's own name for it. */
export const NodePosition = v.object({ node: v.string(), totalProgression: v.number() });
export type NodePosition = v.InferOutput<typeof NodePosition>;

export const Position = v.union([Locator, TrackPosition, NodePosition]);
export type Position = v.InferOutput<typeof Position>;

/** Positions in a chapter that differ by at most this fraction of it count as the same. */
const MAX_SAME_PROGRESSION = 0.03;
/** Positions in a recording that differ by at most this many seconds count as the same. */
const MAX_SAME_SECONDS = 15;

/** Whether two positions are so far apart that a reader at one would not find the other at once. */
export const isOtherPosition = (one: Position, other: Position): boolean => {
  if ('href' in one && 'href' in other)
    return one.href !== other.href || Math.abs(one.progression - other.progression) > MAX_SAME_PROGRESSION;
  if ('itemId' in one && 'itemId' in other)
    return one.itemId !== other.itemId || Math.abs(one.seconds - other.seconds) > MAX_SAME_SECONDS;
  return !('node' in one && 'node' in other && one.node === other.node);
};

/** A browser in which titles are read: a random id, and the name that the browser reports. */
export const ReadingDevice = v.object({ id: v.string(), name: v.string() });

/** A saved position: `savedAt` is ISO 8601, `device` is null if unknown to the server. */
export const SavedPlace = v.object({ position: Position, savedAt: v.string(), device: v.nullable(ReadingDevice) });
export type SavedPlace = v.InferOutput<typeof SavedPlace>;

/** A position offered to the customer; `minutesAgo` is its age at loading, null if unknown. */
export type OfferedPlace = SavedPlace & { minutesAgo: number | null };

/**
 * The server's position that a save is based on: its version, or without one the position itself.
 */
export const KnownPlace = v.union([v.object({ version: v.number() }), v.object({ position: v.nullable(Position) })]);
export type KnownPlace = v.InferOutput<typeof KnownPlace>;

/** The response to a save. If `newer` is set, another device has read on, and nothing was saved. */
export type SaveOutcome = { known: KnownPlace; earlier: OfferedPlace[]; newer: OfferedPlace | null };

export type ContentsEntry = { title: string; href: string; children: ContentsEntry[] };

export type ReadingTheme = 'light' | 'sepia' | 'dark';
/** `fontScale` 1 is the book's own size. */
export const ReadingLook = v.object({
  fontScale: v.pipe(v.number(), v.minValue(0.5), v.maxValue(3)),
  theme: v.picklist(['light', 'sepia', 'dark']),
});
export type ReadingLook = v.InferOutput<typeof ReadingLook>;

/** `language` as a BCP 47 tag. */
export const Captions = v.object({ url: v.string(), language: v.string() });
export type Captions = v.InferOutput<typeof Captions>;

/**
 * Playback settings of this device. `volume` is 0 to 1; `captions` is the chosen language, '' for
 * none.
 */
export const Playback = v.object({
  rate: v.pipe(v.number(), v.minValue(0.25), v.maxValue(4)),
  volume: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  muted: v.boolean(),
  captions: v.string(),
});
export type Playback = v.InferOutput<typeof Playback>;

const getMainLanguage = (tag: string): string => (tag.split('-')[0] ?? '').toLowerCase();

/**
 * The captions to show: those in the preferred language, else the first ones; null if captions are
 * off or the item has none.
 */
export const selectCaptions = (available: readonly Captions[], preferred: string): Captions | null => {
  if (preferred === '') return null;
  const exactMatch = available.find(({ language }) => language === preferred);
  const languageMatch = available.find(({ language }) => getMainLanguage(language) === getMainLanguage(preferred));
  return exactMatch ?? languageMatch ?? available[0] ?? null;
};

/** A file to open: an item's `url` is signed and expires. */
export const ViewerItem = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  name: v.string(),
  url: v.optional(v.string(), ''),
  durationSeconds: v.nullable(v.number()),
  /** For a recording: where its chapters start, in order. */
  chapters: v.optional(v.array(v.object({ name: v.string(), seconds: v.number() }))),
  captions: v.optional(v.array(Captions), []),
  /** For a sample's item: where it starts in the full title. */
  sampleOf: v.optional(v.object({ itemId: v.string(), seconds: v.number() })),
});
export type ViewerItem = v.InferOutput<typeof ViewerItem>;

/** A title opened for reading; `sample` if only its sample is open. */
export const Publication = v.object({
  titleId: v.string(),
  instanceId: v.string(),
  name: v.string(),
  medium: Medium,
  sample: v.boolean(),
  items: v.pipe(v.array(ViewerItem), v.minLength(1)),
});
export type Publication = v.InferOutput<typeof Publication>;

/** The key of a saved position; `contextKey` separates samples and the media of a title. */
export type ProgressKey = { titleId: string; contextKey: string };

export const sampleKey = 'sample';
export const getContextKey = ({ sample, medium }: Publication): string => (sample ? sampleKey : medium);

/** The input for saving a title's position while it is open. */
export type ProgressInput = ProgressKey & {
  known: KnownPlace;
  /** A position stored in this browser that the server does not have. */
  unsent: Position | null;
  /** The position of this browser, if another device has read on since. */
  offered: OfferedPlace | null;
  /** Earlier positions at which the customer stopped reading, newest first. */
  earlier: OfferedPlace[];
};

/** Commands to store a position in this browser, in case the server is unreachable. */
export type PlaceCommand =
  | ({ type: 'place.moved' | 'place.sent'; position: Position; known: KnownPlace } & ProgressKey)
  | ({ type: 'place.answered' } & ProgressKey);

/** The key by which a title is opened: the copy's id, or for a sample the title's id. */
export type TitleKey = { instanceId: string; sample: boolean };

/** The items with valid URLs, which must be renewed after `renewIn` milliseconds. */
export type RenewedAddresses = { items: ViewerItem[]; renewIn: number };

export type AddressesInput = TitleKey & { renewIn: number };

/** Events of the `addresses` machine to its player. */
export type AddressesSignal =
  | { type: 'addresses.renewed'; items: ViewerItem[] }
  | { type: 'addresses.refused'; problem: Problem }
  | { type: 'addresses.failed'; problem: Problem };

/** `title` is the key under which this browser stores input into the title's forms. */
export type BookInput = {
  medium: 'epub' | 'pdf';
  url: string;
  start: Locator | null;
  look: ReadingLook;
  title?: ProgressKey;
};
export type BookCommand =
  | { type: 'book.turn'; direction: 'next' | 'previous' }
  | { type: 'book.goTo'; href: string }
  | { type: 'book.goToFraction'; fraction: number }
  | { type: 'book.goToPlace'; place: Locator }
  | { type: 'book.setLook'; look: ReadingLook }
  /** Shows the last requested table or picture enlarged, or closes it. */
  | { type: 'book.enlarge' }
  | { type: 'book.reduce' }
  /** Retries what failed to load; see `book.interrupted`. */
  | { type: 'book.continue' }
  | { type: 'book.renewed'; url: string }
  /** No new URL is available for now. */
  | { type: 'book.notRenewed'; problem: Problem };
export type BookFact =
  | { type: 'book.opened'; contents: ContentsEntry[]; rightToLeft?: true }
  | { type: 'book.moved'; locator: Locator; pageCount?: PageCount }
  | { type: 'book.ended' }
  /** The server no longer accepts the URL; the engine waits for a new one. */
  | { type: 'book.expired' }
  | { type: 'book.failed'; problem: Problem }
  /** The next page failed to load. The old one stays, and the engine waits for `book.continue`. */
  | { type: 'book.interrupted'; problem: Problem }
  | { type: 'book.continued' }
  /** A chapter failed to load, and the book continues after it. */
  | { type: 'book.skipped'; problem: Problem }
  | { type: 'book.linkPressed'; href: string }
  | { type: 'book.turnRequested'; direction: 'next' | 'previous' }
  | { type: 'book.controlsRequested' }
  /** The customer wants to see a table or picture enlarged that was scaled to its column. */
  | { type: 'book.enlargeRequested' }
  | { type: 'book.reduceRequested' };

/** The data of a title that a player shows; `cover` is the shop's picture of it. */
export type RecordingInfo = { name: string } & Pick<TitleSummary, 'authors' | 'cover'>;

export type TracksInput = {
  medium: 'audio' | 'video';
  items: ViewerItem[];
  start: { itemId: string; seconds: number } | null;
  playback: Playback;
  about: RecordingInfo;
};
export type TracksCommand =
  | { type: 'tracks.play' }
  | { type: 'tracks.pause' }
  | { type: 'tracks.seek'; itemId: string; seconds: number }
  | { type: 'tracks.skip'; seconds: number }
  | { type: 'tracks.playback'; playback: Playback }
  /** Requests the exact position; `tracks.positionReported` follows at once. */
  | { type: 'tracks.reportPosition' }
  /** Toggles full screen for the film. */
  | { type: 'tracks.fullScreen' }
  /** Retries what failed to load; see `tracks.interrupted`. */
  | { type: 'tracks.continue' }
  | { type: 'tracks.renewed'; items: ViewerItem[] }
  /** No new URLs are available for now. */
  | { type: 'tracks.notRenewed'; problem: Problem };
export type TracksFact =
  | { type: 'tracks.ready' }
  | { type: 'tracks.playing' }
  | { type: 'tracks.paused'; itemId: string; seconds: number }
  | { type: 'tracks.waiting' }
  | { type: 'tracks.blocked' }
  | { type: 'tracks.itemChanged'; itemId: string }
  | { type: 'position.passed'; itemId: string; seconds: number; totalProgression: number }
  | { type: 'tracks.positionReported'; itemId: string; seconds: number; totalProgression: number }
  | { type: 'tracks.fullScreenChanged'; on: boolean }
  | { type: 'tracks.ended' }
  | { type: 'tracks.expired' }
  /** The next part or segment failed to load. The engine waits for `tracks.continue`. */
  | { type: 'tracks.interrupted'; problem: Problem }
  | { type: 'tracks.continued' }
  | { type: 'tracks.failed'; problem: Problem };

export type InteractiveInput = { url: string; start: string | null };
export type InteractiveCommand = { type: 'interactive.renewed'; url: string };
export type InteractiveFact =
  | { type: 'interactive.ready' }
  | { type: 'interactive.moved'; node: string; totalProgression: number }
  | { type: 'interactive.ended' }
  | { type: 'interactive.expired' }
  | { type: 'interactive.failed'; problem: Problem };
