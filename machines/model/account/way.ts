import type { AfterSignIn } from './after-sign-in.ts';

/** The query that makes a sign-in page continue to a path and resume an action there. */
export const toReturnQuery = ({ path, action }: AfterSignIn): Record<string, string> => ({
  return: path === '/' ? '' : path,
  action: action ?? '',
});
