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
  input: OperationInput;
  termsFor: TermsLookup;
  /** adds titles to categories by their subjects as well */
  bySubject: boolean;
};

export type ImportOutput = { rows: (rows: Row[]) => void; err: (text: string) => void; isTerminal: boolean };

/** The number of titles that are read ahead while one is being sent. */
const READ_AHEAD_TITLES = 3;
/** The number of titles after which the database updates its row statistics. */
const STATISTICS_EVERY_TITLES = 500;

type ImportCounts = {
  new: number;
  changed: number;
  unchanged: number;
  failed: number;
  unpriced: number;
  /** titles of kinds that are disabled in the store, by the property that enables them */
  hiddenTitles: Map<string, number>;
};

type ImportRun = {
  shop: ShopConnection;
  request: ImportRequest;
  /** the real path of the folder */
  folder: string;
  counts: ImportCounts;
  /** the source of each imported title, by its id */
  importedPaths: Map<string, string>;
  progress: Progress;
};

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Whether an error concerns one title only; any other one ends the import. */
const isTitleError = (error: unknown): error is Error =>
  error instanceof BadSource ||
  (error instanceof BadOperation && !(error instanceof ShopUnavailable) && !(error instanceof DiskFull));

/** The operations' parameter for the store; empty if the request names no store. */
const getStoreParameter = ({ input: { store } }: ImportRequest): OperationInput => (store === undefined ? {} : { store });

const MAX_CATEGORIES = 30;
const isCategoryName = (subject: string): boolean => subject.length <= MAX_SUBJECT_CHARS;

/** Imports one title into the shop. @throws BadSource, BadOperation */
async function importTitle(
  { shop, request, folder, importedPaths, counts }: ImportRun,
  source: Source,
  readTitle: ReadTitle,
): Promise<Row> {
  const path = toPrintablePath(folder, source.path);
  const { title: fileTitle, contents } = readTitle;
  const {
    subjects = readTitle.subjects,
    categories = [],
    ...terms
  } = request.termsFor({
    isbn13: fileTitle.isbn13,
    path: relative(folder, source.path) || basename(source.path),
  });
  const categoryNames = [...categories, ...(request.bySubject ? subjects.filter(isCategoryName).slice(0, MAX_SUBJECTS) : [])];
  const title = {
    ...fileTitle,
    ...terms,
    ...(categoryNames.length === 0 ? {} : { categories: categoryNames.slice(0, MAX_CATEGORIES) }),
  };
  const isDryRun = request.input['dryRun'] === true;
  const operationInput = { ...getStoreParameter(request), title };
  const [checkRow] = (await shop.operate('titles check', operationInput)).rows;
  const { store, title: id, isNew, lacks, offBy } = { store: '', title: '', isNew: '', lacks: '', offBy: '', ...checkRow };
  const earlierPath = importedPaths.get(String(id));
  if (earlierPath !== undefined)
    throw new BadSource(
      `it is the same title as ${earlierPath} (${fileTitle.keys[0] ?? ''}). Keep one of them, or give each its own identifier`,
    );
  importedPaths.set(String(id), path);
  const isPriced = title.prices !== undefined;
  if (isNew === 'true' && !isPriced) counts.unpriced += 1;
  if (offBy !== '') counts.hiddenTitles.set(String(offBy), (counts.hiddenTitles.get(String(offBy)) ?? 0) + 1);
  if (isDryRun) {
    counts[isNew === 'true' ? 'new' : 'changed'] += 1;
    return { file: path, title: String(id), outcome: isNew === 'true' ? 'would be new' : 'is there', name: title.name };
  }
  const missingFiles = new Set(String(lacks).split(' '));
  for (const content of contents)
    if (missingFiles.has(content.name)) await sendFile(shop.files, { storeId: String(store), titleId: String(id) }, content);
  const [saveRow] = (await shop.operate('titles save', operationInput)).rows;
  const outcome = saveRow?.['outcome'] === 'new' ? 'new' : saveRow?.['outcome'] === 'changed' ? 'changed' : 'unchanged';
  counts[outcome] += 1;
  return { file: path, title: String(id), outcome, name: title.name };
}

/** Reads titles a few ahead, and yields them in the given order. */
async function* readAll(
  reader: SourceReader,
  sources: readonly Source[],
): AsyncGenerator<{ source: Source; reading: Promise<ReadTitle> }> {
  const queue: { source: Source; reading: Promise<ReadTitle> }[] = [];
  const iterator = sources[Symbol.iterator]();
  const startNext = (): void => {
    const next = iterator.next();
    if (next.done) return;
    const reading = reader.read(next.value);
    // The rejection is handled when the title is yielded.
    reading.catch(() => {});
    queue.push({ source: next.value, reading });
  };
  for (let count = 0; count < READ_AHEAD_TITLES; count += 1) startNext();
  for (let next = queue.shift(); next; next = queue.shift()) {
    yield next;
    startNext();
  }
}

/** Titles that are hidden because their kind is disabled, with the command that enables it. */
const formatHiddenKinds = (hiddenTitles: ImportCounts['hiddenTitles']): string =>
  [...hiddenTitles]
    .map(
      ([flag, titles]) =>
        ` ${formatCount(titles, 'title')} of a kind that is disabled: in no list until \`properties set --set ${flag}=true\`.`,
    )
    .join('');

function formatSummary(
  { new: newCount, changed, unchanged, failed, unpriced, hiddenTitles }: ImportCounts,
  isDryRun: boolean,
): string {
  const [countText, failedText] = [formatCount(newCount + changed + unchanged, 'title'), `${failed} could not be imported`];
  const resultText = isDryRun
    ? `${countText} could be imported: ${newCount} new, ${changed} that ${changed === 1 ? 'is' : 'are'} there.`
    : `Imported ${countText}: ${newCount} new, ${changed} changed, ${unchanged} as before.`;
  const unpricedText =
    unpriced === 0
      ? ''
      : ` ${formatCount(unpriced, 'new title')} without a price: not for sale until \`titles set --price\`, or an import with --price or --prices.`;
  return `${resultText}${failed === 0 ? '' : ` ${failedText}.`}${unpricedText}${formatHiddenKinds(hiddenTitles)}`;
}

/**
 * Imports the titles of a folder into a shop. Run again, it updates changed titles and resumes
 * interrupted ones. A faulty title is reported, and the import continues.
 * @throws BadOperation if there is nothing to import, or if a title could not be imported, with the
 * counts
 */
export async function importFolder(shop: ShopConnection, request: ImportRequest, output: ImportOutput): Promise<void> {
  const { folder, sources, oddities } = await findSources(request.folder);
  if (sources.length === 0 && oddities.length === 0)
    throw new BadOperation(`Nothing to import in ${folder}: no EPUB, PDF, audio or film.`);
  const progress = showProgress(sources.length, output.err, output.isTerminal);
  const counts: ImportCounts = { new: 0, changed: 0, unchanged: 0, failed: 0, unpriced: 0, hiddenTitles: new Map() };
  const run: ImportRun = { shop, request, folder, counts, importedPaths: new Map(), progress };
  const reportFailure = (path: string, reason: string): void => {
    counts.failed += 1;
    progress.printLine(`${toPrintablePath(folder, path)}: ${reason.replace(/[.]$/, '')}.`);
    output.rows([{ file: toPrintablePath(folder, path), title: '', outcome: 'failed', name: reason }]);
  };
  for (const { path, reason } of oddities) reportFailure(path, reason);
  const reader = new SourceReader();
  try {
    let processedCount = 0;
    for await (const { source, reading } of readAll(reader, sources)) {
      try {
        const readTitle = await reading;
        output.rows([await importTitle(run, source, readTitle)]);
        for (const remark of readTitle.remarks) progress.printLine(`${toPrintablePath(folder, source.path)}: ${remark}.`);
      } catch (error) {
        if (!isTitleError(error)) throw error;
        reportFailure(source.path, error.message);
      }
      progress.done(toPrintablePath(folder, source.path));
      if ((processedCount += 1) % STATISTICS_EVERY_TITLES === 0) await recountTitles(run);
    }
    await recountTitles(run);
  } finally {
    progress.end();
    await reader.close();
  }
  const summary = formatSummary(counts, request.input['dryRun'] === true);
  if (counts.failed > 0) throw new BadOperation(summary);
  output.err(`${summary}\n`);
}

async function recountTitles({ shop, request, counts }: ImportRun): Promise<void> {
  if (counts.new + counts.changed > 0 && request.input['dryRun'] !== true)
    await shop.operate('titles count', getStoreParameter(request));
}
