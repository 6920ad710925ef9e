import type { Card } from '../../machines/model/buying/card.ts';
import type { Problem } from '../../machines/model/problem.ts';
import type { Library, OwnedTitle } from '../../machines/model/buying/purchase.ts';
import { titleTypeCodes, type TitleSummary } from '../../machines/model/catalogue/title.ts';
import { renderElement, renderFields, renderItems, Markup, renderDocument } from '../../server/base/xml/write.ts';
import type { StubResponse, WalkContext } from './browser-adapter.ts';
import type { SignInResult } from '../../machines/app/session.ts';

export const toXmlResponse = (root: Markup, status = 200): Exclude<StubResponse, string> => ({
  status,
  contentType: 'application/xml; charset=utf-8',
  body: renderDocument(root),
});

export const toJsonResponse = (value: unknown, status = 200): StubResponse => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(value),
});

/** The response of a server that does not serve the call. */
export const NOT_SERVED: StubResponse = {
  status: 404,
  contentType: 'text/html',
  body: '<!doctype html><title>Not found</title>',
};

const toErrorXml = (
  status: number,
  fields: { Status?: string; Code?: string; Message?: string },
): Exclude<StubResponse, string> =>
  toXmlResponse(renderElement('Error', [renderFields({ StatusCode: status, ...fields })]), status);

/** Returns the response that the client maps to the problem. */
export const toProblemResponse = (problem: Problem): StubResponse => {
  switch (problem.kind) {
    case 'offline':
      return 'lost';
    case 'timeout':
      return 'silent';
    case 'unauthorized':
      return toErrorXml(401, { Status: 'Unauthorized', Message: 'Please sign in.' });
    case 'invalidStore':
      return toErrorXml(404, { Status: 'Invalid', Code: 'invalid_store', Message: 'There is no such store.' });
    case 'http':
      return { status: problem.status, contentType: 'text/plain', body: problem.message };
    case 'refused': {
      const fields = { Code: problem.code, Message: problem.message };
      const { retryAfterSeconds } = problem;
      if (retryAfterSeconds !== undefined)
        return { ...toErrorXml(429, fields), headers: { 'retry-after': String(retryAfterSeconds) } };
      return toErrorXml(problem.code === 'not_found' ? 404 : 409, fields);
    }
    case 'malformed':
      return { status: 200, contentType: 'application/xml', body: '<Torn' };
  }
};

/** Renders the fields of a title in lists and on the title's own page. */
const renderTitleFields = (title: TitleSummary & { credits?: number }): Markup =>
  renderFields({
    TitleId: title.id,
    Name: title.name,
    Authors: renderItems('Author', title.authors),
    TitleType: titleTypeCodes[title.type],
    Medium: title.medium,
    Prices: new Markup(
      title.prices
        .map(({ amount, currency, symbol }) => renderFields({ Amount: amount, Currency: currency, CurrencySymbol: symbol }))
        .map((price) => renderElement('Price', [price]).text)
        .join(''),
    ),
    ForSale: title.forSale,
    Free: title.free,
    HasSample: title.hasSample,
    Credits: title.credits,
  });

export const renderTitle = (title: TitleSummary & { credits?: number }): Markup =>
  renderElement('Title', [renderTitleFields(title)]);

export const toTitleXml = (title: TitleSummary & { credits?: number }): StubResponse => toXmlResponse(renderTitle(title));

/** Renders a page of a list: titles, the total of all pages, and the next page's cursor if any. */
export const toTitlesXml = (page: { titles: TitleSummary[]; total?: number | null; next?: string | null }): StubResponse =>
  toXmlResponse(
    renderElement('Titles', [
      renderFields({ Total: page.total ?? null, Next: page.next ?? null }),
      ...page.titles.map(renderTitle),
    ]),
  );

const renderOwnedTitle = ({ title, ...copy }: OwnedTitle): Markup =>
  renderElement('Purchase', [
    renderFields({
      InstanceId: copy.instanceId,
      PurchasedAt: copy.purchasedAt,
      LastOpenedAt: copy.lastOpenedAt ?? undefined,
      Progress: copy.progress,
    }),
    renderTitle(title),
  ]);

/** Renders a page of a library. */
export const toPurchasesXml = ({ titles, left }: Library): StubResponse =>
  toXmlResponse(renderElement('Purchases', titles.map(renderOwnedTitle), left ? { left: left.count, leftAt: left.at } : {}));

/** Fills in the flow's form fields by their names. */
export const fillFields = async ({ flow }: WalkContext, values: Record<string, string>): Promise<void> => {
  for (const [name, value] of Object.entries(values)) await flow.locator(`[name="${name}"]`).fill(value);
};

/** Types an e-mail address and leaves the field. */
export const typeEmail = async ({ flow }: WalkContext): Promise<void> => {
  const field = flow.locator('[name="email"]');
  await field.fill('reader@example.com');
  await field.blur();
};

/** Renders the session of a customer who signs in or up. */
export const toSessionXml = ({ userId, pii, asks }: SignInResult) =>
  toXmlResponse(
    renderElement('SignIn', [renderFields({ IdToken: 'a-token', UserId: userId, EmailId: pii.email, QuestionsOpen: asks })]),
  );

export const isDoneEvent = ({ type }: { type: string }): boolean => type.startsWith('xstate.done.');

const renderCard = ({ id, isDefault, pii: { brand, last4, expiry } }: Card) => {
  const [month, year] = expiry.split('/').map(Number);
  return renderElement('Card', [
    renderFields({
      CardId: id,
      Brand: brand,
      LastFour: last4,
      ExpiryMonth: month,
      ExpiryYear: 2000 + (year ?? 0),
      Default: isDefault,
    }),
  ]);
};

/** Renders the customer’s cards, with the id of the card that was just added, if any. */
export const toCardsXml = (cards: Card[], addedId: string | null = null): StubResponse =>
  toXmlResponse(renderElement('Cards', [renderFields({ Added: addedId ?? undefined }), ...cards.map(renderCard)]));
