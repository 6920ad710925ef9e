import type { SignInForm } from '../../../machines/model/session.ts';
import { requestPort } from '../../../machines/ports.ts';
import type { SignedIn } from '../../../machines/app/session.ts';
import { signInMachine } from '../../../machines/account/sign-in.ts';
import { signIn } from '../../client/account.ts';
import { api } from '../../client/open-client.ts';
import { startSession, thisDevice, requireForm } from '../../client/start-session.ts';
import { signInProviders } from '../../shell/sign-in-providers.ts';

export const flow = signInMachine.provide({
  actors: {
    providers: signInProviders,
    signIn: requestPort<SignedIn, { pii: { form: SignInForm | null } }>(async ({ input, signal }) => {
      const form = requireForm(input.pii.form);
      const session = await signIn(await api(), form, thisDevice());
      // Who has gone elsewhere in the meantime stays a visitor.
      signal.throwIfAborted();
      return startSession(session, form.remember);
    }),
  },
});
