import type { Media } from '../../../server/database/schema/catalogue.ts';

/** A cover for the shop: a JPEG, its size in pixels, and its dominant colour. */
export type CoverImage = { bytes: Uint8Array; width: number; height: number; color: string };

/** A part of a title: its file, duration and name. The name is empty if it is that of the title. */
export type TitlePart = { file: string; name: string; durationSeconds: number; chapters?: ChapterStart[] };

/** The start of a chapter of a recording. */
export type ChapterStart = { name: string; seconds: number };

/** Metadata from the files of a title, not validated yet: texts may have any length. */
export type TitleFacts = {
  medium: Exclude<Media, 'interactive'>;
  name?: string | undefined;
  subtitle?: string | undefined;
  /** identifiers that the file declares, ISBN or others */
  identifiers: string[];
  /** subjects, in words */
  subjects: string[];
  authors: string[];
  narrators: string[];
  publisher?: string | undefined;
  language?: string | undefined;
  series?: { name: string; number?: number } | undefined;
  publishedOn?: string | undefined;
  description?: string | undefined;
  pages?: number | undefined;
  cover?: CoverImage | undefined;
  /** exactly one for a book */
  parts: TitlePart[];
  /** warnings that do not prevent the import */
  remarks: string[];
};

/** Defaults for missing metadata. */
export const emptyFacts = { identifiers: [], subjects: [], authors: [], narrators: [], remarks: [] };

/** The date at the start of a text, as precise as given: a day, month or year. */
export const parseDay = (text: string | undefined): string | undefined =>
  /^\s*(\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?)(?!\d)/.exec(text ?? '')?.[1];
