import { expect, test } from 'vitest';
import { isEmail } from '../../machines/model/account/email.ts';
import { readForm, SignInForm } from '../../machines/model/account/session.ts';
import { emails, noEmails, tooLong } from './emails.ts';

const problemOf = (email: string) => {
  const read = readForm(SignInForm, { email, password: 'harbour light', remember: true });
  return 'fields' in read ? read.fields['email'] : null;
};

test.each([...emails, ' reader@example.com '])('%j is an e-mail address [S5.email]', (email) =>
  expect(problemOf(email)).toBeNull(),
);

test.each(noEmails)('%j is not an e-mail address', (email) => expect(problemOf(email)).toBe('email'));

test('the longest has 254 characters', () => {
  expect(tooLong).toHaveLength(254);
  expect(problemOf(tooLong)).toBeNull();
  expect(problemOf(`a${tooLong}`)).toBe('tooLong');
  expect(isEmail(`a${tooLong}`)).toBe(false);
});

test('a hostile address is checked without delay', () => {
  const began = performance.now();
  for (const text of ['a.'.repeat(50_000), `"${'\\'.repeat(200)}@x`, `a@${'a-'.repeat(120)}`, `a@[IPv6:${':'.repeat(50_000)}]`])
    expect(isEmail(text)).toBe(false);
  expect(performance.now() - began).toBeLessThan(500);
});
