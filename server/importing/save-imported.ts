import { isDeepStrictEqual } from 'node:util';
import { BadOperation } from '../kernel/bad-operation.ts';
import type { ServerConfig } from '../base/config.ts';
import { inTransaction, type Database } from '../database/open.ts';
import type { TitleContent } from '../database/schema/catalogue.ts';
import { isPropertyOn } from '../stores/store-property.ts';
import { updateKindFlags, getKindFlag } from '../setup/offered-kinds.ts';
import { type NewTitle, toPriceRows, toTitleRow, TITLE_TYPES } from '../setup/save-title.ts';
import { addToCategories } from './categories.ts';
import { toTitleId, type ImportedFile, type ImportedTitle } from './imported-title.ts';
import { TitleFiles } from './title-files.ts';
import { requireCurrencies } from '../setup/store-currencies.ts';
import { lockStore } from '../setup/lock-store.ts';

/** `titlesFolder`: the folder of titles' files. */
type Importer = { db: Database; config: Pick<ServerConfig, 'titlesFolder'> };

/**
 * Finds the title that an import refers to: an existing one by its ISBN or another key, or a new
 * one.
 */
async function findExisting(
  db: Database,
  storeId: string,
  { keys, isbn13 }: ImportedTitle,
): Promise<{ id: string; isNew: boolean }> {
  const ids = keys.map(toTitleId);
  const rows = await db
    .selectFrom('titles')
    .select(['id', 'isbn'])
    .where('store_id', '=', storeId)
    .where((eb) => eb.or([eb('id', 'in', ids), ...(isbn13 === undefined ? [] : [eb('isbn', '=', isbn13)])]))
    .execute();
  const idOfIsbn = rows.find(({ isbn }) => isbn !== null && isbn === isbn13)?.id;
  const existingId = idOfIsbn ?? ids.find((id) => rows.some((row) => row.id === id));
  return { id: existingId ?? ids[0] ?? '', isNew: existingId === undefined };
}

/**
 * The fields that an import sets. All others keep their values: popularity, whether it is listed,
 * and prices that the import leaves out.
 */
function toNewTitle(id: string, { series, sample, items, ...title }: ImportedTitle, content: TitleContent): NewTitle {
  const { keys: _keys, files: _files, prices, cover, ...columns } = title;
  return {
    ...(columns as Omit<NewTitle, 'id' | 'prices' | 'series'>),
    id,
    ...(prices === undefined ? {} : { prices }),
    ...(series === undefined ? {} : { series: { name: series.name, number: series.number ?? null } }),
    cover: cover ?? null,
    content: {
      ...content,
      items: dropUndefined(items),
      ...(sample === undefined ? {} : { sample: { items: dropUndefined(sample) } }),
    },
  };
}

/** Drops undefined fields, as JSON does. */
const dropUndefined = <Value>(value: Value): NonNullable<TitleContent['items']> =>
  JSON.parse(JSON.stringify(value)) as NonNullable<TitleContent['items']>;

/** Columns that depend on the price. */
const PRICE_COLUMNS = ['for_sale', 'sort_price'] as const;
/** Columns that an import does not change. */
const PRESERVED_COLUMNS = ['store_id', 'id', 'popularity', 'listed', 'kind_on', 'credits', 'added_at'] as const;
/** Columns that are computed from others. */
const COMPUTED_COLUMNS = ['search_words', 'search_names'] as const;

const omitColumns = (row: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

const toStoredValue = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

export type Outcome = 'new' | 'changed' | 'unchanged';

/** Files that a title's row refers to. */
const listNamedFiles = (content: TitleContent, cover: { file: string } | null): string[] =>
  [...(content.items ?? []), ...(content.sample?.items ?? [])]
    .flatMap(({ file, captions = [] }) => [file, ...captions.map((each) => each.file)])
    .concat(cover === null ? [] : [cover.file]);

type ImportResult = { outcome: Outcome; previousFiles: string[] };

async function writeTitle(trx: Database, storeId: string, id: string, title: ImportedTitle): Promise<ImportResult> {
  // The lock on the store serialises imports: no two create the same category or title.
  const language = await lockStore(trx, storeId);
  const existingTitle = await trx
    .selectFrom('titles')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .executeTakeFirst();
  const row = toTitleRow(
    storeId,
    toNewTitle(id, title, existingTitle?.content.related ? { related: existingTitle.content.related } : {}),
    language,
  );
  let outcome: Outcome = 'new';
  if (!existingTitle) await trx.insertInto('titles').values(row).execute();
  else {
    const changes = omitColumns(row, [...PRESERVED_COLUMNS, ...(title.prices === undefined ? PRICE_COLUMNS : [])]);
    if (title.prices === undefined && title.forSale !== undefined)
      changes['for_sale'] = title.forSale && (await hasPrice(trx, storeId, id));
    const comparedChanges = omitColumns(changes, COMPUTED_COLUMNS);
    const isSame = Object.entries(comparedChanges).every(([name, value]) =>
      isDeepStrictEqual(toStoredValue(value), toStoredValue(Reflect.get(existingTitle, name))),
    );
    outcome = isSame ? 'unchanged' : 'changed';
    if (!isSame) await trx.updateTable('titles').set(changes).where('store_id', '=', storeId).where('id', '=', id).execute();
  }
  await updateKindFlags(trx, storeId, [id]);
  const hasPriceChange = await setPrices(trx, storeId, id, title.prices);
  const hasNewCategory = await addToCategories(trx, storeId, id, title.categories ?? []);
  if (outcome === 'unchanged' && (hasPriceChange || hasNewCategory)) outcome = 'changed';
  return { outcome, previousFiles: existingTitle ? listNamedFiles(existingTitle.content, existingTitle.cover) : [] };
}

const hasPrice = async (trx: Database, storeId: string, id: string): Promise<boolean> =>
  (await trx
    .selectFrom('prices')
    .select('currency')
    .where('store_id', '=', storeId)
    .where('title_id', '=', id)
    .executeTakeFirst()) !== undefined;

/** Sets a title's prices, unless undefined. @returns whether they have changed @throws BadAmount */
export async function setPrices(trx: Database, storeId: string, id: string, prices: NewTitle['prices']): Promise<boolean> {
  if (prices === undefined) return false;
  await requireCurrencies(trx, storeId, prices);
  const rows = toPriceRows(storeId, id, prices);
  const storePrices = trx.selectFrom('prices').select(['currency', 'amount_minor', 'position']).where('store_id', '=', storeId);
  const oldPrices = await storePrices.where('title_id', '=', id).orderBy('position').orderBy('currency').execute();
  const newPrices = rows.map(({ currency, amount_minor, position }) => ({ currency, amount_minor, position }));
  if (
    isDeepStrictEqual(
      oldPrices.map((each) => ({ ...each, amount_minor: Number(each.amount_minor) })),
      newPrices,
    )
  )
    return false;
  await trx.deleteFrom('prices').where('store_id', '=', storeId).where('title_id', '=', id).execute();
  if (rows.length > 0) await trx.insertInto('prices').values(rows).execute();
  return true;
}

/**
 * Returns the title's id, whether it is new, the files still to upload, and the store property that
 * disables its kind. Changes nothing.
 * @throws BadAmount
 */
export async function checkImported(
  { db, config }: Importer,
  storeId: string,
  title: ImportedTitle,
): Promise<{ id: string; isNew: boolean; lacking: ImportedFile[]; offBy: string | undefined }> {
  await requireCurrencies(db, storeId, title.prices ?? []);
  const { id, isNew } = await findExisting(db, storeId, title);
  const lacking = await new TitleFiles(config.titlesFolder).findMissing({ storeId, titleId: id }, title.files);
  const flag = getKindFlag(TITLE_TYPES[title.medium]);
  return { id, isNew, lacking, offBy: flag === undefined || (await isPropertyOn(db, storeId, flag)) ? undefined : flag };
}

/**
 * Adds an imported title to the catalogue, or updates the existing one. Its files must be uploaded
 * before. The previous files stay until the next change, for readers that have the title open.
 * @throws BadOperation, BadText, BadAmount
 */
export async function saveImported(
  importer: Importer,
  storeId: string,
  title: ImportedTitle,
): Promise<{ id: string; outcome: Outcome }> {
  const { id, lacking } = await checkImported(importer, storeId, title);
  const [missingFile] = lacking;
  if (missingFile !== undefined)
    throw new BadOperation(`The file ${missingFile.name} has not been uploaded yet. Import the title again.`);
  const { outcome, previousFiles } = await inTransaction(importer.db, (trx) => writeTitle(trx, storeId, id, title));
  const namesToKeep = new Set([...previousFiles, ...title.files.map(({ name }) => name)]);
  if (outcome !== 'unchanged') await new TitleFiles(importer.config.titlesFolder).keepOnly({ storeId, titleId: id }, namesToKeep);
  return { id, outcome };
}
