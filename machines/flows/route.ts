import type { FlowName } from './registry.ts';
import type { FramePart } from './flow-definition.ts';
import { signInPath, signUpPath } from '../model/paths.ts';

/**
 * The route that the location port parsed from the URL, with secrets removed. `params` identify the
 * screen; `query` determines its presentation, so a change of only the query keeps the running
 * flow. `path` includes the query and can be navigated to. `/invalid` has its own `flow` value
 * because the app itself shows it.
 */
export type Route = {
  flow: FlowName | 'invalid';
  path: string;
  params: Record<string, string>;
  query: Record<string, string>;
  access: 'public' | 'login';
  hides: FramePart[];
  /** The screen fills the window: the frame hides its own top bar, and the screen has one. */
  fills?: true;
};

/** The category in a list's route; null in any other route. */
export const getCategoryReference = ({ flow, params }: Route): string | null =>
  flow === 'catalogue' ? (params['category'] ?? null) : null;

/**
 * The reason for a sign-in: an action that is resumed afterwards, or an expired session.
 */
export type SignInReason = { action: string | null; expired: boolean };

/**
 * The path of the sign-in page (for a sample, the sign-up page) that returns to `route` and resumes
 * `action` there.
 */
export const signInOrUpPath = (route: Route, { action, expired }: SignInReason): string => {
  const isSample = 'sample' in route.params || 'sample' in route.query;
  return (isSample ? signUpPath : signInPath)({ return: route.path, action: action ?? '', expired: expired ? '1' : '' });
};

const toCanonicalText = (parts: Record<string, string>): string =>
  JSON.stringify(Object.entries(parts).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Whether two routes show the same screen; their `query` may differ. */
export const isSameScreen = (a: Route, b: Route): boolean =>
  a.flow === b.flow && a.access === b.access && toCanonicalText(a.params) === toCanonicalText(b.params);
