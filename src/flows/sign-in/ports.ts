import type { SignInForm } from '../../../machines/model/session.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import type { SignedIn } from '../../../machines/app/session.ts';
import { passkeySignInMachine } from '../../../machines/account/passkey-sign-in.ts';
import { signInMachine } from '../../../machines/account/sign-in.ts';
import { signIn } from '../../client/account.ts';
import { api } from '../../client/open-client.ts';
import { canUsePasskeys, signInByPasskey } from '../../client/passkeys.ts';
import { startSession, thisDevice, requireForm } from '../../client/start-session.ts';
import { signInProviders } from '../../shell/sign-in-providers.ts';

export const flow = signInMachine.provide({
  actors: {
    providers: signInProviders,
    passkey: passkeySignInMachine.provide({
      actors: {
        canUsePasskeys: safePort<boolean>(
          async () => canUsePasskeys(),
          () => false,
        ),
        signInByPasskey: requestPort<SignedIn, { remember: boolean }>(async ({ input, signal }) => {
          const session = await signInByPasskey(await api(), thisDevice(), signal);
          // Who has gone elsewhere in the meantime stays a visitor.
          signal.throwIfAborted();
          return startSession(session, input.remember);
        }),
      },
    }),
    signIn: requestPort<SignedIn, { pii: { form: SignInForm | null } }>(async ({ input, signal }) => {
      const form = requireForm(input.pii.form);
      const session = await signIn(await api(), form, thisDevice());
      // Who has gone elsewhere in the meantime stays a visitor.
      signal.throwIfAborted();
      return startSession(session, form.remember);
    }),
  },
});
