/** Renders the documents and fields of the specification server's answers. */

import { codes, parsePrice, type plans, subCategories, works, type CatalogueWork } from './catalogue.ts';
import type { Transaction } from './state.ts';
import { renderElement, notFound, toXmlAnswer, type WireAnswer } from './wire.ts';

const currencySymbols = { EUR: '€', JPY: '¥', JOD: 'JOD' };

export const renderTitleXml = (work: CatalogueWork, extraFields: Record<string, string> = {}): string =>
  renderElement('Title', {
    ...extraFields,
    Name: work.name,
    TitlePrice: work.price,
    CurrencySymbol: currencySymbols[work.currency ?? 'EUR'],
    Currency: work.currency ?? 'EUR',
    TitleType: work.type,
    TitleId: work.id,
    ForSale: true,
    Credits: work.id === 5 ? 2 : null,
    DurationSeconds: work.seconds ?? null,
  });

export const createTitlesAnswer = (listedWorks: readonly CatalogueWork[]): WireAnswer =>
  toXmlAnswer(renderElement('ArrayOfTitle', listedWorks.map((work) => renderTitleXml(work)).join('')));

/** Titles on one page of a list: few, so that lists have a second page. */
const PAGE_SIZE = 3;

/** A page of a list, with the path of the next page below `base`, the base path of the API. */
export const createTitlesPage = (listedWorks: readonly CatalogueWork[], offset: number, base: string): WireAnswer => {
  const nextLink = listedWorks.length > offset + PAGE_SIZE ? `<Next>${base}/titles/from/${offset + PAGE_SIZE}</Next>` : '';
  return toXmlAnswer(
    renderElement(
      'ArrayOfTitle',
      `${nextLink}${listedWorks
        .slice(offset, offset + PAGE_SIZE)
        .map((work) => renderTitleXml(work))
        .join('')}`,
    ),
  );
};

/** Whether a work is in a category, or in one below it. */
export const isInCategory = (work: CatalogueWork, category: string): boolean =>
  String(work.category) === category || (subCategories[Number(category)] ?? []).some(({ id }) => id === work.category);

export const createCategoriesAnswer = (categories: readonly { id: number; name: string; tagId?: string }[]): WireAnswer =>
  toXmlAnswer(
    renderElement(
      'Categories',
      categories.map(({ id, name, tagId = null }) => renderElement('Category', { Id: id, TagId: tagId, Name: name })).join(''),
    ),
  );

export const renderPlanXml = ({ id, name, price, interval }: (typeof plans)[number]): string =>
  renderElement('Plan', { PlanId: id, Name: name, Amount: price, Currency: 'EUR', CurrencySymbol: '€', Interval: interval });

/** The ISBN of the fourth title. */
export const isbn = '9783161484100';

/** The billing address of every card. */
export const billingAddress = { Line1: '1 Quay', Line2: 'By the Lamp', City: 'Linz', State: 'Upper Austria', Country: 'AT' };

export const getInstanceId = (id: string) => `copy-${id}`;

/** The price after a discount code. */
export const reducePrice = (price: number, code: string): number =>
  codes[code] === 'discount' ? Math.round(price * 80) / 100 : price;

/** The titles of a campaign, and of a code with a choice. */
export const twoTitlesXml = works
  .slice(3, 5)
  .map((work) => renderTitleXml(work))
  .join('');

const renderDiscountXml = (work: CatalogueWork | undefined, code: string): string => {
  const price = work === undefined ? null : reducePrice(parsePrice(work), code);
  const [currency, symbol] = price === null ? [null, null] : ['EUR', '€'];
  return renderElement('Redemption', {
    Kind: 'Discount',
    PercentOff: 20,
    TitlePrice: price,
    Currency: currency,
    CurrencySymbol: symbol,
  });
};

/** The answer to a code. `work` is the title that is being bought, undefined outside a purchase. */
export const createRedemptionAnswer = (code: string, work: CatalogueWork | undefined): WireAnswer => {
  switch (codes[code]) {
    case 'title':
      return toXmlAnswer(renderElement('Redemption', renderElement('Titles', renderTitleXml(works[3] as CatalogueWork))));
    case 'choice':
      return toXmlAnswer(renderElement('Redemption', renderElement('Titles', twoTitlesXml)));
    case 'credits':
      return toXmlAnswer(renderElement('Redemption', { Credits: 5 }));
    case 'month':
      return toXmlAnswer(renderElement('Redemption', { PlanId: 'gold' }));
    case 'discount':
      return toXmlAnswer(renderDiscountXml(work, code));
    case undefined:
      return notFound;
    default:
      throw new Error(`Unknown code: ${code}`);
  }
};

export const toSession = ({ id }: Transaction) => ({ transId: id, url: `/pay/${id}` });

export const toStatus = ({ id, status, intentId }: Transaction) => ({ transId: id, status, intentId });
