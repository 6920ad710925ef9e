import { afterEach, expect, test, vi } from 'vitest';
import {
  clearAccount,
  clearSession,
  expireSession,
  getCustomerKey,
  saveSession,
  getStoredCustomer,
  token,
} from '../../src/storage/session-storage.ts';
import { saveCustomer } from '../../src/storage/name-customer.ts';
import { storageKeys, getOwner } from '../../src/storage/storage-keys.ts';
import { safeLocalStorage } from '../../src/storage/storage.ts';

const session = { token: 'token-0123456789', userId: 'u1', email: 'reader@example.com' };

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test('a session is kept under the product’s names until it is cleared [S3.storage] [S4.login] [S9.session-kept]', () => {
  saveSession(session, true);
  expect(Object.fromEntries(Object.entries(localStorage))).toEqual({
    id_token: session.token,
    userid: 'u1',
    emailid: session.email,
  });
  expect(token()).toBe(session.token);
  expect(getStoredCustomer()).toEqual({ userId: 'u1', pii: { email: session.email } });
});

test('a session that is not remembered is kept in the tab’s storage only', () => {
  saveSession(session, false);
  expect(localStorage).toHaveLength(0);
  expect(token()).toBe(session.token);
});

test.each([
  ['the browser', true],
  ['the tab', false],
])('a new session kept by %s replaces the previous one without a gap', (_, remember) => {
  for (const before of [true, false]) {
    saveSession(session, before);
    const seen: (string | null)[] = [];
    const spies = (['setItem', 'removeItem'] as const).map((name) => {
      const real = Storage.prototype[name];
      return vi.spyOn(Storage.prototype, name).mockImplementation(function (this: Storage, ...item: [string, string?]) {
        Reflect.apply(real, this, item);
        seen.push(token());
      });
    });
    saveSession({ ...session, token: 'another-token' }, remember);
    for (const spy of spies) spy.mockRestore();
    expect(seen.length).toBeGreaterThan(3);
    expect(seen).not.toContain(null);
    expect([token(), ...[localStorage, sessionStorage].map(({ length }) => length)]).toEqual([
      'another-token',
      ...(remember ? [3, 0] : [0, 3]),
    ]);
  }
});

test('clearing removes the secret and the PDF reader’s data, and nothing else [S4.logout]', () => {
  saveSession(session, true);
  for (const name of ['secret', 'pdfjs.preferences', 'pdfjs.history', 'colophon.locale']) localStorage.setItem(name, '1');
  clearSession();
  expect(Object.fromEntries(Object.entries(localStorage))).toEqual({ 'colophon.locale': '1' });
  expect([token(), getStoredCustomer()]).toEqual([null, null]);
});

/** Every key that the shop stores under, with an id where it takes one. */
const listKeys = (userId: string): string[] => storageKeys.map((key) => (key.endsWith('.') ? key + userId : key));

const fillStorages = (userId: string): void => {
  for (const storage of [localStorage, sessionStorage]) for (const key of listKeys(userId)) storage.setItem(key, '1');
};

const remainingKeys = (): string[][] => [localStorage, sessionStorage].map((storage) => Object.keys(storage).toSorted());

test('signing out clears every key of the customer from both storages, and no other [S4.logout]', () => {
  fillStorages('u1');
  localStorage.setItem('theme', 'of another page');
  const stays = listKeys('u1').filter((key) => ['browser', 'pending'].includes(getOwner(key) ?? ''));
  for (const key of ['colophon.look', 'colophon.playback', 'colophon.place.u1', 'colophon.code']) {
    expect(stays).not.toContain(key);
  }
  clearSession();
  expect(remainingKeys()).toEqual([[...stays, 'theme'].toSorted(), stays.toSorted()]);
});

test('an expired session leaves typed text, for when the customer signs in again', () => {
  fillStorages('u1');
  const ends = listKeys('u1').filter((key) => getOwner(key) === 'session');
  expect(ends).toContain('id_token');
  expireSession();
  expect(remainingKeys().map((keys) => keys.filter((key) => ends.includes(key)))).toEqual([[], []]);
  expect(remainingKeys()[0]).toContain('colophon.forms.u1');
});

test('deleting an account removes its payments, and leaves those of others', () => {
  fillStorages('u1');
  const others = listKeys('u2').filter((key) => getOwner(key) === 'pending');
  for (const key of others) localStorage.setItem(key, '1');
  saveSession(session, true);
  clearAccount();
  const browsers = listKeys('u1').filter((key) => getOwner(key) === 'browser');
  expect(remainingKeys()).toEqual([[...browsers, ...others].toSorted(), browsers.toSorted()]);
});

test('signing in keeps a visitor’s reading settings', () => {
  localStorage.setItem('colophon.look', '1');
  saveSession(session, true);
  expect(localStorage.getItem('colophon.look')).toBe('1');
});

test('a key missing from the list is refused by the compiler', () => {
  // @ts-expect-error It has no owner.
  safeLocalStorage.setItem('colophon.unlisted', '1');
  expect(getOwner('colophon.unlisted')).toBeNull();
});

test('no other file of the browser’s program accesses its storage', () => {
  const sources = import.meta.glob<string>('../../src/**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });
  const reaching = Object.entries(sources).filter(([, text]) => /\b(local|session)Storage\b/.test(text));
  // The script in the head reads a session before any other module is loaded.
  expect(reaching.map(([file]) => file)).toEqual(['../../src/ssr/early/head.ts', '../../src/storage/storage.ts']);
});

test('a token without a session belongs to an unknown customer, until the server says which', () => {
  localStorage.setItem('id_token', session.token);
  expect(getStoredCustomer()).toEqual({ userId: 'unknown', pii: { email: '' } });
  saveCustomer({ userId: 'u1', pii: { email: session.email } });
  expect(getStoredCustomer()).toEqual({ userId: 'u1', pii: { email: session.email } });
  expect(sessionStorage).toHaveLength(0);
});

test('items of a customer without an id are kept by e-mail address, and move to the id once it is known', () => {
  saveSession({ ...session, userId: 'unknown' }, true);
  const end = getCustomerKey();
  expect(end).toBe(session.email);
  const keys = [`colophon.pending.${end}`, `colophon.place.${end}`] as const;
  for (const key of [...keys, 'colophon.pending.another@example.com']) localStorage.setItem(key, '1');
  saveCustomer({ userId: 'u1', pii: { email: session.email } });
  expect(getCustomerKey()).toBe('u1');
  expect(keys.map((key) => localStorage.getItem(key))).toEqual([null, null]);
  expect(localStorage.getItem('colophon.pending.u1')).toBe('1');
  expect(localStorage.getItem('colophon.place.u1')).toBe('1');
  expect(localStorage.getItem('colophon.pending.another@example.com')).toBe('1');
  saveCustomer({ userId: 'u2', pii: { email: session.email } });
  expect(localStorage.getItem('colophon.pending.u1')).toBe('1');
});

test('there is no customer id without a sign-in', () => {
  saveCustomer({ userId: 'u1', pii: { email: session.email } });
  expect(localStorage).toHaveLength(0);
});

test('items that the browser refuses to remove are ignored, until the next sign-in', () => {
  saveSession(session, true);
  const refused = vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(() => {
    throw new DOMException('The storage cannot be written.', 'QuotaExceededError');
  });
  clearSession();
  expect([token(), getStoredCustomer()]).toEqual([null, null]);
  saveSession({ ...session, token: 'token-of-another' }, false);
  expect(token()).toBe('token-of-another');
  refused.mockRestore();
});
