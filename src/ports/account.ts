import { requestPort } from '../../machines/ports.ts';
import type { SignInForm, SignUpForm } from '../../machines/model/session.ts';
import type { SignedIn } from '../../machines/session.ts';
import { signInMachine } from '../../machines/sign-in.ts';
import { signUpMachine } from '../../machines/sign-up.ts';
import type { Device, IssuedSession } from '../api/account.ts';
import { api } from './api.ts';
import { keepSession } from './session-storage.ts';
import { kept } from './storage.ts';

/** This browser in the customer's list of devices, by a random id that it keeps. */
const device = (): Device => {
  const id = kept.getItem('colophon.device') ?? crypto.randomUUID();
  kept.setItem('colophon.device', id);
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(navigator.userAgent)?.[1] ?? 'Browser';
  const system = /(Windows|Android|iPhone|iPad|Mac OS|Linux)/.exec(navigator.userAgent)?.[1] ?? 'unknown system';
  return { id, name: `${browser}, ${system}` };
};

const begin = ({ token, customer }: IssuedSession, remember: boolean): SignedIn => {
  keepSession({ token, ...customer }, remember);
  return { userId: customer.userId, pii: { email: customer.email } };
};

const given = <Form>(form: Form | null): Form => {
  if (form === null) throw new Error('no form was submitted');
  return form;
};

export const signIn = signInMachine.provide({
  actors: {
    signIn: requestPort<SignedIn, { pii: { form: SignInForm | null } }>(async ({ input }) => {
      const form = given(input.pii.form);
      const account = await import('../api/account.ts');
      return begin(await account.signIn(await api(), form, device()), form.remember);
    }),
  },
});

export const signUp = signUpMachine.provide({
  actors: {
    signUp: requestPort<SignedIn, { pii: { form: SignUpForm | null } }>(async ({ input }) => {
      const form = given(input.pii.form);
      const account = await import('../api/account.ts');
      return begin(await account.signUp(await api(), form, device()), true);
    }),
  },
});
