import { listTitleCategories, countOtherTitles, findTitle, type FullTitle } from '../../catalogue/find-title.ts';
import { getCategoryName } from '../../catalogue/category-tree.ts';
import { toIsbn13 } from '../../catalogue/isbn.ts';
import { findRelatedTitles as findRelated } from '../../catalogue/related-titles.ts';
import { toSummaryFields, renderTitleSummary } from '../../catalogue/title-xml.ts';
import { localizeHtml } from '../../base/language.ts';
import { renderElement, renderFields, renderItems, Markup } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { DomainError, notFound } from '../../kernel/errors.ts';

const renderSeries = (name: string, number: number | null, titleCount: number): Markup =>
  renderFields({ Name: name, Number: number, Titles: titleCount });

async function renderTitle({ services, store, spoken }: Call, title: FullTitle | undefined): Promise<Markup> {
  if (!title) throw notFound('title');
  const categories = await listTitleCategories(services.db, store.id, title.id);
  const categoriesXml = categories
    .map((each) => renderElement('Category', [renderFields({ Id: each.id, Name: getCategoryName(each, spoken) })]).text)
    .join('');
  const { ofSeries, ofAuthor } = await countOtherTitles(services.db, store.id, title);
  return renderElement('Title', [
    renderFields({
      ...toSummaryFields(store.id, title),
      Narrators: renderItems('Narrator', title.narrators),
      Publisher: title.publisher,
      PublishedDate: title.published_on,
      Language: title.language,
      Description: localizeHtml(title, 'description', spoken),
      Pages: title.page_count,
      DurationSeconds: title.duration_seconds,
      WordCount: title.word_count,
      Credits: title.credits ?? undefined,
      Categories: categoriesXml === '' ? undefined : new Markup(categoriesXml),
      Series: title.series === null ? undefined : renderSeries(title.series, title.series_number, ofSeries),
      AuthorTitles: ofAuthor,
      InSubscription: title.in_plan || undefined,
    }),
  ]);
}

export async function titleById(call: Call<'titleById'>): Answer<'titleById'> {
  return renderTitle(call, await findTitle(call.services.db, call.store.id, { id: call.path.titleId }));
}

export async function titleByIsbn(call: Call<'titleByIsbn'>): Answer<'titleByIsbn'> {
  const isbn = toIsbn13(call.path.isbn);
  if (!isbn)
    throw new DomainError(
      'bad_request',
      `The ISBN ${call.path.isbn} is invalid: expected 10 or 13 digits with a correct check digit.`,
    );
  return renderTitle(call, await findTitle(call.services.db, call.store.id, { isbn }));
}

export async function relatedTitles(call: Call<'relatedTitles'>): Answer<'relatedTitles'> {
  const { services, store, path, query } = call;
  const title = await findTitle(services.db, store.id, { id: path.titleId });
  if (!title) throw notFound('title');
  const rows = await findRelated(services.db, store.id, title, query.limit);
  return renderElement(
    'Titles',
    rows.map((row) => renderTitleSummary(store.id, row)),
    { total: rows.length },
  );
}
