import type { Appearance } from '../model/store/appearance.ts';
import type { Locale } from '../model/store/language.ts';
import type { Route } from './route.ts';
import type { StoreProperties } from '../model/store/store.ts';

/** What the page knows before the app starts; `supportEmail` is the contact address where there is no store, or empty. */
export type AppInput = { locale: Locale; appearance: Appearance; supportEmail: string };

/** An address that was typed into the form of an account; the next of these forms begins with it. */
export type TypedEmail = { pii: { email: string } };

/** What the app gives to the flow of a route when it starts it, and again whenever the customer changes. */
export type FlowInput = {
  route: Route;
  signedIn: boolean;
  /** The action that was pressed before sign-in took the customer away, to be taken up again. */
  resume: string | null;
  store: StoreProperties;
  /** On the form before; left out where there was none. */
  typed?: TypedEmail;
};

/** What any flow may tell the app. */
export type FlowFact =
  /** `resume`: what was pressed before signing in, and is to be taken up there. */
  | { type: 'go'; to: string; replace: boolean; resume?: string }
  | { type: 'leave'; url: string }
  /** A visitor wants what only customers may: they sign in and come back, and `action` is taken up again. */
  | { type: 'signIn.needed'; action: string | null }
  /** The customer is in the middle of something: a session that ends meanwhile leads to sign-in, and back to it. */
  | { type: 'action.begun'; action: string }
  | { type: 'action.ended' }
  | { type: 'session.started'; userId: string; pii: { email: string } }
  /** An account's address is typed: the form that comes next has it. */
  | ({ type: 'email.typed' } & TypedEmail);

/** What the app tells any flow. */
export type FlowNews =
  | { type: 'route.changed'; route: Route }
  /** Another language is spoken: what the store itself has written may read otherwise. */
  | { type: 'language.changed' }
  /** The customer came back to a page that had been left for another site. */
  | { type: 'page.returned' }
  /** The page is about to be hidden or closed: the last moment to save. */
  | { type: 'page.hidden' };

/** Whose session it is from now on, null for a visitor's; `ended` when the server no longer knew the one before. */
export type SessionChange = { type: 'session.changed'; userId: string | null; ended: boolean };
