import { summaryColumns } from '../../catalogue/title-rows.ts';
import { renderTitleSummary } from '../../catalogue/title-xml.ts';
import { renderElement } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';

/** Returns listed titles in the sequence of the ids; missing or withdrawn ones are left out. */
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
  return renderElement(
    'Titles',
    titles.map((row) => renderTitleSummary(store.id, row)),
    { total: titles.length },
  );
}
