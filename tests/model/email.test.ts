import { expect, test } from 'vitest';
import { readForm, SignInForm } from '../../machines/model/session.ts';

const problemOf = (email: string) => {
  const read = readForm(SignInForm, { email, password: 'harbour light', remember: true });
  return 'fields' in read ? read.fields['email'] : null;
};

test.each([
  'reader@example.com',
  'a.reader+books@shop.example.co.uk',
  '"a reader"@example.com',
  '"quoted\\"mark"@example.com',
  'reader@[192.0.2.1]',
  'reader@[IPv6:2001:db8::1]',
  ' reader@example.com ',
])('%j is an e-mail address [S5.email]', (email) => expect(problemOf(email)).toBeNull());

test.each([
  'reader',
  '@example.com',
  'reader@',
  'reader@example',
  'a reader@example.com',
  '.reader@example.com',
  'reader@-example.com',
  'reader@[nowhere]',
  'reader@example.com, other@example.com',
])('%j is none', (email) => expect(problemOf(email)).toBe('email'));
