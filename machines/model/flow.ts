import type { Appearance } from './appearance.ts';
import type { Locale } from './language.ts';
import type { Layout, Route } from './route.ts';
import type { StoreProperties } from './store.ts';

/** What the page knows before the app starts; `supportEmail` is whom to write to where there is no store, or empty. */
export type AppInput = { layout: Layout; locale: Locale; appearance: Appearance; supportEmail: string };

/** What the app gives to the flow of a route when it starts it. */
export type FlowInput = {
  route: Route;
  signedIn: boolean;
  /** The action that was pressed before sign-in took the customer away, to be taken up again. */
  resume: string | null;
  store: StoreProperties;
};

/** What any flow may tell the app. */
export type FlowFact =
  | { type: 'go'; to: string; replace: boolean }
  | { type: 'leave'; url: string }
  | { type: 'signIn.needed'; action: string | null; expired: boolean }
  /** The server no longer knows the session, on a page that can do without one. */
  | { type: 'session.expired' }
  | { type: 'session.started'; userId: string; pii: { email: string } };

/** What the app tells any flow. */
export type FlowNews =
  | { type: 'route.changed'; route: Route }
  | { type: 'session.changed'; signedIn: boolean }
  /** The customer came back to a page that had been left for another site. */
  | { type: 'page.returned' }
  /** The page is about to be hidden or closed: the last moment to save. */
  | { type: 'page.hidden' };
