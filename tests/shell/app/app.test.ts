import { expect, test } from 'vitest';
import { isSignedIn } from '../../../machines/app/app.ts';

test('the customer is unknown until the stored session is read', () => {
  expect([null, { userId: null }, { userId: 'u1' }].map(isSignedIn)).toEqual([false, false, true]);
});
