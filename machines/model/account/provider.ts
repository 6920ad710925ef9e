import type { AfterSignIn } from './after-sign-in.ts';

/** By whom customers may sign in beside a password; its name is as it calls itself. */
export type Provider = { id: string; kind: 'oidc' | 'facebook' | 'phone'; name: string };

/** What is wanted when a provider's button is pressed: by whom to sign in, for how long, and where to go on. */
export type ProviderChoice = {
  providerId: string;
  /** Keeps the session longer than the tab. */
  remember: boolean;
  way: AfterSignIn;
};

/** A provider of the store, and whether it opens the account of whoever is signed in. */
export type OwnProvider = Provider & { isJoined: boolean };
