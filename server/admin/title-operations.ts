import { sql } from 'kysely';
import { toMajor, toMinor } from '../base/money.ts';
import type { Database } from '../database/open.ts';
import { readAmounts } from '../importing/amounts.ts';
import { addToCategories } from '../importing/categories.ts';
import { setPrices } from '../importing/save-imported.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import {
  readAfter,
  readYesNo,
  readCount,
  type OperationInput,
  hasInput,
  readLongText,
  type AdminOperation,
  PAGE_SIZE,
  readText,
} from './operation-input.ts';
import { describeOutcome, runOrDryRun } from './dry-run.ts';

const MAX_CREDITS = 1_000_000;

/** Parses a comma-separated list, without duplicates. */
const splitIds = (text: string): string[] => [...new Set(text.split(',').map((id) => id.trim()))].filter((part) => part !== '');

const list: AdminOperation = async ({ db }, store, input) => {
  const search = hasInput(input, 'search') ? `%${readText(input, 'search').replaceAll(/[\\%_]/g, String.raw`\$&`)}%` : undefined;
  const rows = await db
    .selectFrom('titles')
    .select(['id', 'name', 'authors', 'isbn', 'media', 'for_sale', 'listed', 'kind_on', 'credits'])
    .select((eb) =>
      eb
        .selectFrom('prices')
        .whereRef('prices.store_id', '=', 'titles.store_id')
        .whereRef('prices.title_id', '=', 'titles.id')
        .select(
          sql<{ currency: string; amount: number }[]>`coalesce(jsonb_agg(jsonb_build_object('currency', currency,
            'amount', amount_minor) order by position, currency), '[]'::jsonb)`.as('all'),
        )
        .as('prices'),
    )
    .where('store_id', '=', store)
    .where('id', '>', readAfter(input))
    .$if(search !== undefined, (query) => query.where('name', 'ilike', search ?? ''))
    .orderBy(sql`id collate "C"`)
    .limit(PAGE_SIZE)
    .execute();
  return {
    rows: rows.map((row) => ({
      title: row.id,
      name: row.name,
      authors: row.authors.join('; '),
      isbn: row.isbn ?? '',
      medium: row.media,
      price: (row.prices ?? []).map(({ amount, currency }) => `${toMajor(amount, currency)}${currency}`).join(','),
      forSale: row.for_sale ? 'yes' : 'no',
      listed: row.listed ? (row.kind_on ? 'yes' : 'yes, but its kind is disabled') : 'no',
      credits: row.credits,
    })),
    next: rows.length === PAGE_SIZE ? rows.at(-1)?.id : undefined,
  };
};

/**
 * Puts a title into exactly these categories; collections that an operator has put together are
 * kept.
 */
async function replaceCategories(trx: Database, storeId: string, titleId: string, categories: string[]): Promise<void> {
  await trx
    .deleteFrom('title_categories')
    .where('store_id', '=', storeId)
    .where('title_id', '=', titleId)
    .where('category_id', 'in', (eb) =>
      eb.selectFrom('categories').select('id').where('store_id', '=', storeId).where('kind', '=', 'category'),
    )
    .execute();
  await addToCategories(trx, storeId, titleId, categories);
}

async function updateTitle(trx: Database, storeId: string, id: string, input: OperationInput): Promise<void> {
  const isForSale = readYesNo(input, 'forSale');
  const listed = readYesNo(input, 'listed');
  const credits = readCount(input, 'credits', MAX_CREDITS);
  const prices = hasInput(input, 'price') ? readAmounts(readText(input, 'price'), 'price') : undefined;
  const [firstPrice] = prices ?? [];
  const ownPrices = trx.selectFrom('prices').select('currency').where('store_id', '=', storeId).where('title_id', '=', id);
  if (isForSale === true && firstPrice === undefined && !(await ownPrices.executeTakeFirst()))
    throw new BadOperation(`The title ${id} has no price yet: give it one with --price.`);
  const changes = {
    ...(firstPrice === undefined
      ? {}
      : { sort_price: toMinor(firstPrice.amount, firstPrice.currency), for_sale: isForSale ?? true }),
    ...(isForSale === undefined ? {} : { for_sale: isForSale }),
    ...(listed === undefined ? {} : { listed }),
    ...(credits === undefined ? {} : { credits: credits === 0 ? null : credits }),
  };
  if (Object.keys(changes).length > 0)
    await trx.updateTable('titles').set(changes).where('store_id', '=', storeId).where('id', '=', id).execute();
  await setPrices(trx, storeId, id, prices);
  if (hasInput(input, 'categories')) await replaceCategories(trx, storeId, id, splitIds(readLongText(input, 'categories')));
}

/** Changes all named titles, or none. */
const set: AdminOperation = async ({ db }, store, input) => {
  const ids = splitIds(readLongText(input, 'id'));
  if (ids.length === 0) throw new BadOperation('id must name a title, or several separated by commas.');
  if (!['price', 'forSale', 'listed', 'categories', 'credits'].some((name) => hasInput(input, name)))
    throw new BadOperation('Name at least one property to set: price, for-sale, listed, categories or credits.');
  await runOrDryRun(db, input, async (trx) => {
    await trx.selectFrom('stores').select('id').where('id', '=', store).forUpdate().execute();
    const knownTitles = await trx
      .selectFrom('titles')
      .select('id')
      .where('store_id', '=', store)
      .where('id', 'in', ids)
      .execute();
    const unknownId = ids.find((id) => knownTitles.every((row) => row.id !== id));
    if (unknownId !== undefined) throw new BadOperation(`The store ${store} has no title ${unknownId}.`);
    for (const id of ids) await updateTitle(trx, store, id, input);
  });
  return {
    rows: [],
    message: describeOutcome(input, ids.length === 1 ? `The title ${ids[0]}` : `${ids.length} titles`, 'changed'),
  };
};

export const titleOperations: Readonly<Record<string, AdminOperation>> = { 'titles list': list, 'titles set': set };
