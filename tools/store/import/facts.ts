import type { Media } from '../../../server/database/schema/catalogue.ts';

/** A cover as the shop gets it: a JPEG, its size in pixels, and the colour that it has most of. */
export type ReadCover = { bytes: Uint8Array; width: number; height: number; color: string };

/** A part of a title: where its file is, how long it plays, what it is called; empty where that is what the title is called. */
export type ReadPart = { file: string; name: string; durationSeconds: number; chapters?: ReadChapter[] };

/** Where a chapter of a recording begins. */
export type ReadChapter = { name: string; seconds: number };

/** What the files of a title say of it, before anybody checks whether a shop can take that. Texts are as long as somebody made them. */
export type Facts = {
  medium: Exclude<Media, 'interactive'>;
  name?: string | undefined;
  subtitle?: string | undefined;
  /** that the file calls itself by, an ISBN or another one */
  identifiers: string[];
  /** what it is about, in words */
  subjects: string[];
  authors: string[];
  narrators: string[];
  publisher?: string | undefined;
  language?: string | undefined;
  series?: { name: string; number?: number } | undefined;
  publishedOn?: string | undefined;
  description?: string | undefined;
  pages?: number | undefined;
  cover?: ReadCover | undefined;
  /** one of a book */
  parts: ReadPart[];
  /** what is to be known, though it stops nothing */
  remarks: string[];
};

/** What a file's metadata leaves out. */
export const noFacts = { identifiers: [], subjects: [], authors: [], narrators: [], remarks: [] };

/** The day, month or year that a text begins with, as far as it is told. */
export const dayIn = (text: string | undefined): string | undefined =>
  /^\s*(\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?)(?!\d)/.exec(text ?? '')?.[1];
