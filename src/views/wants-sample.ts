import { readAfterSignIn } from '../../machines/model/account/after-sign-in.ts';

/** Whether the return path in the query of a sign-in or sign-up page is that of a sample. */
export const leadsToSample = (search: string): boolean => {
  const { path } = readAfterSignIn(Object.fromEntries(new URLSearchParams(search)));
  const { pathname, searchParams } = new URL(path, 'https://shop.invalid');
  return /^\/(pdf)?viewer$/.test(pathname) && searchParams.has('sample');
};
