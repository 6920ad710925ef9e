import type { Appearance } from '../model/store/appearance.ts';
import type { Locale } from '../model/store/language.ts';
import type { Route } from './route.ts';
import type { StoreProperties } from '../model/store/store.ts';

/**
 * Data that the page has before the app starts. `supportEmail` is the contact address to show if
 * there is no store; empty without one.
 */
export type AppInput = { locale: Locale; appearance: Appearance; supportEmail: string };

/** An e-mail address typed into an account form; the next account form starts with it. */
export type TypedEmail = { pii: { email: string } };

/**
 * The input of a flow. A flow starts when its route is opened, and again whenever the customer
 * changes.
 */
export type FlowInput = {
  route: Route;
  signedIn: boolean;
  /** The action that was pressed before sign-in, to be resumed now. */
  resume: string | null;
  store: StoreProperties;
  /** The e-mail address typed into the previous form, if any. */
  typed?: TypedEmail;
};

/** Events that any flow may send to the app. */
export type FlowToAppEvent =
  /** `resume`: the action that was pressed before sign-in, to be resumed on the page `to`. */
  | { type: 'go'; to: string; replace: boolean; resume?: string }
  | { type: 'leave'; url: string }
  /**
   * A visitor pressed an action for customers only: after sign-in the customer returns, and
   * `action` is resumed.
   */
  | { type: 'signIn.needed'; action: string | null }
  /** The customer started an action: if the session ends, it is resumed after sign-in. */
  | { type: 'action.started'; action: string }
  | { type: 'action.ended' }
  | { type: 'session.started'; userId: string; pii: { email: string } }
  /** The customer typed an e-mail address: the next account form starts with it. */
  | ({ type: 'email.typed' } & TypedEmail);

/** Events that the app may send to any flow. */
export type FlowSignal =
  | { type: 'route.changed'; route: Route }
  /** The language changed: texts written by the store may have a translation. */
  | { type: 'language.changed' }
  /** The customer returned to a page that was left for another site. */
  | { type: 'page.returned' }
  /** The page is about to be hidden or closed: data must be saved now. */
  | { type: 'page.hidden' };

/**
 * The current session's customer, null for a visitor; `ended` if the server no longer accepted the
 * previous session.
 */
export type SessionChange = { type: 'session.changed'; userId: string | null; ended: boolean };
