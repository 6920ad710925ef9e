import { passkeySignInMachine } from '../../machines/account/passkey-sign-in.ts';
import { safePort } from '../../machines/ports.ts';

/** Signing in in a browser that knows no passkeys, as that of these tests does not. */
export const withoutPasskeys = passkeySignInMachine.provide({
  actors: {
    canUsePasskeys: safePort<boolean>(
      async () => false,
      () => false,
    ),
  },
});
