import { basename, relative } from 'node:path';
import { BadOperation } from '../../../server/kernel/bad-operation.ts';
import type { OperationInput, Row } from '../../../server/admin/operation-input.ts';
import { DiskFull } from '../../../server/importing/title-files.ts';
import { ShopUnavailable, type ShopConnection } from '../reach-shop.ts';
import { findSources, toPrintablePath, type Source } from './find-sources.ts';
import type { TermsLookup } from './prices.ts';
import { showProgress, type Progress } from './progress.ts';
import { BadSource, MAX_SUBJECT_CHARS, MAX_SUBJECTS, type ReadTitle, SourceReader } from './read-source.ts';
import { sendFile } from './send-file.ts';

export type ImportRequest = {
  folder: string;
  /** the store, and whether it is a dry run */
  given: OperationInput;
  termsFor: TermsLookup;
  /** adds titles to categories by their subjects as well */
  bySubject: boolean;
};

export type ImportOutput = { rows: (rows: Row[]) => void; err: (text: string) => void; isTerminal: boolean };

/** Titles that are read ahead while one is being sent. */
const READ_AHEAD_TITLES = 3;
/** Titles after which the database updates its row statistics. */
const PROGRESS_EVERY_TITLES = 500;

type ImportCounts = {
  new: number;
  changed: number;
  unchanged: number;
  failed: number;
  unpriced: number;
  /** titles of kinds that are disabled in the store, by the property that enables them */
  off: Map<string, number>;
};

type ImportRun = {
  shop: ShopConnection;
  order: ImportRequest;
  /** the real path of the folder */
  folder: string;
  counts: ImportCounts;
  /** the source of each imported title, by its id */
  done: Map<string, string>;
  progress: Progress;
};

const formatCount = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** Whether an error concerns one title only; any other one ends the import. */
const isTitleError = (error: unknown): error is Error =>
  error instanceof BadSource ||
  (error instanceof BadOperation && !(error instanceof ShopUnavailable) && !(error instanceof DiskFull));

/** The store, if one is named. */
const getStoreParameter = ({ given: { store } }: ImportRequest): OperationInput => (store === undefined ? {} : { store });

const MAX_CATEGORIES = 30;
const isCategoryName = (subject: string): boolean => subject.length <= MAX_SUBJECT_CHARS;

/** Imports one title into the shop. @throws BadSource, BadOperation */
async function importTitle({ shop, order, folder, done, counts }: ImportRun, source: Source, read: ReadTitle): Promise<Row> {
  const path = toPrintablePath(folder, source.path);
  const { title: own, contents } = read;
  const {
    subjects = read.subjects,
    categories = [],
    ...terms
  } = order.termsFor({
    isbn13: own.isbn13,
    path: relative(folder, source.path) || basename(source.path),
  });
  const filed = [...categories, ...(order.bySubject ? subjects.filter(isCategoryName).slice(0, MAX_SUBJECTS) : [])];
  const title = { ...own, ...terms, ...(filed.length === 0 ? {} : { categories: filed.slice(0, MAX_CATEGORIES) }) };
  const isDryRun = order.given['dryRun'] === true;
  const given = { ...getStoreParameter(order), title };
  const [checked] = (await shop.operate('titles check', given)).rows;
  const { store, title: id, isNew, lacks, offBy } = { store: '', title: '', isNew: '', lacks: '', offBy: '', ...checked };
  const other = done.get(String(id));
  if (other !== undefined)
    throw new BadSource(
      `it is the same title as ${other} (${own.keys[0] ?? ''}). Keep one of them, or give each its own identifier`,
    );
  done.set(String(id), path);
  const isPriced = title.prices !== undefined;
  if (isNew === 'true' && !isPriced) counts.unpriced += 1;
  if (offBy !== '') counts.off.set(String(offBy), (counts.off.get(String(offBy)) ?? 0) + 1);
  if (isDryRun) {
    counts[isNew === 'true' ? 'new' : 'changed'] += 1;
    return { file: path, title: String(id), outcome: isNew === 'true' ? 'would be new' : 'is there', name: title.name };
  }
  const lacking = new Set(String(lacks).split(' '));
  for (const content of contents)
    if (lacking.has(content.name)) await sendFile(shop.files, { storeId: String(store), titleId: String(id) }, content);
  const [saved] = (await shop.operate('titles save', given)).rows;
  const outcome = saved?.['outcome'] === 'new' ? 'new' : saved?.['outcome'] === 'changed' ? 'changed' : 'unchanged';
  counts[outcome] += 1;
  return { file: path, title: String(id), outcome, name: title.name };
}

/** Reads titles a few ahead, and yields them in the given order. */
async function* readAll(
  reader: SourceReader,
  sources: readonly Source[],
): AsyncGenerator<{ source: Source; reading: Promise<ReadTitle> }> {
  const begun: { source: Source; reading: Promise<ReadTitle> }[] = [];
  const rest = sources[Symbol.iterator]();
  const begin = (): void => {
    const next = rest.next();
    if (next.done) return;
    const reading = reader.read(next.value);
    // The rejection is handled when the title is yielded.
    reading.catch(() => {});
    begun.push({ source: next.value, reading });
  };
  for (let count = 0; count < READ_AHEAD_TITLES; count += 1) begin();
  for (let next = begun.shift(); next; next = begun.shift()) {
    yield next;
    begin();
  }
}

/** Titles that are hidden because their kind is disabled, with the command that enables it. */
const formatHiddenKinds = (off: ImportCounts['off']): string =>
  [...off]
    .map(
      ([flag, titles]) =>
        ` ${formatCount(titles, 'title')} of a kind that is disabled: in no list until \`properties set --set ${flag}=true\`.`,
    )
    .join('');

function formatSummary({ new: added, changed, unchanged, failed, unpriced, off }: ImportCounts, isDryRun: boolean): string {
  const [were, all] = [formatCount(added + changed + unchanged, 'title'), `${failed} could not be imported`];
  const first = isDryRun
    ? `${were} could be imported: ${added} new, ${changed} that ${changed === 1 ? 'is' : 'are'} there.`
    : `Imported ${were}: ${added} new, ${changed} changed, ${unchanged} as before.`;
  const unsold =
    unpriced === 0
      ? ''
      : ` ${formatCount(unpriced, 'new title')} without a price: not for sale until \`titles set --price\`, or an import with --price or --prices.`;
  return `${first}${failed === 0 ? '' : ` ${all}.`}${unsold}${formatHiddenKinds(off)}`;
}

/**
 * Imports the titles of a folder into a shop. Run again, it updates changed titles and resumes
 * interrupted ones. A faulty title is reported, and the import continues.
 * @throws BadOperation if a title could not be imported, with the counts
 */
export async function importFolder(shop: ShopConnection, order: ImportRequest, says: ImportOutput): Promise<void> {
  const { folder, sources, oddities } = await findSources(order.folder);
  if (sources.length === 0 && oddities.length === 0)
    throw new BadOperation(`Nothing to import in ${folder}: no EPUB, PDF, audio or film.`);
  const progress = showProgress(sources.length, says.err, says.isTerminal);
  const counts: ImportCounts = { new: 0, changed: 0, unchanged: 0, failed: 0, unpriced: 0, off: new Map() };
  const work: ImportRun = { shop, order, folder, counts, done: new Map(), progress };
  const fail = (path: string, why: string): void => {
    counts.failed += 1;
    progress.printLine(`${toPrintablePath(folder, path)}: ${why.replace(/[.]$/, '')}.`);
    says.rows([{ file: toPrintablePath(folder, path), title: '', outcome: 'failed', name: why }]);
  };
  for (const { path, why } of oddities) fail(path, why);
  const reader = new SourceReader();
  try {
    let brought = 0;
    for await (const { source, reading } of readAll(reader, sources)) {
      try {
        const read = await reading;
        says.rows([await importTitle(work, source, read)]);
        for (const remark of read.remarks) progress.printLine(`${toPrintablePath(folder, source.path)}: ${remark}.`);
      } catch (error) {
        if (!isTitleError(error)) throw error;
        fail(source.path, error.message);
      }
      progress.done(toPrintablePath(folder, source.path));
      if ((brought += 1) % PROGRESS_EVERY_TITLES === 0) await recountTitles(work);
    }
    await recountTitles(work);
  } finally {
    progress.end();
    await reader.close();
  }
  const summary = formatSummary(counts, order.given['dryRun'] === true);
  if (counts.failed > 0) throw new BadOperation(summary);
  says.err(`${summary}\n`);
}

async function recountTitles({ shop, order, counts }: ImportRun): Promise<void> {
  if (counts.new + counts.changed > 0 && order.given['dryRun'] !== true)
    await shop.operate('titles count', getStoreParameter(order));
}
