import { afterEach, expect, test, vi } from 'vitest';
import {
  clearAccount,
  clearSession,
  expireSession,
  customersKey,
  keepSession,
  storedCustomer,
  token,
} from '../../src/storage/session-storage.ts';
import { nameCustomer } from '../../src/storage/name-customer.ts';
import { listedKeys, ownerOf } from '../../src/storage/storage-keys.ts';
import { safeLocalStorage } from '../../src/storage/storage.ts';

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

test.each([
  ['the browser', true],
  ['the tab', false],
])('a new session kept by %s replaces the one before without a moment of none', (_, remember) => {
  for (const before of [true, false]) {
    keepSession(session, before);
    const seen: (string | null)[] = [];
    const spies = (['setItem', 'removeItem'] as const).map((name) => {
      const real = Storage.prototype[name];
      return vi.spyOn(Storage.prototype, name).mockImplementation(function (this: Storage, ...item: [string, string?]) {
        Reflect.apply(real, this, item);
        seen.push(token());
      });
    });
    keepSession({ ...session, token: 'another-token' }, remember);
    for (const spy of spies) spy.mockRestore();
    expect(seen.length).toBeGreaterThan(3);
    expect(seen).not.toContain(null);
    expect([token(), ...[localStorage, sessionStorage].map(({ length }) => length)]).toEqual([
      'another-token',
      ...(remember ? [3, 0] : [0, 3]),
    ]);
  }
});

test('clearing takes the secret and what the PDF reader remembers along, and nothing else [S4.logout]', () => {
  keepSession(session, true);
  for (const name of ['secret', 'pdfjs.preferences', 'pdfjs.history', 'colophon.locale']) localStorage.setItem(name, '1');
  clearSession();
  expect(Object.fromEntries(Object.entries(localStorage))).toEqual({ 'colophon.locale': '1' });
  expect([token(), storedCustomer()]).toEqual([null, null]);
});

/** Every key that the shop stores under, with an id where it takes one. */
const allKeys = (userId: string): string[] => listedKeys.map((key) => (key.endsWith('.') ? key + userId : key));

const fillStorages = (userId: string): void => {
  for (const storage of [localStorage, sessionStorage]) for (const key of allKeys(userId)) storage.setItem(key, '1');
};

const left = (): string[][] => [localStorage, sessionStorage].map((storage) => Object.keys(storage).toSorted());

test('signing out clears every key of the customer from both storages, and no other [S4.logout]', () => {
  fillStorages('u1');
  localStorage.setItem('theme', 'of another page');
  const stays = allKeys('u1').filter((key) => ['browser', 'pending'].includes(ownerOf(key) ?? ''));
  for (const key of ['colophon.look', 'colophon.playback', 'colophon.place.u1', 'colophon.code']) {
    expect(stays).not.toContain(key);
  }
  clearSession();
  expect(left()).toEqual([[...stays, 'theme'].toSorted(), stays.toSorted()]);
});

test('a session that has run out leaves what the customer typed, for when the customer signs in again', () => {
  fillStorages('u1');
  const ends = allKeys('u1').filter((key) => ownerOf(key) === 'session');
  expect(ends).toContain('id_token');
  expireSession();
  expect(left().map((keys) => keys.filter((key) => ends.includes(key)))).toEqual([[], []]);
  expect(left()[0]).toContain('colophon.forms.u1');
});

test('an account that is deleted takes its payments along, and leaves those of others', () => {
  fillStorages('u1');
  const others = allKeys('u2').filter((key) => ownerOf(key) === 'pending');
  for (const key of others) localStorage.setItem(key, '1');
  keepSession(session, true);
  clearAccount();
  const browsers = allKeys('u1').filter((key) => ownerOf(key) === 'browser');
  expect(left()).toEqual([[...browsers, ...others].toSorted(), browsers.toSorted()]);
});

test('signing in leaves what a visitor has chosen for reading', () => {
  localStorage.setItem('colophon.look', '1');
  keepSession(session, true);
  expect(localStorage.getItem('colophon.look')).toBe('1');
});

test('a key that the list does not have is refused by the compiler', () => {
  // @ts-expect-error It has no owner.
  safeLocalStorage.setItem('colophon.unlisted', '1');
  expect(ownerOf('colophon.unlisted')).toBeNull();
});

test('no other file of the browser’s program reaches its storage', () => {
  const sources = import.meta.glob<string>('../../src/**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });
  const reaching = Object.entries(sources).filter(([, text]) => /\b(local|session)Storage\b/.test(text));
  // The script in the head asks for a session before any other module is there.
  expect(reaching.map(([file]) => file)).toEqual(['../../src/painting/early/head.ts', '../../src/storage/storage.ts']);
});

test('a token without a session is an unknown customer’s, until the server says whose', () => {
  localStorage.setItem('id_token', session.token);
  expect(storedCustomer()).toEqual({ userId: 'unknown', pii: { email: '' } });
  nameCustomer({ userId: 'u1', pii: { email: session.email } });
  expect(storedCustomer()).toEqual({ userId: 'u1', pii: { email: session.email } });
  expect(sessionStorage).toHaveLength(0);
});

test('items of a customer without an id are kept by e-mail address, and move to the id that comes', () => {
  keepSession({ ...session, userId: 'unknown' }, true);
  const end = customersKey();
  expect(end).toBe(session.email);
  const keys = [`colophon.pending.${end}`, `colophon.place.${end}`] as const;
  for (const key of [...keys, 'colophon.pending.another@example.com']) localStorage.setItem(key, '1');
  nameCustomer({ userId: 'u1', pii: { email: session.email } });
  expect(customersKey()).toBe('u1');
  expect(keys.map((key) => localStorage.getItem(key))).toEqual([null, null]);
  expect(localStorage.getItem('colophon.pending.u1')).toBe('1');
  expect(localStorage.getItem('colophon.place.u1')).toBe('1');
  expect(localStorage.getItem('colophon.pending.another@example.com')).toBe('1');
  nameCustomer({ userId: 'u2', pii: { email: session.email } });
  expect(localStorage.getItem('colophon.pending.u1')).toBe('1');
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
