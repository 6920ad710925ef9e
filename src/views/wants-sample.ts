import { afterSignInOf } from '../../machines/model/account/after-sign-in.ts';

/** Whether the query of a sign-in or sign-up page leads on to the sample of a title. */
export const wantsSample = (search: string): boolean => {
  const { path } = afterSignInOf(Object.fromEntries(new URLSearchParams(search)));
  const { pathname, searchParams } = new URL(path, 'https://shop.invalid');
  return /^\/(pdf)?viewer$/.test(pathname) && searchParams.has('sample');
};
