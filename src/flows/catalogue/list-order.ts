import type { ListQuery } from '../../../machines/model/catalogue/list.ts';

/** The order of a list; the server's default where its address has no valid one. */
export const getListOrder = ({ sort, search, series }: ListQuery): string => {
  if (search !== '') return sort === '' ? 'relevance' : sort;
  if (sort !== '' && sort !== 'relevance') return sort;
  return series === '' ? 'newest' : 'series';
};
