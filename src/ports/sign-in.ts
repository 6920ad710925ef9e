import type { SignInForm } from '../../machines/model/session.ts';
import { requestPort } from '../../machines/ports.ts';
import type { SignedIn } from '../../machines/session.ts';
import { signInMachine } from '../../machines/sign-in.ts';
import { signIn } from '../api/account.ts';
import { api } from './api.ts';
import { begin, device, submitted } from './issued-session.ts';

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
