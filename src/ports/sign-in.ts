import type { SignInForm } from '../../machines/model/session.ts';
import { requestPort } from '../../machines/ports.ts';
import type { SignedIn } from '../../machines/session.ts';
import { signInMachine } from '../../machines/sign-in.ts';
import { signIn } from '../api/account.ts';
import { api } from './api.ts';
import { begin, device, submitted } from './issued-session.ts';

export const flow = signInMachine.provide({
  actors: {
    signIn: requestPort<SignedIn, { pii: { form: SignInForm | null } }>(async ({ input }) => {
      const form = submitted(input.pii.form);
      return begin(await signIn(await api(), form, device()), form.remember);
    }),
  },
});
