import { expect, test } from 'vitest';
import { sessionMachine } from '../../../machines/app/session.ts';
import { stepThrough, getContext, doneEvent, isSendEffect } from '../../support/steps.ts';

const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };
const otherCustomer = { userId: 'u2', pii: { email: 'other@example.com' } };
const sessionRestored = doneEvent('restoreSession', customer);

test('a sign-in after the server has ended a session shows no notice of that end', () => {
  const step = stepThrough(
    sessionMachine,
    undefined,
    sessionRestored,
    { type: 'session.refused' },
    { type: 'session.started', ...customer },
  );
  expect(step.effects.filter(isSendEffect).map(({ event }) => event)).toEqual([
    { type: 'session.changed', userId: 'u1', ended: false },
  ]);
});

test('another customer who signs in in another tab replaces this one', () => {
  const step = stepThrough(sessionMachine, undefined, sessionRestored, { type: 'session.startedElsewhere', ...otherCustomer });
  expect(getContext(step)).toEqual({ ...otherCustomer, ended: false });
});

test('a customer who changes their e-mail address has the new one at once', () => {
  const pii = { email: 'new@example.com' };
  const step = stepThrough(sessionMachine, undefined, sessionRestored, { type: 'session.started', userId: 'u1', pii });
  expect(getContext(step)).toEqual({ userId: 'u1', pii, ended: false });
});
