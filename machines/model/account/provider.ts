import type { AfterSignIn } from './after-sign-in.ts';

/** An identity provider by which customers may sign in; `name` is its own spelling. */
export type Provider = { id: string; kind: 'oidc' | 'facebook' | 'phone'; name: string };

/**
 * The input of a sign-in by a provider: which one, how long the session lasts, and where to
 * continue.
 */
export type ProviderChoice = {
  providerId: string;
  /** Keeps the session after the tab is closed. */
  remember: boolean;
  way: AfterSignIn;
};

/** A provider of the store, and whether it opens the signed-in customer's account. */
export type OwnProvider = Provider & { isJoined: boolean };
