import { expect, test } from 'vitest';
import { sessionMachine } from '../../../machines/app/session.ts';
import { after, contextOf, done, isSend } from '../../support/steps.ts';

const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };
const other = { userId: 'u2', pii: { email: 'other@example.com' } };
const restored = done('restoreSession', customer);

test('who signs in after the server has ended a session is told of no end', () => {
  const step = after(sessionMachine, undefined, restored, { type: 'session.refused' }, { type: 'session.started', ...customer });
  expect(step.effects.filter(isSend).map(({ event }) => event)).toEqual([
    { type: 'session.changed', userId: 'u1', ended: false },
  ]);
});

test('another customer in another tab takes the place of this one', () => {
  const step = after(sessionMachine, undefined, restored, { type: 'session.startedElsewhere', ...other });
  expect(contextOf(step)).toEqual({ ...other, ended: false });
});

test('a customer who has given another address is known by it at once', () => {
  const pii = { email: 'new@example.com' };
  const step = after(sessionMachine, undefined, restored, { type: 'session.started', userId: 'u1', pii });
  expect(contextOf(step)).toEqual({ userId: 'u1', pii, ended: false });
});
