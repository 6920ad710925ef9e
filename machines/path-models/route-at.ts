import type { Route } from '../flows/route.ts';
import { routeOf } from '../flows/routes.ts';

/** The route of a path with its query. */
export const routeAt = (path: string): Route => {
  const [pathname = '', ...queries] = path.split('?');
  return routeOf({ pathname, search: queries.length === 0 ? '' : `?${queries.join('?')}` });
};
