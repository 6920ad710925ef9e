import { codes, parsePrice, type plans, subCategories, works, type CatalogueWork } from './catalogue.ts';
import type { Transaction } from './state.ts';
import { element, notFound, xml, type WireAnswer } from './wire.ts';

/** The parts of the second server's answers. */

const currencySymbols = { EUR: '€', JPY: '¥', JOD: 'JOD' };

export const titleXml = (work: CatalogueWork, more: Record<string, string> = {}): string =>
  element('Title', {
    ...more,
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

export const titlesXml = (found: readonly CatalogueWork[]): WireAnswer =>
  xml(element('ArrayOfTitle', found.map((work) => titleXml(work)).join('')));

/** Titles on a page of a list: few, so that there is a second one. */
const PAGE_SIZE = 3;

/** A page of a list, and the address of the next one, below the base of the API. */
export const titlesPage = (found: readonly CatalogueWork[], from: number, base: string): WireAnswer => {
  const rest = found.length > from + PAGE_SIZE ? `<Next>${base}/titles/from/${from + PAGE_SIZE}</Next>` : '';
  return xml(
    element(
      'ArrayOfTitle',
      `${rest}${found
        .slice(from, from + PAGE_SIZE)
        .map((work) => titleXml(work))
        .join('')}`,
    ),
  );
};

/** Whether a work is in a category, or in one below it. */
export const isInCategory = (work: CatalogueWork, category: string): boolean =>
  String(work.category) === category || (subCategories[Number(category)] ?? []).some(({ id }) => id === work.category);

export const categoriesXml = (all: readonly { id: number; name: string; tagId?: string }[]): WireAnswer =>
  xml(
    element(
      'Categories',
      all.map(({ id, name, tagId = null }) => element('Category', { Id: id, TagId: tagId, Name: name })).join(''),
    ),
  );

export const planXml = ({ id, name, price, interval }: (typeof plans)[number]): string =>
  element('Plan', { PlanId: id, Name: name, Amount: price, Currency: 'EUR', CurrencySymbol: '€', Interval: interval });

/** Of the fourth title. */
export const isbn = '9783161484100';

/** Of every card. */
export const billingAddress = { Line1: '1 Quay', Line2: 'By the Lamp', City: 'Linz', State: 'Upper Austria', Country: 'AT' };

export const instanceIdOf = (id: string) => `copy-${id}`;

/** The price after a discount code. */
export const reducedPrice = (price: number, code: string): number =>
  codes[code] === 'discount' ? Math.round(price * 80) / 100 : price;

/** The titles of a campaign, and of a code with a choice. */
export const twoWorks = works
  .slice(3, 5)
  .map((work) => titleXml(work))
  .join('');

const discountXml = (work: CatalogueWork | undefined, code: string): string => {
  const price = work === undefined ? null : reducedPrice(parsePrice(work), code);
  const [currency, symbol] = price === null ? [null, null] : ['EUR', '€'];
  return element('Redemption', {
    Kind: 'Discount',
    PercentOff: 20,
    TitlePrice: price,
    Currency: currency,
    CurrencySymbol: symbol,
  });
};

/** The answer for a code, when a title is being bought or not. */
export const redemptionOf = (code: string, work: CatalogueWork | undefined): WireAnswer => {
  switch (codes[code]) {
    case 'title':
      return xml(element('Redemption', element('Titles', titleXml(works[3] as CatalogueWork))));
    case 'choice':
      return xml(element('Redemption', element('Titles', twoWorks)));
    case 'credits':
      return xml(element('Redemption', { Credits: 5 }));
    case 'month':
      return xml(element('Redemption', { PlanId: 'gold' }));
    case 'discount':
      return xml(discountXml(work, code));
    case undefined:
      return notFound;
    default:
      throw new Error(`Unknown code: ${code}`);
  }
};

export const toSession = ({ id }: Transaction) => ({ transId: id, url: `/pay/${id}` });

export const toStatus = ({ id, status, intentId }: Transaction) => ({ transId: id, status, intentId });
