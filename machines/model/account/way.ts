import type { AfterSignIn } from './after-sign-in.ts';

/** What a way is in the address of a page that leads on to it. */
export const queryOfWay = ({ path, action }: AfterSignIn): Record<string, string> => ({
  return: path === '/' ? '' : path,
  action: action ?? '',
});
