import { summaryColumns } from '../../catalogue/title-rows.ts';
import { titleSummary } from '../../catalogue/title-xml.ts';
import { element } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';

/** Titles of the shop's lists by their ids, in the order asked for; those that are not there, or have been withdrawn, are left out. */
export async function titlesById({ services, store, query }: Call<'titlesById'>): Answer<'titlesById'> {
  const ids = [...new Set(query.titleids.split(','))];
  const rows = await services.db
    .selectFrom('titles')
    .select(summaryColumns)
    .where('titles.store_id', '=', store.id)
    .where('titles.offered', '=', true)
    .where('titles.id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, { ...row, prices: row.prices ?? [] }]));
  const titles = ids.flatMap((id) => byId.get(id) ?? []);
  return element(
    'Titles',
    titles.map((row) => titleSummary(store.id, row)),
    { total: titles.length },
  );
}
