import type { AfterSignIn } from './after-sign-in.ts';

/** An identity provider by which customers may sign in; `name` is spelled as the provider does. */
export type Provider = { id: string; kind: 'oidc' | 'facebook' | 'phone'; name: string };

/**
 * The input of a sign-in by a provider: the provider, the lifetime of the session, and the page and
 * action to continue with (`way`).
 */
export type ProviderChoice = {
  providerId: string;
  /** Keeps the session after the tab is closed. */
  remember: boolean;
  way: AfterSignIn;
};

/** A provider of the store; `isJoined` if it is connected to the signed-in customer's account. */
export type OwnProvider = Provider & { isJoined: boolean };
