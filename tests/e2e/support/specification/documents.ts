import { codes, type plans, subCategories, type Work } from './catalogue.ts';
import type { Transaction } from './state.ts';
import { element, xml, type Answer } from './wire.ts';

/** The parts of the second server's answers. */

const symbols = { EUR: '€', JPY: '¥', JOD: 'JOD' };

export const titleOf = (work: Work, more: Record<string, string> = {}): string =>
  element('Title', {
    ...more,
    Name: work.name,
    TitlePrice: work.price,
    CurrencySymbol: symbols[work.currency ?? 'EUR'],
    Currency: work.currency ?? 'EUR',
    TitleType: work.type,
    TitleId: work.id,
    ForSale: true,
    Credits: work.id === 5 ? 2 : null,
    DurationSeconds: work.seconds ?? null,
  });

export const titlesOf = (found: readonly Work[]): Answer =>
  xml(element('ArrayOfTitle', found.map((work) => titleOf(work)).join('')));

/** Titles of a page of a list: few, so that there is a second one. */
const PAGE = 3;

/** A page of a list, and the address of the one behind it, below the base of the API. */
export const pageOf = (found: readonly Work[], from: number, base: string): Answer => {
  const rest = found.length > from + PAGE ? `<Next>${base}/titles/from/${from + PAGE}</Next>` : '';
  return xml(
    element(
      'ArrayOfTitle',
      `${rest}${found
        .slice(from, from + PAGE)
        .map((work) => titleOf(work))
        .join('')}`,
    ),
  );
};

/** Whether a work is in a category, or in one below it. */
export const isIn = (work: Work, category: string): boolean =>
  String(work.category) === category || (subCategories[Number(category)] ?? []).some(({ id }) => id === work.category);

export const categoriesOf = (all: readonly { id: number; name: string; tagId?: string }[]): Answer =>
  xml(
    element(
      'Categories',
      all.map(({ id, name, tagId = null }) => element('Category', { Id: id, TagId: tagId, Name: name })).join(''),
    ),
  );

export const planOf = ({ id, name, price, interval }: (typeof plans)[number]): string =>
  element('Plan', { PlanId: id, Name: name, Amount: price, Currency: 'EUR', CurrencySymbol: '€', Interval: interval });

/** Of the fourth title. */
export const isbn = '9783161484100';

/** Of every card. */
export const billingAddress = { Line1: '1 Quay', Line2: 'By the Lamp', City: 'Linz', State: 'Upper Austria', Country: 'AT' };

export const copyOf = (id: string) => `copy-${id}`;

/** The price after a code that takes something off. */
export const reduced = (price: number, code: string): number =>
  codes[code] === 'discount' ? Math.round(price * 80) / 100 : price;

export const sessionOf = ({ id }: Transaction) => ({ transId: id, url: `/pay/${id}` });

export const statusOf = ({ id, status, intentId }: Transaction) => ({ transId: id, status, intentId });
