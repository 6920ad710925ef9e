import type { SignUpForm } from '../../machines/model/session.ts';
import { requestPort } from '../../machines/ports.ts';
import type { SignedIn } from '../../machines/session.ts';
import { signUpMachine } from '../../machines/sign-up.ts';
import { signUp } from '../api/account.ts';
import { api } from './api.ts';
import { begin, device, submitted } from './issued-session.ts';

export const flow = signUpMachine.provide({
  actors: {
    signUp: requestPort<SignedIn, { pii: { form: SignUpForm | null } }>(async ({ input, signal }) => {
      const form = submitted(input.pii.form);
      const session = await signUp(await api(), form, device());
      // Who has gone elsewhere in the meantime stays a visitor.
      signal.throwIfAborted();
      return begin(session, true);
    }),
  },
});
