import type { Route } from '../flows/route.ts';
import { parseRoute } from '../flows/routes.ts';

/** The route of a path with its query. */
export const parsePath = (path: string): Route => {
  const [pathname = '', ...queries] = path.split('?');
  return parseRoute({ pathname, search: queries.length === 0 ? '' : `?${queries.join('?')}` });
};
