import * as v from 'valibot';
import { Medium, type TitleSummary } from '../catalogue/title.ts';
import type { Problem } from '../problem.ts';

/**
 * Where in a book: `progression` within the item, `totalProgression` within the book, both 0 to 1;
 * `cfi` is an EPUB CFI. `page` and `pages` count the positions of an EPUB, the pages of a PDF.
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
 * Pages at a place, for the reader alone: no server is sent them. `page` and `lastPage` as the book
 * counts them, by its printed edition's list or because each of them is a page; `pagesLeft` the
 * screens that follow in the chapter as it is laid out now. Null where nothing counts so.
 */
export type PageCount = { page: string | null; lastPage: string | null; pagesLeft: number | null };
export const noPageCount: PageCount = { page: null, lastPage: null, pagesLeft: null };

/** Where in a recording: `seconds` into the item. */
export const TrackPosition = v.object({ itemId: v.string(), seconds: v.number(), totalProgression: v.number() });
export type TrackPosition = v.InferOutput<typeof TrackPosition>;

/** Where in an interactive title: its own name of the place. */
export const NodePosition = v.object({ node: v.string(), totalProgression: v.number() });
export type NodePosition = v.InferOutput<typeof NodePosition>;

export const Position = v.union([Locator, TrackPosition, NodePosition]);
export type Position = v.InferOutput<typeof Position>;

/** Two places that are closer count as the same: a part of the chapter, or seconds. */
const SAME_CHAPTER_PART = 0.03;
const SAME_SECONDS = 15;

/** Whether a reader who is at one of these places would look for the other one. */
export const isElsewhere = (one: Position, other: Position): boolean => {
  if ('href' in one && 'href' in other)
    return one.href !== other.href || Math.abs(one.progression - other.progression) > SAME_CHAPTER_PART;
  if ('itemId' in one && 'itemId' in other)
    return one.itemId !== other.itemId || Math.abs(one.seconds - other.seconds) > SAME_SECONDS;
  return !('node' in one && 'node' in other && one.node === other.node);
};

/** A browser as it names itself; its id is random. */
export const ReadingDevice = v.object({ id: v.string(), name: v.string() });

/** A saved place: `savedAt` is ISO 8601, `device` null where the server does not know it. */
export const SavedPlace = v.object({ position: Position, savedAt: v.string(), device: v.nullable(ReadingDevice) });
export type SavedPlace = v.InferOutput<typeof SavedPlace>;

/** A place to be offered, with its age when the page read it, null where that is unknown. */
export type OfferedPlace = SavedPlace & { minutesAgo: number | null };

/** The place at the server on which a save is based: its version, else the place itself. */
export const KnownPlace = v.union([v.object({ version: v.number() }), v.object({ position: v.nullable(Position) })]);
export type KnownPlace = v.InferOutput<typeof KnownPlace>;

/** The answer to a save. Where another device has read on, nothing is saved: see `newer`. */
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
 * How a recording plays on this device. `volume` 0 to 1; `captions` the language that they are
 * wanted in, '' for none.
 */
export const Playback = v.object({
  rate: v.pipe(v.number(), v.minValue(0.25), v.maxValue(4)),
  volume: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  muted: v.boolean(),
  captions: v.string(),
});
export type Playback = v.InferOutput<typeof Playback>;

const mainLanguage = (tag: string): string => (tag.split('-')[0] ?? '').toLowerCase();

/** Those of the captions that are shown: in the wanted language, else the first ones; none when none are wanted. */
export const captionsShown = (offered: readonly Captions[], wanted: string): Captions | null => {
  if (wanted === '') return null;
  const exact = offered.find(({ language }) => language === wanted);
  return exact ?? offered.find(({ language }) => mainLanguage(language) === mainLanguage(wanted)) ?? offered[0] ?? null;
};

/** Something to open: an item's `url` is signed and expires. */
export const ViewerItem = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  name: v.string(),
  url: v.optional(v.string(), ''),
  durationSeconds: v.nullable(v.number()),
  /** Of a recording: where its chapters begin, in their order. */
  chapters: v.optional(v.array(v.object({ name: v.string(), seconds: v.number() }))),
  captions: v.optional(v.array(Captions), []),
  /** Of a sample's item: where in the whole title it begins. */
  sampleOf: v.optional(v.object({ itemId: v.string(), seconds: v.number() })),
});
export type ViewerItem = v.InferOutput<typeof ViewerItem>;

/** A title opened for reading; `sample` when only its sample is. */
export const Publication = v.object({
  titleId: v.string(),
  instanceId: v.string(),
  name: v.string(),
  medium: Medium,
  sample: v.boolean(),
  items: v.pipe(v.array(ViewerItem), v.minLength(1)),
});
export type Publication = v.InferOutput<typeof Publication>;

/** What a position is saved under; `contextKey` keeps those in a sample and in each medium of a title apart. */
export type ProgressKey = { titleId: string; contextKey: string };

export const sampleKey = 'sample';
export const contextKey = ({ sample, medium }: Publication): string => (sample ? sampleKey : medium);

/** How a title's place is kept from its opening on. */
export type ProgressInput = ProgressKey & {
  known: KnownPlace;
  /** A place of this browser that the server does not have. */
  unsent: Position | null;
  /** The place of this browser, where another device has read on since. */
  offered: OfferedPlace | null;
  /** Where the customer left off before, the newest first. */
  earlier: OfferedPlace[];
};

/** Orders to keep a place in this browser, for when the server cannot be reached. */
export type PlaceCommand =
  | ({ type: 'place.moved' | 'place.sent'; position: Position; known: KnownPlace } & ProgressKey)
  | ({ type: 'place.answered' } & ProgressKey);

/** What a title is opened by: the copy's id, or with `sample` the title's. */
export type TitleKey = { instanceId: string; sample: boolean };

/** The items with addresses that open; others are wanted in `renewIn` milliseconds. */
export type RenewedAddresses = { items: ViewerItem[]; renewIn: number };

export type AddressesInput = TitleKey & { renewIn: number };

/** What `addresses` tells the player that it serves. */
export type AddressesNews =
  | { type: 'addresses.renewed'; items: ViewerItem[] }
  | { type: 'addresses.refused'; problem: Problem }
  | { type: 'addresses.failed'; problem: Problem };

/** `title` is the key under which this browser keeps what is typed into the title's forms. */
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
  | { type: 'book.look'; look: ReadingLook }
  /** Shows over the page what was asked for last, or takes it away. */
  | { type: 'book.enlarge' }
  | { type: 'book.reduce' }
  /** Another try at what did not come; see `book.interrupted`. */
  | { type: 'book.continue' }
  | { type: 'book.renewed'; url: string }
  /** There is no other address for now. */
  | { type: 'book.notRenewed'; problem: Problem };
export type BookFact =
  | { type: 'book.opened'; contents: ContentsEntry[]; rightToLeft?: true }
  | { type: 'book.moved'; locator: Locator; pageCount?: PageCount }
  | { type: 'book.ended' }
  /** The server takes the address no longer; the engine waits for another one. */
  | { type: 'book.expired' }
  | { type: 'book.failed'; problem: Problem }
  /** The next page does not come. The old one stays, and the engine waits for `book.continue`. */
  | { type: 'book.interrupted'; problem: Problem }
  | { type: 'book.continued' }
  /** A chapter does not come, and the book goes on past it. */
  | { type: 'book.skipped'; problem: Problem }
  | { type: 'book.linkPressed'; href: string }
  | { type: 'book.turnRequested'; direction: 'next' | 'previous' }
  | { type: 'book.controlsRequested' }
  /** A table or picture that was made to fit its column is to be seen large. */
  | { type: 'book.enlargeRequested' }
  | { type: 'book.reduceRequested' };

/** What a player tells of the title beside its name; `cover` is the shop's own picture of it. */
export type AboutRecording = { name: string } & Pick<TitleSummary, 'authors' | 'cover'>;

export type TracksInput = {
  medium: 'audio' | 'video';
  items: ViewerItem[];
  start: { itemId: string; seconds: number } | null;
  playback: Playback;
  about: AboutRecording;
};
export type TracksCommand =
  | { type: 'tracks.play' }
  | { type: 'tracks.pause' }
  | { type: 'tracks.seek'; itemId: string; seconds: number }
  | { type: 'tracks.skip'; seconds: number }
  | { type: 'tracks.playback'; playback: Playback }
  /** Answered at once by `tracks.told`. */
  | { type: 'tracks.tell' }
  /** Fills the screen with the film, or ends that. */
  | { type: 'tracks.fullScreen' }
  /** Another try at what did not come; see `tracks.interrupted`. */
  | { type: 'tracks.continue' }
  | { type: 'tracks.renewed'; items: ViewerItem[] }
  /** There are no other addresses for now. */
  | { type: 'tracks.notRenewed'; problem: Problem };
export type TracksFact =
  | { type: 'tracks.ready' }
  | { type: 'tracks.playing' }
  | { type: 'tracks.paused'; itemId: string; seconds: number }
  | { type: 'tracks.waiting' }
  | { type: 'tracks.blocked' }
  | { type: 'tracks.itemChanged'; itemId: string }
  | { type: 'position.passed'; itemId: string; seconds: number; totalProgression: number }
  | { type: 'tracks.told'; itemId: string; seconds: number; totalProgression: number }
  | { type: 'tracks.fullScreenChanged'; on: boolean }
  | { type: 'tracks.ended' }
  | { type: 'tracks.expired' }
  /** The next part or second does not come. The engine waits for `tracks.continue`. */
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
