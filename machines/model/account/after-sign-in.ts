import { withQuery } from '../paths.ts';

/** Replaces a secret of the address in its route, so that it is of no use to a reader. */
export const hidden = '…';

/** Where a customer continues after signing in or up, and the action that is resumed there. */
export type AfterSignIn = { path: string; action: string | null };

const own = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/** Reads it from the query of a sign-in page; only a path of this origin is accepted. */
export const afterSignInOf = (query: Record<string, string>): AfterSignIn => ({
  path: query['return'] !== undefined && own.test(query['return']) ? query['return'] : '/',
  action: query['action'] ?? null,
});

/**
 * The same for a customer who has just signed in: where the store still asks them something, they
 * continue with its questions, after which the action is resumed.
 */
export const nextAfterSignIn = (query: Record<string, string>): AfterSignIn => {
  const way = afterSignInOf(query);
  const { return: to = '', action = '' } = query;
  return 'questions' in query ? { path: withQuery('/questions', { return: to, action }), action: null } : way;
};
