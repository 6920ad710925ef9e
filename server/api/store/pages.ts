import { localizeHtml, localizeText } from '../../base/language.ts';
import type { Answer, Call } from '../calls/call.ts';
import { notFound, unauthorized } from '../../kernel/errors.ts';

/** Returns a content page; a private page requires a customer. */
export async function page({ services, store, spoken, customer, path }: Call<'page'>): Answer<'page'> {
  const row = await services.db
    .selectFrom('pages')
    .select(['name', 'title', 'html', 'is_private', 'translations'])
    .where('store_id', '=', store.id)
    .where('name', '=', path.page.toLowerCase())
    .executeTakeFirst();
  if (!row) throw notFound('page');
  if (row.is_private && !customer) throw unauthorized();
  return { name: row.name, title: localizeText(row, 'title', spoken), html: localizeHtml(row, 'html', spoken) };
}
