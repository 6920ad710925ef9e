import { expect, test } from 'vitest';
import { isEmail } from '../../machines/model/account/email.ts';
import { readForm, SignInForm } from '../../machines/model/account/session.ts';
import { emails, invalidEmails, tooLongEmail } from './emails.ts';

const emailProblem = (email: string) => {
  const read = readForm(SignInForm, { email, password: 'harbour light', remember: true });
  return 'fields' in read ? read.fields['email'] : null;
};

test.each([...emails, ' reader@example.com '])('%j is an e-mail address [S5.email]', (email) =>
  expect(emailProblem(email)).toBeNull(),
);

test.each(invalidEmails)('%j is not an e-mail address', (email) => expect(emailProblem(email)).toBe('email'));

test('the maximum length is 254 characters', () => {
  expect(tooLongEmail).toHaveLength(254);
  expect(emailProblem(tooLongEmail)).toBeNull();
  expect(emailProblem(`a${tooLongEmail}`)).toBe('tooLong');
  expect(isEmail(`a${tooLongEmail}`)).toBe(false);
});

test('a hostile address is checked in bounded time', () => {
  const began = performance.now();
  for (const text of ['a.'.repeat(50_000), `"${'\\'.repeat(200)}@x`, `a@${'a-'.repeat(120)}`, `a@[IPv6:${':'.repeat(50_000)}]`])
    expect(isEmail(text)).toBe(false);
  expect(performance.now() - began).toBeLessThan(500);
});
