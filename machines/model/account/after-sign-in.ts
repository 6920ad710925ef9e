import { withQuery } from '../paths.ts';

/** Placeholder for a secret in a route's address, so that the route does not leak it. */
export const HIDDEN_SECRET = '…';

/** The page to continue on after sign-in or sign-up, and the action to resume there. */
export type AfterSignIn = { path: string; action: string | null };

const ownPathPattern = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/** Reads it from the query of a sign-in page; accepts only paths of this origin. */
export const readAfterSignIn = (query: Record<string, string>): AfterSignIn => ({
  path: query['return'] !== undefined && ownPathPattern.test(query['return']) ? query['return'] : '/',
  action: query['action'] ?? null,
});

/**
 * The same for a customer who just signed in: if the store still has questions, they continue on
 * the questions page, and the action is resumed after that.
 */
export const nextAfterSignIn = (query: Record<string, string>): AfterSignIn => {
  const way = readAfterSignIn(query);
  const { return: to = '', action = '' } = query;
  return 'questions' in query ? { path: withQuery('/questions', { return: to, action }), action: null } : way;
};
