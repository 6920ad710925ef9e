import { expect, test } from 'vitest';
import { forgotPasswordMachine } from '../../../machines/account/forgot-password.ts';
import { signInMachine } from '../../../machines/account/sign-in.ts';
import { signUpMachine } from '../../../machines/account/sign-up.ts';
import { createFlowInput } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, isSendEffect } from '../../support/steps.ts';

const typed = { pii: { email: 'reader@example.com' } };

test.each([signInMachine, signUpMachine, forgotPasswordMachine])('$id keeps the values typed before', (machine) => {
  expect(getContext(stepThrough(machine, createFlowInput({}, { typed })))).toMatchObject({ typed, pii: { form: null } });
  expect(getContext(stepThrough(machine, createFlowInput()))).not.toHaveProperty('typed');
});

test.each([
  [signInMachine, '/signin'],
  [signUpMachine, '/signup'],
])('a customer with questions to answer after $id continues to their destination', (machine, path) => {
  const input = createFlowInput({ query: { return: '/mylibrary', action: 'get' } });
  const came = { type: 'session.started', userId: 'u1', pii: { email: 'reader@example.com' }, asks: true };
  const sent = stepThrough(machine, input, came).effects.filter(isSendEffect);
  const way = new URLSearchParams({ return: '/mylibrary', action: 'get', questions: '1' });
  expect(sent[0]?.event).toEqual({ type: 'go', to: `${path}?${way}`, replace: true });
});
