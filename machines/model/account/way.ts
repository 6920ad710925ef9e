import type { AfterSignIn } from './after-sign-in.ts';

/** The query of a page that continues to this path and action. */
export const toReturnQuery = ({ path, action }: AfterSignIn): Record<string, string> => ({
  return: path === '/' ? '' : path,
  action: action ?? '',
});
