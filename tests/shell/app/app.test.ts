import { expect, test } from 'vitest';
import { isSignedIn } from '../../../machines/app/app.ts';

test('nobody is signed in before the stored session is known', () => {
  expect([null, { userId: null }, { userId: 'u1' }].map(isSignedIn)).toEqual([false, false, true]);
});
