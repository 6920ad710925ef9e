import { afterEach, expect, test, vi } from 'vitest';
import { clearSession, keepSession, nameCustomer, storedCustomer, token } from '../../src/storage/session-storage.ts';

const session = { token: 'token-0123456789', userId: 'u1', email: 'reader@example.com' };

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test('a session is kept under the product’s names until it is cleared [S3.storage] [S4.login] [S9.session-kept]', () => {
  keepSession(session, true);
  expect(Object.fromEntries(Object.entries(localStorage))).toEqual({
    id_token: session.token,
    userid: 'u1',
    emailid: session.email,
  });
  expect(token()).toBe(session.token);
  expect(storedCustomer()).toEqual({ userId: 'u1', pii: { email: session.email } });
});

test('a session that is not to be remembered is kept by the tab alone', () => {
  keepSession(session, false);
  expect(localStorage).toHaveLength(0);
  expect(token()).toBe(session.token);
});

test('clearing takes the secret and what the PDF reader remembers along, and nothing else [S4.logout]', () => {
  keepSession(session, true);
  for (const name of ['secret', 'pdfjs.preferences', 'pdfjs.history', 'colophon.locale']) localStorage.setItem(name, '1');
  clearSession();
  expect(Object.fromEntries(Object.entries(localStorage))).toEqual({ 'colophon.locale': '1' });
  expect([token(), storedCustomer()]).toEqual([null, null]);
});

test('a token without a session stands for somebody unknown, until it is known who [S4.login-placeholder]', () => {
  localStorage.setItem('id_token', session.token);
  expect(storedCustomer()).toEqual({ userId: 'unknown', pii: { email: '' } });
  nameCustomer({ userId: 'u1', pii: { email: session.email } });
  expect(storedCustomer()).toEqual({ userId: 'u1', pii: { email: session.email } });
  expect(sessionStorage).toHaveLength(0);
});

test('nobody is named where nobody is signed in', () => {
  nameCustomer({ userId: 'u1', pii: { email: session.email } });
  expect(localStorage).toHaveLength(0);
});

test('what the browser refuses to remove is not used any more, until somebody signs in', () => {
  keepSession(session, true);
  const refused = vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(() => {
    throw new DOMException('The storage cannot be written.', 'QuotaExceededError');
  });
  clearSession();
  expect([token(), storedCustomer()]).toEqual([null, null]);
  keepSession({ ...session, token: 'token-of-another' }, false);
  expect(token()).toBe('token-of-another');
  refused.mockRestore();
});
