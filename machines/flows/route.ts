import type { FlowName } from './registry.ts';
import type { FramePart } from './flow-definition.ts';
import { signInPath, signUpPath } from '../model/paths.ts';

/**
 * The page as the location port read it out of the URL, secrets already taken out. `params` says which screen it is,
 * `query` how it is shown: a change of the query alone keeps the running flow. `path` holds the query too and can be gone
 * back to. `/invalid` has a flow of its own word because the app itself shows it.
 */
export type Route = {
  flow: FlowName | 'invalid';
  path: string;
  params: Record<string, string>;
  query: Record<string, string>;
  access: 'public' | 'login';
  hides: FramePart[];
  /** The screen fills the window: the frame leaves all of it to the screen, whose own bar is the top bar. */
  fills?: true;
};

/** How the address of a list names its category; null in any other address. */
export const categoryReference = ({ flow, params }: Route): string | null =>
  flow === 'catalogue' ? (params['category'] ?? null) : null;

/** Why somebody has to sign in: for an action that is resumed afterwards, or because the session has expired. */
export type SignInReason = { action: string | null; expired: boolean };

/** The sign-in (or, for a sample, sign-up) page that leads back to `route` and resumes `action` there. */
export const signInOrUpPath = (route: Route, { action, expired }: SignInReason): string => {
  const isSample = 'sample' in route.params || 'sample' in route.query;
  return (isSample ? signUpPath : signInPath)({ return: route.path, action: action ?? '', expired: expired ? '1' : '' });
};

const canonical = (parts: Record<string, string>): string =>
  JSON.stringify(Object.entries(parts).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** True when two routes are the same screen, shown differently at most. */
export const isSameScreen = (a: Route, b: Route): boolean =>
  a.flow === b.flow && a.access === b.access && canonical(a.params) === canonical(b.params);
