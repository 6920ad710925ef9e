import { basename, relative } from 'node:path';
import { BadOperation } from '../../../server/kernel/bad-operation.ts';
import type { Given, Row } from '../../../server/admin/given.ts';
import { DiskFull } from '../../../server/importing/title-files.ts';
import { ShopGone, type Reached } from '../reach-shop.ts';
import { findSources, shown, type Source } from './find-sources.ts';
import type { TermsFor } from './prices.ts';
import { showProgress, type Progress } from './progress.ts';
import { BadSource, LONGEST_SUBJECT, MOST_SUBJECTS, type ReadTitle, SourceReader } from './read-source.ts';
import { sendFile } from './send-file.ts';

export type ImportOrder = {
  folder: string;
  /** which store, and whether to look only */
  given: Given;
  termsFor: TermsFor;
  /** files titles by what they are about as well */
  bySubject: boolean;
};

export type Says = { rows: (rows: Row[]) => void; err: (text: string) => void; isTerminal: boolean };

/** Titles that are read ahead of the one that is being sent. */
const AHEAD = 3;
/** Titles after which the database counts its rows anew. */
const COUNTED_EVERY = 500;

type Counts = {
  new: number;
  changed: number;
  unchanged: number;
  failed: number;
  unpriced: number;
  /** titles of kinds that the store has off, by the property that turns them on */
  off: Map<string, number>;
};

type Work = {
  shop: Reached;
  order: ImportOrder;
  /** the folder itself, without links */
  folder: string;
  counts: Counts;
  /** by the id of the title, what it came from */
  done: Map<string, string>;
  progress: Progress;
};

const many = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** What is wrong with a title itself; anything else ends the import. */
const isOfTitle = (error: unknown): error is Error =>
  error instanceof BadSource || (error instanceof BadOperation && !(error instanceof ShopGone) && !(error instanceof DiskFull));

/** The store that is meant, where one is named. */
const ofStore = ({ given: { store } }: ImportOrder): Given => (store === undefined ? {} : { store });

const MOST_CATEGORIES = 30;
const isShelf = (subject: string): boolean => subject.length <= LONGEST_SUBJECT;

/** Brings one title to the shop. @throws BadSource, BadOperation */
async function bring({ shop, order, folder, done, counts }: Work, source: Source, read: ReadTitle): Promise<Row> {
  const path = shown(folder, source.path);
  const { title: own, contents } = read;
  const {
    subjects = read.subjects,
    categories = [],
    ...terms
  } = order.termsFor({
    isbn13: own.isbn13,
    path: relative(folder, source.path) || basename(source.path),
  });
  const filed = [...categories, ...(order.bySubject ? subjects.filter(isShelf).slice(0, MOST_SUBJECTS) : [])];
  const title = { ...own, ...terms, ...(filed.length === 0 ? {} : { categories: filed.slice(0, MOST_CATEGORIES) }) };
  const isDryRun = order.given['dryRun'] === true;
  const given = { ...ofStore(order), title };
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

/** Reads titles a few ahead, and tells them in the order given. */
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
    // It is heard when its turn comes.
    reading.catch(() => {});
    begun.push({ source: next.value, reading });
  };
  for (let count = 0; count < AHEAD; count += 1) begin();
  for (let next = begun.shift(); next; next = begun.shift()) {
    yield next;
    begin();
  }
}

/** Titles that customers are not shown, and the command that shows them. */
const offText = (off: Counts['off']): string =>
  [...off]
    .map(
      ([flag, titles]) =>
        ` ${many(titles, 'title')} of a kind that the store has off: in no list until \`properties set --set ${flag}=true\`.`,
    )
    .join('');

function summaryOf({ new: added, changed, unchanged, failed, unpriced, off }: Counts, isDryRun: boolean): string {
  const [were, all] = [many(added + changed + unchanged, 'title'), `${failed} could not be imported`];
  const first = isDryRun
    ? `${were} could be imported: ${added} new, ${changed} that ${changed === 1 ? 'is' : 'are'} there.`
    : `Imported ${were}: ${added} new, ${changed} changed, ${unchanged} as before.`;
  const unsold =
    unpriced === 0
      ? ''
      : ` ${many(unpriced, 'new title')} without a price: not for sale until \`titles set --price\`, or an import with --price or --prices.`;
  return `${first}${failed === 0 ? '' : ` ${all}.`}${unsold}${offText(off)}`;
}

/**
 * Imports the titles of a folder into a shop; run again it brings up to date what has changed, and goes on with what was broken off.
 * What is wrong with one is told, and the others go on.
 * @throws BadOperation when something could not be imported, with the counts
 */
export async function importFolder(shop: Reached, order: ImportOrder, says: Says): Promise<void> {
  const { folder, sources, oddities } = await findSources(order.folder);
  if (sources.length === 0 && oddities.length === 0)
    throw new BadOperation(`There is nothing to import in ${folder}: no EPUB, PDF, sound or film.`);
  const progress = showProgress(sources.length, says.err, says.isTerminal);
  const counts: Counts = { new: 0, changed: 0, unchanged: 0, failed: 0, unpriced: 0, off: new Map() };
  const work: Work = { shop, order, folder, counts, done: new Map(), progress };
  const fail = (path: string, why: string): void => {
    counts.failed += 1;
    progress.say(`${shown(folder, path)}: ${why.replace(/[.]$/, '')}.`);
    says.rows([{ file: shown(folder, path), title: '', outcome: 'failed', name: why }]);
  };
  for (const { path, why } of oddities) fail(path, why);
  const reader = new SourceReader();
  try {
    let brought = 0;
    for await (const { source, reading } of readAll(reader, sources)) {
      try {
        const read = await reading;
        says.rows([await bring(work, source, read)]);
        for (const remark of read.remarks) progress.say(`${shown(folder, source.path)}: ${remark}.`);
      } catch (error) {
        if (!isOfTitle(error)) throw error;
        fail(source.path, error.message);
      }
      progress.done(shown(folder, source.path));
      if ((brought += 1) % COUNTED_EVERY === 0) await count(work);
    }
    await count(work);
  } finally {
    progress.end();
    await reader.close();
  }
  const summary = summaryOf(counts, order.given['dryRun'] === true);
  if (counts.failed > 0) throw new BadOperation(summary);
  says.err(`${summary}\n`);
}

async function count({ shop, order, counts }: Work): Promise<void> {
  if (counts.new + counts.changed > 0 && order.given['dryRun'] !== true) await shop.operate('titles count', ofStore(order));
}
