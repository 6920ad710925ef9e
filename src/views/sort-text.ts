import { useLingui } from '@lingui/react/macro';
import type { SortOption } from '../../machines/model/store/store.ts';

/** The English names of known sort orders, for stores that send only the value. */
const defaultSortTexts: Readonly<Record<string, string>> = {
  newest: 'Newest',
  oldest: 'Oldest',
  title: 'Title',
  'title-desc': 'Title, Z to A',
  author: 'Author',
  price: 'Price',
  'price-desc': 'Price, high to low',
  popular: 'Most popular',
  series: 'Order of the series',
  relevance: 'Best match',
  opened: 'Recently opened',
};

/**
 * Returns a function for a sort order's name in the customer's language; a store's own names are
 * not translated.
 */
export const useSortText = (): ((option: SortOption) => string) => {
  const { t } = useLingui();
  const translations = new Map([
    ['Newest', t`Newest`],
    ['Oldest', t`Oldest`],
    ['Title', t({ message: 'Title', context: 'the order of a list' })],
    ['Title, Z to A', t`Title, Z to A`],
    ['Author', t`Author`],
    ['Price', t`Price`],
    ['Price, high to low', t`Price, high to low`],
    ['Most popular', t`Most popular`],
    ['Best match', t`Best match`],
    ['Order of the series', t`Order of the series`],
    ['Recently added', t`Recently added`],
    ['Recently opened', t`Recently opened`],
  ]);
  return ({ text, value }) => {
    const isUnnamed = text.toLowerCase() === value.toLowerCase() && Object.hasOwn(defaultSortTexts, value);
    const englishName = isUnnamed ? (defaultSortTexts[value] ?? text) : text;
    return translations.get(englishName) ?? text;
  };
};
