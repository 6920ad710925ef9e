import type { Card } from '../../machines/model/buying/card.ts';
import type { Problem } from '../../machines/model/problem.ts';
import type { Library, OwnedTitle } from '../../machines/model/buying/purchase.ts';
import { titleTypeCodes, type TitleSummary } from '../../machines/model/catalogue/title.ts';
import { element, fields, listOf, Markup, xmlDocument } from '../../server/base/xml/write.ts';
import type { Wire, World } from './stage.ts';
import type { CameBy } from '../../machines/app/session.ts';

export const xml = (root: Markup, status = 200): Exclude<Wire, string> => ({
  status,
  contentType: 'application/xml; charset=utf-8',
  body: xmlDocument(root),
});

export const json = (value: unknown, status = 200): Wire => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(value),
});

/** The answer of a server that does not have the call. */
export const notServed: Wire = { status: 404, contentType: 'text/html', body: '<!doctype html><title>Not found</title>' };

const error = (status: number, words: { Status?: string; Code?: string; Message?: string }): Exclude<Wire, string> =>
  xml(element('Error', [fields({ StatusCode: status, ...words })]), status);

/** The answer that comes to mean a Problem. */
export const wireOfProblem = (problem: Problem): Wire => {
  switch (problem.kind) {
    case 'offline':
      return 'lost';
    case 'timeout':
      return 'silent';
    case 'unauthorized':
      return error(401, { Status: 'Unauthorized', Message: 'Please sign in.' });
    case 'invalidStore':
      return error(404, { Status: 'Invalid', Code: 'invalid_store', Message: 'There is no such store.' });
    case 'http':
      return { status: problem.status, contentType: 'text/plain', body: problem.message };
    case 'refused': {
      const words = { Code: problem.code, Message: problem.message };
      const { retryAfterSeconds } = problem;
      if (retryAfterSeconds !== undefined) return { ...error(429, words), headers: { 'retry-after': String(retryAfterSeconds) } };
      return error(problem.code === 'not_found' ? 404 : 409, words);
    }
    case 'malformed':
      return { status: 200, contentType: 'application/xml', body: '<Torn' };
  }
};

/** The fields of a title as lists and its own page have them. */
const titleFields = (title: TitleSummary & { credits?: number }): Markup =>
  fields({
    TitleId: title.id,
    Name: title.name,
    Authors: listOf('Author', title.authors),
    TitleType: titleTypeCodes[title.type],
    Medium: title.medium,
    Prices: new Markup(
      title.prices
        .map(({ amount, currency, symbol }) => fields({ Amount: amount, Currency: currency, CurrencySymbol: symbol }))
        .map((price) => element('Price', [price]).text)
        .join(''),
    ),
    ForSale: title.forSale,
    Free: title.free,
    HasSample: title.hasSample,
    Credits: title.credits,
  });

export const titleElement = (title: TitleSummary & { credits?: number }): Markup => element('Title', [titleFields(title)]);

export const titleWire = (title: TitleSummary & { credits?: number }): Wire => xml(titleElement(title));

/** A list of titles, with the total of all pages and the next one's cursor where there is one. */
export const titlesWire = (page: { titles: TitleSummary[]; total?: number | null; next?: string | null }): Wire =>
  xml(element('Titles', [fields({ Total: page.total ?? null, Next: page.next ?? null }), ...page.titles.map(titleElement)]));

const ownedElement = ({ title, ...owned }: OwnedTitle): Markup =>
  element('Purchase', [
    fields({
      InstanceId: owned.instanceId,
      PurchasedAt: owned.purchasedAt,
      LastOpenedAt: owned.lastOpenedAt ?? undefined,
      Progress: owned.progress,
    }),
    titleElement(title),
  ]);

/** A page of a library. */
export const purchasesWire = ({ titles, left }: Library): Wire =>
  xml(element('Purchases', titles.map(ownedElement), left ? { left: left.count, leftAt: left.at } : {}));

/** Fills in the fields of a form by their names. */
export const fillFields = async ({ flow }: World, values: Record<string, string>): Promise<void> => {
  for (const [name, value] of Object.entries(values)) await flow.locator(`[name="${name}"]`).fill(value);
};

/** Types an address and goes on to the next field. */
export const typeEmail = async ({ flow }: World): Promise<void> => {
  const field = flow.locator('[name="email"]');
  await field.fill('reader@example.com');
  await field.blur();
};

/** The session that a customer is given who signs in or up. */
export const sessionAnswer = ({ userId, pii, asks }: CameBy) =>
  xml(element('SignIn', [fields({ IdToken: 'a-token', UserId: userId, EmailId: pii.email, QuestionsOpen: asks })]));

export const isDone = ({ type: name }: { type: string }): boolean => name.startsWith('xstate.done.');

const cardElement = ({ id, isDefault, pii: { brand, last4, expiry } }: Card) => {
  const [month, year] = expiry.split('/').map(Number);
  return element('Card', [
    fields({
      CardId: id,
      Brand: brand,
      LastFour: last4,
      ExpiryMonth: month,
      ExpiryYear: 2000 + (year ?? 0),
      Default: isDefault,
    }),
  ]);
};

/** The customer’s cards, and which of them was just added. */
export const cardsWire = (cards: Card[], addedId: string | null = null): Wire =>
  xml(element('Cards', [fields({ Added: addedId ?? undefined }), ...cards.map(cardElement)]));
