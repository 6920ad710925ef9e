import type { ListQuery } from '../../../machines/model/catalogue/list.ts';

/** The order of a list; the server's usual one where its address has none that fits. */
export const orderOf = ({ sort, search, series }: ListQuery): string => {
  if (search !== '') return sort === '' ? 'relevance' : sort;
  if (sort !== '' && sort !== 'relevance') return sort;
  return series === '' ? 'newest' : 'series';
};
