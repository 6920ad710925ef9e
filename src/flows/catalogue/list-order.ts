import type { ListQuery } from '../../../machines/model/catalogue/list.ts';

/** The sort order of a list; the server's default if the URL has no valid one. */
export const getListOrder = ({ sort, search, series }: ListQuery): string => {
  if (search !== '') return sort === '' ? 'relevance' : sort;
  if (sort !== '' && sort !== 'relevance') return sort;
  return series === '' ? 'newest' : 'series';
};
