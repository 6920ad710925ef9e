import { expect, test } from 'vitest';
import { refusalTexts } from '../../src/views/lazy/refusal-text.tsx';
import { describeReason } from '../../tools/replay/reasons.ts';

test('every refusal that the shop explains is explained to support, too', () => {
  const silent = Object.keys(refusalTexts).filter((code) =>
    describeReason({ kind: 'refused', code, message: '' }, { machine: 'title' }).includes(`(${code})`),
  );
  expect(silent).toEqual([]);
});

test('a wrong password is not an ended session', () => {
  expect(describeReason({ kind: 'unauthorized' }, { machine: 'signIn' })).toBe('the e-mail address or the password is wrong');
  expect(describeReason({ kind: 'unauthorized' }, { machine: 'library' })).toMatch(/^the session had ended/);
});

test('an unknown code is shown with the server’s own sentence', () => {
  expect(describeReason({ kind: 'refused', code: 'odd', message: 'Not on a Sunday.' }, { machine: 'title' })).toBe(
    'the server refused: “Not on a Sunday.” (odd)',
  );
});

test('a missing thing is named by what was requested, and a failed call by its purpose', () => {
  const notThere = { kind: 'refused', code: 'not_found', message: '' } as const;
  expect(describeReason(notThere, { machine: 'redeem' })).toBe('the shop does not know this code');
  expect(describeReason(notThere, { machine: 'title' })).toBe('the shop has no such title');
  expect(describeReason({ kind: 'offline' }, { machine: 'book' })).toMatch(/ while the book was read$/);
  expect(describeReason({ kind: 'offline' }, { machine: 'redeem', call: 'redeem', requestedData: 'what the code gave' })).toMatch(
    / when the code was to be used$/,
  );
});
