import { withQuery } from '../paths.ts';

/** Replaces a secret in the path or query of a route, so that the route does not leak it. */
export const HIDDEN_SECRET = '…';

/** The page to continue on after sign-in or sign-up, and the action to resume there. */
export type AfterSignIn = { path: string; action: string | null };

const sameOriginPathPattern = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/**
 * Reads the page and action from the query of a sign-in page. Only paths of this origin are
 * accepted; any other value becomes `/`.
 */
export const readAfterSignIn = (query: Record<string, string>): AfterSignIn => ({
  path: query['return'] !== undefined && sameOriginPathPattern.test(query['return']) ? query['return'] : '/',
  action: query['action'] ?? null,
});

/**
 * The page and action for a customer who just signed in. If the store still has questions, they
 * continue on the questions page, which resumes the action afterwards.
 */
export const nextAfterSignIn = (query: Record<string, string>): AfterSignIn => {
  const afterSignIn = readAfterSignIn(query);
  const { return: to = '', action = '' } = query;
  return 'questions' in query ? { path: withQuery('/questions', { return: to, action }), action: null } : afterSignIn;
};
