import type { SignInForm } from '../../../machines/model/session.ts';
import { requestPort } from '../../../machines/ports.ts';
import type { SignedIn } from '../../../machines/app/session.ts';
import { signInMachine } from '../../../machines/account/sign-in.ts';
import { signIn } from '../../client/account.ts';
import { api } from '../../client/open-client.ts';
import { begin, device, submitted } from '../../client/issued-session.ts';

export const flow = signInMachine.provide({
  actors: {
    signIn: requestPort<SignedIn, { pii: { form: SignInForm | null } }>(async ({ input, signal }) => {
      const form = submitted(input.pii.form);
      const session = await signIn(await api(), form, device());
      // Who has gone elsewhere in the meantime stays a visitor.
      signal.throwIfAborted();
      return begin(session, form.remember);
    }),
  },
});
