import { expect, test } from 'vitest';
import { forgotPasswordMachine } from '../../../machines/account/forgot-password.ts';
import { signInMachine } from '../../../machines/account/sign-in.ts';
import { signUpMachine } from '../../../machines/account/sign-up.ts';
import { flowInput } from '../../../machines/path-models/path-model.ts';
import { after, contextOf, isSend } from '../../support/steps.ts';

const typed = { pii: { email: 'reader@example.com' } };

test.each([signInMachine, signUpMachine, forgotPasswordMachine])('$id begins with what was typed before', (machine) => {
  expect(contextOf(after(machine, flowInput({}, { typed })))).toMatchObject({ typed, pii: { form: null } });
  expect(contextOf(after(machine, flowInput()))).not.toHaveProperty('typed');
});

test.each([
  [signInMachine, '/signin'],
  [signUpMachine, '/signup'],
])('who is asked something after $id goes on to what they wanted', (machine, path) => {
  const input = flowInput({ query: { return: '/mylibrary', action: 'get' } });
  const came = { type: 'session.started', userId: 'u1', pii: { email: 'reader@example.com' }, asks: true };
  const sent = after(machine, input, came).effects.filter(isSend);
  const way = new URLSearchParams({ return: '/mylibrary', action: 'get', questions: '1' });
  expect(sent[0]?.event).toEqual({ type: 'go', to: `${path}?${way}`, replace: true });
});
