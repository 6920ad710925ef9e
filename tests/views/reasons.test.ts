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
