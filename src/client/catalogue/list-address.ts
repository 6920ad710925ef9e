import type { Api } from '../wire/client.ts';
import { malformed, raise } from '../wire/problem.ts';

const ABSOLUTE = /^https?:\/\//i;

/** The path and query of a list below the API base, as a call takes them. */
type ListAddress = { path: '/titles'; query: Record<string, string> };

/**
 * A server may name the next page of a list by its address rather than by a cursor ("titles by
 * supplied URL").
 * @returns null for a cursor
 * @throws Problem `malformed` for an address outside of the API base: the access token goes along
 */
export const listAddress = ({ base, config }: Api, call: string, next: string | null): ListAddress | null => {
  if (next === null) return null;
  const root = base.href.replace(/\/*$/, '/');
  const url = URL.parse(next, root);
  const isBelow = url?.href.startsWith(root) ?? false;
  // A cursor may begin with a slash, too; none has a query.
  const isAddress = ABSOLUTE.test(next) || next.includes('?') || next.startsWith(new URL(root).pathname.padEnd(2, '/'));
  if (!isAddress) return null;
  if (url === null || !isBelow) return raise(malformed(call, 'next', 'is an address outside of the API base'));
  const query = Object.fromEntries(url.searchParams);
  // The call adds its own.
  delete query['accesstoken'];
  delete query[config.storeParameter];
  // Its type is that of every list, wherever the server keeps this one.
  return { path: `/${url.href.slice(root.length).split(/[?#]/)[0] ?? ''}` as '/titles', query };
};
