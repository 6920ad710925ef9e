import type { Api } from '../wire/client.ts';
import { malformedProblem, throwProblem } from '../wire/problem.ts';

const ABSOLUTE_URL = /^https?:\/\//i;

/** The path and query of a list below the API base, as the client takes them. */
type ListAddress = { path: '/titles'; query: Record<string, string> };

/**
 * Parses a server's reference to the next page of a list, which may be an address rather than a
 * cursor ("titles by supplied URL").
 * @returns null for a cursor, or without a next page
 * @throws Problem `malformed` for an address outside of the API base, since the access token is
 * sent there
 */
export const parseListAddress = ({ base, config }: Api, call: string, next: string | null): ListAddress | null => {
  if (next === null) return null;
  const root = base.href.replace(/\/*$/, '/');
  const url = URL.parse(next, root);
  const isBelow = url?.href.startsWith(root) ?? false;
  // A cursor may begin with a slash, too, but has no query.
  const isAddress = ABSOLUTE_URL.test(next) || next.includes('?') || next.startsWith(new URL(root).pathname.padEnd(2, '/'));
  if (!isAddress) return null;
  if (url === null || !isBelow) return throwProblem(malformedProblem(call, 'next', 'is an address outside of the API base'));
  const query = Object.fromEntries(url.searchParams);
  // The client adds its own token and store id.
  delete query['accesstoken'];
  delete query[config.storeParameter];
  // Typed as the usual list path: lists have the same answer at any path of the server.
  return { path: `/${url.href.slice(root.length).split(/[?#]/)[0] ?? ''}` as '/titles', query };
};
