import { isDeepStrictEqual } from 'node:util';
import { BadOperation } from '../kernel/bad-operation.ts';
import type { ServerConfig } from '../base/config.ts';
import { inTransaction, type Database } from '../database/open.ts';
import type { TitleContent } from '../database/schema/catalogue.ts';
import { isOn } from '../stores/store-property.ts';
import { applyKinds, flagOfKind } from '../setup/offered-kinds.ts';
import { type NewTitle, priceRows, titleRow, TYPES } from '../setup/save-title.ts';
import { fileIn } from './categories.ts';
import { idOfKey, type ImportedFile, type ImportedTitle } from './imported-title.ts';
import { TitleFiles } from './title-files.ts';
import { requireSoldIn } from '../setup/store-currencies.ts';
import { lockStore } from '../setup/lock-store.ts';

/** `titlesFolder`: where the files of titles are kept. */
type Importer = { db: Database; config: Pick<ServerConfig, 'titlesFolder'> };

/** The title that an import is about: one that is there already, by its ISBN or a key of its own, or a new one. */
async function findKnown(
  db: Database,
  storeId: string,
  { keys, isbn13 }: ImportedTitle,
): Promise<{ id: string; isNew: boolean }> {
  const ids = keys.map(idOfKey);
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

/** What an import says of a title. What it does not know of stays as it is: prices, popularity, whether it is listed. */
function newTitleOf(id: string, { series, sample, items, ...title }: ImportedTitle, content: TitleContent): NewTitle {
  const { keys: _keys, files: _files, prices, cover, ...rest } = title;
  return {
    ...(rest as Omit<NewTitle, 'id' | 'prices' | 'series'>),
    id,
    ...(prices === undefined ? {} : { prices }),
    ...(series === undefined ? {} : { series: { name: series.name, number: series.number ?? null } }),
    cover: cover ?? null,
    content: {
      ...content,
      items: plain(items),
      ...(sample === undefined ? {} : { sample: { items: plain(sample) } }),
    },
  };
}

/** Without what is undefined, as JSON has it. */
const plain = <Value>(value: Value): NonNullable<TitleContent['items']> =>
  JSON.parse(JSON.stringify(value)) as NonNullable<TitleContent['items']>;

/** Columns that the price decides, and those that are worked out of others. */
const OF_PRICES = ['for_sale', 'sort_price'] as const;
const KEPT = ['store_id', 'id', 'popularity', 'listed', 'kind_on', 'credits', 'added_at'] as const;
const WORKED_OUT = ['search_words', 'search_names'] as const;

const without = (row: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

const asKept = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

export type Outcome = 'new' | 'changed' | 'unchanged';

/** Files that the row of a title names. */
const namedBy = (content: TitleContent, cover: { file: string } | null): string[] =>
  [...(content.items ?? []), ...(content.sample?.items ?? [])]
    .flatMap(({ file, captions = [] }) => [file, ...captions.map((each) => each.file)])
    .concat(cover === null ? [] : [cover.file]);

type Written = { outcome: Outcome; before: string[] };

async function write(trx: Database, storeId: string, id: string, title: ImportedTitle): Promise<Written> {
  // Imports at once take their turns: none makes a category or a title that another one is making.
  const language = await lockStore(trx, storeId);
  const old = await trx.selectFrom('titles').selectAll().where('store_id', '=', storeId).where('id', '=', id).executeTakeFirst();
  const row = titleRow(storeId, newTitleOf(id, title, old?.content.related ? { related: old.content.related } : {}), language);
  let outcome: Outcome = 'new';
  if (!old) await trx.insertInto('titles').values(row).execute();
  else {
    const changes = without(row, [...KEPT, ...(title.prices === undefined ? OF_PRICES : [])]);
    if (title.prices === undefined && title.forSale !== undefined)
      changes['for_sale'] = title.forSale && (await hasPrice(trx, storeId, id));
    const compared = without(changes, WORKED_OUT);
    const isSame = Object.entries(compared).every(([name, value]) =>
      isDeepStrictEqual(asKept(value), asKept(Reflect.get(old, name))),
    );
    outcome = isSame ? 'unchanged' : 'changed';
    if (!isSame) await trx.updateTable('titles').set(changes).where('store_id', '=', storeId).where('id', '=', id).execute();
  }
  await applyKinds(trx, storeId, [id]);
  const isPriced = await setPrices(trx, storeId, id, title.prices);
  const isFiled = await fileIn(trx, storeId, id, title.categories ?? []);
  if (outcome === 'unchanged' && (isPriced || isFiled)) outcome = 'changed';
  return { outcome, before: old ? namedBy(old.content, old.cover) : [] };
}

const hasPrice = async (trx: Database, storeId: string, id: string): Promise<boolean> =>
  (await trx
    .selectFrom('prices')
    .select('currency')
    .where('store_id', '=', storeId)
    .where('title_id', '=', id)
    .executeTakeFirst()) !== undefined;

/** @returns whether they are others than before @throws BadAmount */
export async function setPrices(trx: Database, storeId: string, id: string, prices: NewTitle['prices']): Promise<boolean> {
  if (prices === undefined) return false;
  await requireSoldIn(trx, storeId, prices);
  const rows = priceRows(storeId, id, prices);
  const own = trx.selectFrom('prices').select(['currency', 'amount_minor', 'position']).where('store_id', '=', storeId);
  const old = await own.where('title_id', '=', id).orderBy('position').orderBy('currency').execute();
  const told = rows.map(({ currency, amount_minor, position }) => ({ currency, amount_minor, position }));
  if (
    isDeepStrictEqual(
      old.map((each) => ({ ...each, amount_minor: Number(each.amount_minor) })),
      told,
    )
  )
    return false;
  await trx.deleteFrom('prices').where('store_id', '=', storeId).where('title_id', '=', id).execute();
  if (rows.length > 0) await trx.insertInto('prices').values(rows).execute();
  return true;
}

/**
 * Which title it is, which of its files have still to come, and which property of the store has its
 * kind off. Changes nothing.
 * @throws BadAmount
 */
export async function checkImported(
  { db, config }: Importer,
  storeId: string,
  title: ImportedTitle,
): Promise<{ id: string; isNew: boolean; lacking: ImportedFile[]; offBy: string | undefined }> {
  await requireSoldIn(db, storeId, title.prices ?? []);
  const { id, isNew } = await findKnown(db, storeId, title);
  const lacking = await new TitleFiles(config.titlesFolder).lacking({ storeId, titleId: id }, title.files);
  const flag = flagOfKind(TYPES[title.medium]);
  return { id, isNew, lacking, offBy: flag === undefined || (await isOn(db, storeId, flag)) ? undefined : flag };
}

/**
 * Puts a title that was imported into the catalogue, or brings the one that is there up to date. Its files must be there. Those
 * that the title had before stay until the next change, for whoever has it open.
 * @throws BadOperation, BadText, BadAmount
 */
export async function saveImported(
  operator: Importer,
  storeId: string,
  title: ImportedTitle,
): Promise<{ id: string; outcome: Outcome }> {
  const { id, lacking } = await checkImported(operator, storeId, title);
  const [first] = lacking;
  if (first !== undefined) throw new BadOperation(`The file ${first.name} has not come yet. Import the title again.`);
  const { outcome, before } = await inTransaction(operator.db, (trx) => write(trx, storeId, id, title));
  const kept = new Set([...before, ...title.files.map(({ name }) => name)]);
  if (outcome !== 'unchanged') await new TitleFiles(operator.config.titlesFolder).keepOnly({ storeId, titleId: id }, kept);
  return { id, outcome };
}
