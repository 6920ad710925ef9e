import { sql } from 'kysely';
import { toMajor, toMinor } from '../base/money.ts';
import type { Database } from '../database/open.ts';
import { readAmounts } from '../importing/amounts.ts';
import { fileIn } from '../importing/categories.ts';
import { setPrices } from '../importing/save-imported.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import { afterOf, answerOf, countOf, type Given, has, longTextOf, type Operation, PAGE, textOf } from './given.ts';
import { saysDone, tryOut } from './try-out.ts';

const MOST_CREDITS = 1_000_000;

/** What is separated by commas, each once. */
const partsOf = (text: string): string[] =>
  [...new Set(text.split(',').map((part) => part.trim()))].filter((part) => part !== '');

const list: Operation = async ({ db }, store, given) => {
  const search = has(given, 'search') ? `%${textOf(given, 'search').replaceAll(/[\\%_]/g, String.raw`\$&`)}%` : undefined;
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
    .where('id', '>', afterOf(given))
    .$if(search !== undefined, (query) => query.where('name', 'ilike', search ?? ''))
    .orderBy(sql`id collate "C"`)
    .limit(PAGE)
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
      listed: row.listed ? (row.kind_on ? 'yes' : 'yes, but its kind is off') : 'no',
      credits: row.credits,
    })),
    next: rows.length === PAGE ? rows.at(-1)?.id : undefined,
  };
};

/** Files a title in these categories and no others; collections that somebody put together stay. */
async function refile(trx: Database, storeId: string, titleId: string, named: string[]): Promise<void> {
  await trx
    .deleteFrom('title_categories')
    .where('store_id', '=', storeId)
    .where('title_id', '=', titleId)
    .where('category_id', 'in', (eb) =>
      eb.selectFrom('categories').select('id').where('store_id', '=', storeId).where('kind', '=', 'category'),
    )
    .execute();
  await fileIn(trx, storeId, titleId, named);
}

async function change(trx: Database, storeId: string, id: string, given: Given): Promise<void> {
  const isForSale = answerOf(given, 'forSale');
  const listed = answerOf(given, 'listed');
  const credits = countOf(given, 'credits', MOST_CREDITS);
  const prices = has(given, 'price') ? readAmounts(textOf(given, 'price'), 'price') : undefined;
  const [first] = prices ?? [];
  const own = trx.selectFrom('prices').select('currency').where('store_id', '=', storeId).where('title_id', '=', id);
  if (isForSale === true && first === undefined && !(await own.executeTakeFirst()))
    throw new BadOperation(`The title ${id} has no price yet: give it one with --price.`);
  const changes = {
    ...(first === undefined ? {} : { sort_price: toMinor(first.amount, first.currency), for_sale: isForSale ?? true }),
    ...(isForSale === undefined ? {} : { for_sale: isForSale }),
    ...(listed === undefined ? {} : { listed }),
    ...(credits === undefined ? {} : { credits: credits === 0 ? null : credits }),
  };
  if (Object.keys(changes).length > 0)
    await trx.updateTable('titles').set(changes).where('store_id', '=', storeId).where('id', '=', id).execute();
  await setPrices(trx, storeId, id, prices);
  if (has(given, 'categories')) await refile(trx, storeId, id, partsOf(longTextOf(given, 'categories')));
}

/** Changes titles, all that are named or none. */
const set: Operation = async ({ db }, store, given) => {
  const ids = partsOf(longTextOf(given, 'id'));
  if (ids.length === 0) throw new BadOperation('id must name a title, or several with commas between.');
  if (!['price', 'forSale', 'listed', 'categories', 'credits'].some((name) => has(given, name)))
    throw new BadOperation('Say what to set: price, for-sale, listed, categories or credits.');
  await tryOut(db, given, async (trx) => {
    await trx.selectFrom('stores').select('id').where('id', '=', store).forUpdate().execute();
    const known = await trx.selectFrom('titles').select('id').where('store_id', '=', store).where('id', 'in', ids).execute();
    const unknown = ids.find((id) => known.every((row) => row.id !== id));
    if (unknown !== undefined) throw new BadOperation(`The store ${store} has no title ${unknown}.`);
    for (const id of ids) await change(trx, store, id, given);
  });
  return { rows: [], says: saysDone(given, ids.length === 1 ? `The title ${ids[0]}` : `${ids.length} titles`, 'changed') };
};

export const titleOperations: Readonly<Record<string, Operation>> = { 'titles list': list, 'titles set': set };
