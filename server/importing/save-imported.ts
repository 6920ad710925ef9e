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
  const ofIsbn = rows.find(({ isbn }) => isbn !== null && isbn === isbn13)?.id;
  const known = ofIsbn ?? ids.find((id) => rows.some((row) => row.id === id));
  return { id: known ?? ids[0] ?? '', isNew: known === undefined };
}

/**
 * The fields that an import sets. All others keep their values: prices, popularity, whether it is
 * listed.
 */
function toNewTitle(id: string, { series, sample, items, ...title }: ImportedTitle, content: TitleContent): NewTitle {
  const { keys: _keys, files: _files, prices, cover, ...rest } = title;
  return {
    ...(rest as Omit<NewTitle, 'id' | 'prices' | 'series'>),
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

/** Columns that depend on the price, columns that an import keeps, and computed columns. */
const PRICE_COLUMNS = ['for_sale', 'sort_price'] as const;
const KEPT_COLUMNS = ['store_id', 'id', 'popularity', 'listed', 'kind_on', 'credits', 'added_at'] as const;
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

type ImportResult = { outcome: Outcome; before: string[] };

async function writeTitle(trx: Database, storeId: string, id: string, title: ImportedTitle): Promise<ImportResult> {
  // The lock on the store serialises imports: no two create the same category or title.
  const language = await lockStore(trx, storeId);
  const old = await trx.selectFrom('titles').selectAll().where('store_id', '=', storeId).where('id', '=', id).executeTakeFirst();
  const row = toTitleRow(storeId, toNewTitle(id, title, old?.content.related ? { related: old.content.related } : {}), language);
  let outcome: Outcome = 'new';
  if (!old) await trx.insertInto('titles').values(row).execute();
  else {
    const changes = omitColumns(row, [...KEPT_COLUMNS, ...(title.prices === undefined ? PRICE_COLUMNS : [])]);
    if (title.prices === undefined && title.forSale !== undefined)
      changes['for_sale'] = title.forSale && (await hasPrice(trx, storeId, id));
    const compared = omitColumns(changes, COMPUTED_COLUMNS);
    const isSame = Object.entries(compared).every(([name, value]) =>
      isDeepStrictEqual(toStoredValue(value), toStoredValue(Reflect.get(old, name))),
    );
    outcome = isSame ? 'unchanged' : 'changed';
    if (!isSame) await trx.updateTable('titles').set(changes).where('store_id', '=', storeId).where('id', '=', id).execute();
  }
  await updateKindFlags(trx, storeId, [id]);
  const isPriced = await setPrices(trx, storeId, id, title.prices);
  const isFiled = await addToCategories(trx, storeId, id, title.categories ?? []);
  if (outcome === 'unchanged' && (isPriced || isFiled)) outcome = 'changed';
  return { outcome, before: old ? listNamedFiles(old.content, old.cover) : [] };
}

const hasPrice = async (trx: Database, storeId: string, id: string): Promise<boolean> =>
  (await trx
    .selectFrom('prices')
    .select('currency')
    .where('store_id', '=', storeId)
    .where('title_id', '=', id)
    .executeTakeFirst()) !== undefined;

/** @returns whether they have changed @throws BadAmount */
export async function setPrices(trx: Database, storeId: string, id: string, prices: NewTitle['prices']): Promise<boolean> {
  if (prices === undefined) return false;
  await requireCurrencies(trx, storeId, prices);
  const rows = toPriceRows(storeId, id, prices);
  const own = trx.selectFrom('prices').select(['currency', 'amount_minor', 'position']).where('store_id', '=', storeId);
  const old = await own.where('title_id', '=', id).orderBy('position').orderBy('currency').execute();
  const storedPrices = rows.map(({ currency, amount_minor, position }) => ({ currency, amount_minor, position }));
  if (
    isDeepStrictEqual(
      old.map((each) => ({ ...each, amount_minor: Number(each.amount_minor) })),
      storedPrices,
    )
  )
    return false;
  await trx.deleteFrom('prices').where('store_id', '=', storeId).where('title_id', '=', id).execute();
  if (rows.length > 0) await trx.insertInto('prices').values(rows).execute();
  return true;
}

/**
 * Returns the title's id, the files still to upload, and the store property that disables its kind.
 * Changes nothing.
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
  operator: Importer,
  storeId: string,
  title: ImportedTitle,
): Promise<{ id: string; outcome: Outcome }> {
  const { id, lacking } = await checkImported(operator, storeId, title);
  const [first] = lacking;
  if (first !== undefined) throw new BadOperation(`The file ${first.name} has not been uploaded yet. Import the title again.`);
  const { outcome, before } = await inTransaction(operator.db, (trx) => writeTitle(trx, storeId, id, title));
  const kept = new Set([...before, ...title.files.map(({ name }) => name)]);
  if (outcome !== 'unchanged') await new TitleFiles(operator.config.titlesFolder).keepOnly({ storeId, titleId: id }, kept);
  return { id, outcome };
}
