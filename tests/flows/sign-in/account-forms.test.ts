import { expect, test } from 'vitest';
import { forgotPasswordMachine } from '../../../machines/account/forgot-password.ts';
import { signInMachine } from '../../../machines/account/sign-in.ts';
import { signUpMachine } from '../../../machines/account/sign-up.ts';
import { createFlowInput } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, isSendEffect } from '../../support/steps.ts';

const typed = { pii: { email: 'reader@example.com' } };

test.each([signInMachine, signUpMachine, forgotPasswordMachine])('$id starts with the e-mail address typed before', (machine) => {
  expect(getContext(stepThrough(machine, createFlowInput({}, { typed })))).toMatchObject({ typed, pii: { form: null } });
  expect(getContext(stepThrough(machine, createFlowInput()))).not.toHaveProperty('typed');
});

test.each([
  [signInMachine, '/signin'],
  [signUpMachine, '/signup'],
])('a customer with questions to answer after $id continues to their destination', (machine, path) => {
  const input = createFlowInput({ query: { return: '/mylibrary', action: 'get' } });
  const sessionStarted = { type: 'session.started', userId: 'u1', pii: { email: 'reader@example.com' }, asks: true };
  const sentEffects = stepThrough(machine, input, sessionStarted).effects.filter(isSendEffect);
  const returnQuery = new URLSearchParams({ return: '/mylibrary', action: 'get', questions: '1' });
  expect(sentEffects[0]?.event).toEqual({ type: 'go', to: `${path}?${returnQuery}`, replace: true });
});
