import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { BadOperation } from '../kernel/bad-operation.ts';
import { amountProblem } from '../base/money.ts';
import { toIsbn13 } from '../catalogue/isbn.ts';
import { isCurrency, MAX_AMOUNT } from './amounts.ts';
import { isStorableText } from '../base/storable-text.ts';
import { languageTag } from './language-tag.ts';

/** Bytes of one file: a film in high definition. */
const LARGEST_FILE = 16 * 2 ** 30;
/** Letters of a description, markup included. */
const LONGEST_DESCRIPTION = 100_000;
const LONGEST = 500;
/** Parts of a recording. */
const MOST_PARTS = 1000;
const MOST_PEOPLE = 50;

const text = v.pipe(v.string(), v.check(isStorableText, 'no text that can be kept'));
const line = v.pipe(text, v.trim(), v.nonEmpty(), v.maxLength(LONGEST));
const people = v.pipe(v.array(line), v.maxLength(MOST_PEOPLE));
const whole = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const seconds = v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(10_000_000));

/** What a file is for, and the beginning of its hash: a file that changes has another name, and whoever has the old one reads on. */
const fileName = v.pipe(
  v.string(),
  v.regex(/^(?:book|sample|cover|(?:part|film|captions)-\d{1,4})-[0-9a-f]{32}\.[a-z0-9]{2,5}$/, 'no name of a file'),
);

const item = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^\d{1,4}$/)),
  name: line,
  file: fileName,
  mimeType: v.picklist([
    'application/epub+zip',
    'application/pdf',
    'audio/aac',
    'audio/flac',
    'audio/mp4',
    'audio/mpeg',
    'audio/ogg',
    'audio/wav',
    'video/mp4',
    'video/quicktime',
    'video/webm',
  ]),
  durationSeconds: v.optional(seconds),
  /** Of a recording: where its chapters begin. */
  chapters: v.optional(
    v.pipe(v.array(v.strictObject({ name: line, seconds: v.pipe(v.number(), v.finite(), v.minValue(0)) })), v.maxLength(1000)),
  ),
  captions: v.optional(v.pipe(v.array(v.strictObject({ file: fileName, language: languageTag })), v.maxLength(50))),
});

const price = v.pipe(
  v.strictObject({
    amount: v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(MAX_AMOUNT)),
    currency: v.pipe(
      v.string(),
      v.check(isCurrency, ({ input }) => `${input}: a currency is a code of ISO 4217, like EUR`),
    ),
  }),
  v.check(
    ({ amount, currency }) => amountProblem(amount, currency) === undefined,
    ({ input: { amount, currency } }) => amountProblem(amount, currency) ?? '',
  ),
);

export const importedFile = v.strictObject({ name: fileName, size: whole(1, LARGEST_FILE) });

/** A file of a title: its name has the beginning of its SHA-256, its size is in bytes. */
export type ImportedFile = v.InferOutput<typeof importedFile>;

const importedTitle = v.strictObject({
  /** What it is known by when it is imported again, the surest first: `isbn:…`, an identifier of its own, its place. */
  keys: v.pipe(v.array(v.pipe(text, v.nonEmpty(), v.maxLength(5000))), v.minLength(1), v.maxLength(8)),
  medium: v.picklist(['epub', 'pdf', 'audio', 'video']),
  name: line,
  subtitle: v.optional(line),
  isbn13: v.optional(
    v.pipe(
      v.string(),
      v.check((each) => toIsbn13(each) === each, 'no ISBN-13'),
    ),
  ),
  authors: v.optional(people),
  narrators: v.optional(people),
  publisher: v.optional(line),
  language: v.optional(languageTag),
  series: v.optional(
    v.strictObject({ name: line, number: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(1_000_000))) }),
  ),
  publishedOn: v.optional(v.pipe(v.string(), v.regex(/^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?$/))),
  description: v.optional(v.pipe(text, v.maxLength(LONGEST_DESCRIPTION))),
  pages: v.optional(whole(1, 1_000_000)),
  durationSeconds: v.optional(seconds),
  /** What it costs; left out, it costs what it did, and is not for sale where it is new. */
  prices: v.optional(v.pipe(v.array(price), v.minLength(1), v.maxLength(30))),
  forSale: v.optional(v.boolean()),
  /** Names of categories that it is filed in as well; those that are not there yet are made. */
  categories: v.optional(v.pipe(v.array(line), v.maxLength(30))),
  cover: v.optional(
    v.strictObject({
      file: fileName,
      width: whole(1, 100_000),
      height: whole(1, 100_000),
      color: v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/)),
    }),
  ),
  items: v.pipe(v.array(item), v.minLength(1), v.maxLength(MOST_PARTS)),
  sample: v.optional(v.pipe(v.array(item), v.minLength(1), v.maxLength(MOST_PARTS))),
  /** All files that the parts above name, each once. */
  files: v.pipe(v.array(importedFile), v.maxLength(3 * MOST_PARTS)),
});

/** A title as an import reads it out of its files. */
export type ImportedTitle = v.InferOutput<typeof importedTitle>;

const filesNamed = ({ items, sample = [], cover }: ImportedTitle): string[] =>
  [...items, ...sample]
    .flatMap(({ file, captions = [] }) => [file, ...captions.map((each) => each.file)])
    .concat(cover === undefined ? [] : [cover.file]);

/** @throws BadOperation that says which part of it cannot be taken */
export function readImportedTitle(given: unknown): ImportedTitle {
  const read = v.safeParse(importedTitle, given);
  if (!read.success) {
    const [issue] = read.issues;
    throw new BadOperation(`The title cannot be taken: ${v.getDotPath(issue) ?? 'it'}: ${issue.message}`);
  }
  const title = read.output;
  const known = new Set(title.files.map(({ name }) => name));
  const missing = filesNamed(title).find((name) => !known.has(name));
  if (missing !== undefined) throw new BadOperation(`The title cannot be taken: the file ${missing} is not among its files.`);
  if (title.sample?.some(({ file }) => !file.startsWith('sample-')))
    throw new BadOperation('The title cannot be taken: the files of a sample are called sample-….');
  return title;
}

/** The id of a title that is known by a key: its ISBN, else what cannot be mistaken for one. */
export function idOfKey(key: string): string {
  const isbn = key.startsWith('isbn:') ? toIsbn13(key.slice('isbn:'.length)) : undefined;
  return isbn ?? `t${createHash('sha256').update(key).digest('hex').slice(0, 20)}`;
}
