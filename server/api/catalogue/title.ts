import { categoriesOf, countOthers, findTitle, type FullTitle } from '../../catalogue/find-title.ts';
import { nameIn } from '../../catalogue/category-tree.ts';
import { toIsbn13 } from '../../catalogue/isbn.ts';
import { relatedTitles as findRelated } from '../../catalogue/related-titles.ts';
import { summaryFields, titleSummary } from '../../catalogue/title-xml.ts';
import { htmlIn } from '../../base/language.ts';
import { element, fields, listOf, Markup } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { DomainError, notFound } from '../../kernel/errors.ts';

const seriesOf = (name: string, number: number | null, others: number): Markup =>
  fields({ Name: name, Number: number, Titles: others });

async function describe({ services, store, spoken }: Call, title: FullTitle | undefined): Promise<Markup> {
  if (!title) throw notFound('title');
  const filed = await categoriesOf(services.db, store.id, title.id);
  const filedXml = filed.map((each) => element('Category', [fields({ Id: each.id, Name: nameIn(each, spoken) })]).text).join('');
  const { ofSeries, ofAuthor } = await countOthers(services.db, store.id, title);
  return element('Title', [
    fields({
      ...summaryFields(store.id, title),
      Narrators: listOf('Narrator', title.narrators),
      Publisher: title.publisher,
      PublishedDate: title.published_on,
      Language: title.language,
      Description: htmlIn(title, 'description', spoken),
      Pages: title.page_count,
      DurationSeconds: title.duration_seconds,
      WordCount: title.word_count,
      Credits: title.credits ?? undefined,
      Categories: filedXml === '' ? undefined : new Markup(filedXml),
      Series: title.series === null ? undefined : seriesOf(title.series, title.series_number, ofSeries),
      AuthorTitles: ofAuthor,
      InSubscription: title.in_plan || undefined,
    }),
  ]);
}

export async function titleById(call: Call<'titleById'>): Answer<'titleById'> {
  return describe(call, await findTitle(call.services.db, call.store.id, { id: call.path.titleId }));
}

export async function titleByIsbn(call: Call<'titleByIsbn'>): Answer<'titleByIsbn'> {
  const isbn = toIsbn13(call.path.isbn);
  if (!isbn) throw new DomainError('bad_request', 'The ISBN is not one: its digits do not add up.');
  return describe(call, await findTitle(call.services.db, call.store.id, { isbn }));
}

export async function relatedTitles(call: Call<'relatedTitles'>): Answer<'relatedTitles'> {
  const { services, store, path, query } = call;
  const title = await findTitle(services.db, store.id, { id: path.titleId });
  if (!title) throw notFound('title');
  const rows = await findRelated(services.db, store.id, title, query.limit);
  return element(
    'Titles',
    rows.map((row) => titleSummary(store.id, row)),
    { total: rows.length },
  );
}
