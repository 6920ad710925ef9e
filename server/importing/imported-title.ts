import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { BadOperation } from '../kernel/bad-operation.ts';
import { findAmountProblem } from '../base/money.ts';
import { toIsbn13 } from '../catalogue/isbn.ts';
import { isCurrency, MAX_AMOUNT } from './amounts.ts';
import { isStorableText } from '../base/storable-text.ts';
import { languageTagSchema } from './language-tag.ts';

/** Maximum bytes of one file: a film in high definition. */
const MAX_FILE_BYTES = 16 * 2 ** 30;
/** Maximum characters of a description, markup included. */
const MAX_DESCRIPTION_CHARS = 100_000;
const MAX_TEXT_CHARS = 500;
/** Maximum parts of a recording. */
const MAX_PARTS = 1000;
const MAX_PEOPLE = 50;

const textSchema = v.pipe(v.string(), v.check(isStorableText, 'not a text that can be stored'));
const lineSchema = v.pipe(textSchema, v.trim(), v.nonEmpty(), v.maxLength(MAX_TEXT_CHARS));
const peopleSchema = v.pipe(v.array(lineSchema), v.maxLength(MAX_PEOPLE));
const createIntegerSchema = (min: number, max: number) => v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));
const secondsSchema = v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(10_000_000));

/**
 * The role of a file and the start of its hash: a changed file gets another name, so that readers
 * can finish with the old one.
 */
const fileNameSchema = v.pipe(
  v.string(),
  v.regex(/^(?:book|sample|cover|(?:part|film|captions)-\d{1,4})-[0-9a-f]{32}\.[a-z0-9]{2,5}$/, 'not a valid file name'),
);

const itemSchema = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^\d{1,4}$/)),
  name: lineSchema,
  file: fileNameSchema,
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
  durationSeconds: v.optional(secondsSchema),
  /** start times of chapters, in recordings */
  chapters: v.optional(
    v.pipe(
      v.array(v.strictObject({ name: lineSchema, seconds: v.pipe(v.number(), v.finite(), v.minValue(0)) })),
      v.maxLength(1000),
    ),
  ),
  captions: v.optional(v.pipe(v.array(v.strictObject({ file: fileNameSchema, language: languageTagSchema })), v.maxLength(50))),
});

const priceSchema = v.pipe(
  v.strictObject({
    amount: v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(MAX_AMOUNT)),
    currency: v.pipe(
      v.string(),
      v.check(isCurrency, ({ input }) => `${input}: a currency must be an ISO 4217 code, like EUR`),
    ),
  }),
  v.check(
    ({ amount, currency }) => findAmountProblem(amount, currency) === undefined,
    ({ input: { amount, currency } }) => findAmountProblem(amount, currency) ?? '',
  ),
);

export const importedFileSchema = v.strictObject({ name: fileNameSchema, size: createIntegerSchema(1, MAX_FILE_BYTES) });

/** A file of a title: its name contains the start of its SHA-256, its size is in bytes. */
export type ImportedFile = v.InferOutput<typeof importedFileSchema>;

const importedTitleSchema = v.strictObject({
  /**
   * Keys that identify the title in later imports, the most reliable first: `isbn:…`, an identifier
   * of its own, its path.
   */
  keys: v.pipe(v.array(v.pipe(textSchema, v.nonEmpty(), v.maxLength(5000))), v.minLength(1), v.maxLength(8)),
  medium: v.picklist(['epub', 'pdf', 'audio', 'video']),
  name: lineSchema,
  subtitle: v.optional(lineSchema),
  isbn13: v.optional(
    v.pipe(
      v.string(),
      v.check((each) => toIsbn13(each) === each, 'not an ISBN-13'),
    ),
  ),
  authors: v.optional(peopleSchema),
  narrators: v.optional(peopleSchema),
  publisher: v.optional(lineSchema),
  language: v.optional(languageTagSchema),
  series: v.optional(
    v.strictObject({
      name: lineSchema,
      number: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(1_000_000))),
    }),
  ),
  publishedOn: v.optional(v.pipe(v.string(), v.regex(/^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?$/))),
  description: v.optional(v.pipe(textSchema, v.maxLength(MAX_DESCRIPTION_CHARS))),
  pages: v.optional(createIntegerSchema(1, 1_000_000)),
  durationSeconds: v.optional(secondsSchema),
  /** Left out, an existing title keeps its prices, and a new one is not for sale. */
  prices: v.optional(v.pipe(v.array(priceSchema), v.minLength(1), v.maxLength(30))),
  forSale: v.optional(v.boolean()),
  /** Names of categories to add it to; missing ones are created. */
  categories: v.optional(v.pipe(v.array(lineSchema), v.maxLength(30))),
  cover: v.optional(
    v.strictObject({
      file: fileNameSchema,
      width: createIntegerSchema(1, 100_000),
      height: createIntegerSchema(1, 100_000),
      color: v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/)),
    }),
  ),
  items: v.pipe(v.array(itemSchema), v.minLength(1), v.maxLength(MAX_PARTS)),
  sample: v.optional(v.pipe(v.array(itemSchema), v.minLength(1), v.maxLength(MAX_PARTS))),
  /** All files that the parts above name, without duplicates. */
  files: v.pipe(v.array(importedFileSchema), v.maxLength(3 * MAX_PARTS)),
});

/** A title as an import has read it from its files. */
export type ImportedTitle = v.InferOutput<typeof importedTitleSchema>;

const listFileNames = ({ items, sample = [], cover }: ImportedTitle): string[] =>
  [...items, ...sample]
    .flatMap(({ file, captions = [] }) => [file, ...captions.map((each) => each.file)])
    .concat(cover === undefined ? [] : [cover.file]);

/** @throws BadOperation that names the invalid part */
export function readImportedTitle(input: unknown): ImportedTitle {
  const parsed = v.safeParse(importedTitleSchema, input);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new BadOperation(`The title is invalid: ${v.getDotPath(issue) ?? 'title'}: ${issue.message}`);
  }
  const title = parsed.output;
  const fileNames = new Set(title.files.map(({ name }) => name));
  const missingName = listFileNames(title).find((name) => !fileNames.has(name));
  if (missingName !== undefined) throw new BadOperation(`The title is invalid: the file ${missingName} is not among its files.`);
  if (title.sample?.some(({ file }) => !file.startsWith('sample-')))
    throw new BadOperation('The title is invalid: names of sample files must begin with sample-.');
  return title;
}

/** The id of a title with a key: its ISBN, or else a hash that cannot be mistaken for an ISBN. */
export function toTitleId(key: string): string {
  const isbn = key.startsWith('isbn:') ? toIsbn13(key.slice('isbn:'.length)) : undefined;
  return isbn ?? `t${createHash('sha256').update(key).digest('hex').slice(0, 20)}`;
}
