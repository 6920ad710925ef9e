import { expect, test } from 'vitest';
import { toIsbn13 } from '../../machines/model/catalogue/isbn.ts';

test.each([
  ['0-306-40615-2', '9780306406157'],
  ['080442957x', '9780804429573'],
  ['978 0 306 40615 7', '9780306406157'],
  ['978‐0‐306–40615‐7', '9780306406157'],
  ['9791034732104', '9791034732104'],
])('the 13 digits of the ISBN %s are %s', (text, isbn) => expect(toIsbn13(text)).toBe(isbn));

test.each(['0306406153', '9780306406158', '9770306406157', '97803064061', 'X306406152', '', 'keeper'])(
  '%j is not an ISBN',
  (text) => expect(toIsbn13(text)).toBeNull(),
);
