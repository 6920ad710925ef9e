import type { Route } from '../flows/route.ts';
import { parseRoute } from '../flows/routes.ts';

/** Parses a path, with its query if there is one, into a route. */
export const parsePath = (path: string): Route => {
  const [pathname = '', ...queries] = path.split('?');
  return parseRoute({ pathname, search: queries.length === 0 ? '' : `?${queries.join('?')}` });
};
