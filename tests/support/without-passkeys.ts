import { passkeySignInMachine } from '../../machines/account/passkey-sign-in.ts';
import { safePort } from '../../machines/ports.ts';

/** Sign-in for a browser without passkey support, such as jsdom. */
export const withoutPasskeys = passkeySignInMachine.provide({
  actors: {
    canUsePasskeys: safePort<boolean>(
      async () => false,
      () => false,
    ),
  },
});
