import { expect, test } from 'vitest';
import { refusalTexts } from '../../src/views/lazy/refusal-text.tsx';
import { describeReason } from '../../tools/replay/reasons.ts';

test('every refusal that the shop explains to customers is explained to support, too', () => {
  const unexplainedCodes = Object.keys(refusalTexts).filter((code) =>
    describeReason({ kind: 'refused', code, message: '' }, { machine: 'title' }).includes(`(${code})`),
  );
  expect(unexplainedCodes).toEqual([]);
});

test('a failed sign-in is explained as a wrong password, not as an ended session', () => {
  expect(describeReason({ kind: 'unauthorized' }, { machine: 'signIn' })).toBe('the e-mail address or the password is wrong');
  expect(describeReason({ kind: 'unauthorized' }, { machine: 'library' })).toMatch(/^the session had ended/);
});

test('an unknown code is shown with the server’s own sentence', () => {
  expect(describeReason({ kind: 'refused', code: 'odd', message: 'Not on a Sunday.' }, { machine: 'title' })).toBe(
    'the server refused: “Not on a Sunday.” (odd)',
  );
});

test('a missing item is named after the requested data, and a failed call after its purpose', () => {
  const notFoundProblem = { kind: 'refused', code: 'not_found', message: '' } as const;
  expect(describeReason(notFoundProblem, { machine: 'redeem' })).toBe('the shop does not know this code');
  expect(describeReason(notFoundProblem, { machine: 'title' })).toBe('the shop has no such title');
  expect(describeReason({ kind: 'offline' }, { machine: 'book' })).toMatch(/ while the book was read$/);
  expect(
    describeReason({ kind: 'offline' }, { machine: 'redeem', call: 'redeem', requestedData: 'the redeemed content' }),
  ).toMatch(/ when the code was to be used$/);
});
