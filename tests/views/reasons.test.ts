import { expect, test } from 'vitest';
import { refusalTexts } from '../../src/views/late/refusal-text.tsx';
import { reasonText } from '../../tools/replay/reasons.ts';

test('every refusal that the shop has words for, support reads in words too', () => {
  const silent = Object.keys(refusalTexts).filter((code) =>
    reasonText({ kind: 'refused', code, message: '' }, { machine: 'title' }).includes(`(${code})`),
  );
  expect(silent).toEqual([]);
});

test('a wrong password is not an ended session', () => {
  expect(reasonText({ kind: 'unauthorized' }, { machine: 'signIn' })).toBe('the e-mail address or the password is wrong');
  expect(reasonText({ kind: 'unauthorized' }, { machine: 'library' })).toMatch(/^the session had ended/);
});

test('a code that nobody knows is told with the server’s own sentence', () => {
  expect(reasonText({ kind: 'refused', code: 'odd', message: 'Not on a Sunday.' }, { machine: 'title' })).toBe(
    'the server refused: “Not on a Sunday.” (odd)',
  );
});

test('what is not there is named as what was asked for, and what was not fetched as what it was for', () => {
  const notThere = { kind: 'refused', code: 'not_found', message: '' } as const;
  expect(reasonText(notThere, { machine: 'redeem' })).toBe('the shop does not know this code');
  expect(reasonText(notThere, { machine: 'title' })).toBe('the shop has no such title');
  expect(reasonText({ kind: 'offline' }, { machine: 'book' })).toMatch(/ while the book was read$/);
  expect(reasonText({ kind: 'offline' }, { machine: 'redeem', call: 'redeem', asked: 'what the code gave' })).toMatch(
    / when the code was to be used$/,
  );
});
