import { expect, test } from 'vitest';
import { isEmail } from '../../machines/model/account/email.ts';
import { readForm, SignInForm } from '../../machines/model/account/session.ts';
import { emails, invalidEmails, longestEmail } from './emails.ts';

const findEmailProblem = (email: string) => {
  const result = readForm(SignInForm, { email, password: 'harbour light', remember: true });
  return 'fields' in result ? result.fields['email'] : null;
};

test.each([...emails, ' reader@example.com '])('%j is an e-mail address [S5.email]', (email) =>
  expect(findEmailProblem(email)).toBeNull(),
);

test.each(invalidEmails)('%j is not an e-mail address', (email) => expect(findEmailProblem(email)).toBe('email'));

test('an e-mail address has at most 254 characters', () => {
  expect(longestEmail).toHaveLength(254);
  expect(findEmailProblem(longestEmail)).toBeNull();
  expect(findEmailProblem(`a${longestEmail}`)).toBe('tooLong');
  expect(isEmail(`a${longestEmail}`)).toBe(false);
});

test('a hostile e-mail address is checked in bounded time', () => {
  const startTime = performance.now();
  for (const text of ['a.'.repeat(50_000), `"${'\\'.repeat(200)}@x`, `a@${'a-'.repeat(120)}`, `a@[IPv6:${':'.repeat(50_000)}]`])
    expect(isEmail(text)).toBe(false);
  expect(performance.now() - startTime).toBeLessThan(500);
});
