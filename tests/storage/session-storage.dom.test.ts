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

test('a remembered session is stored under the product’s names [S3.storage] [S4.login] [S9.session-kept]', () => {
  saveSession(session, true);
  expect(Object.fromEntries(Object.entries(localStorage))).toEqual({
    id_token: session.token,
    userid: 'u1',
    emailid: session.email,
  });
  expect(token()).toBe(session.token);
  expect(getStoredCustomer()).toEqual({ userId: 'u1', pii: { email: session.email } });
});

test('a session that is not remembered is stored in the tab only', () => {
  saveSession(session, false);
  expect(localStorage).toHaveLength(0);
  expect(token()).toBe(session.token);
});

test.each([
  ['the browser', true],
  ['the tab', false],
])('a new session stored in %s replaces the previous one without a gap', (_, remember) => {
  for (const rememberedBefore of [true, false]) {
    saveSession(session, rememberedBefore);
    const tokens: (string | null)[] = [];
    const spies = (['setItem', 'removeItem'] as const).map((name) => {
      const original = Storage.prototype[name];
      return vi.spyOn(Storage.prototype, name).mockImplementation(function (this: Storage, ...item: [string, string?]) {
        Reflect.apply(original, this, item);
        tokens.push(token());
      });
    });
    saveSession({ ...session, token: 'another-token' }, remember);
    for (const spy of spies) spy.mockRestore();
    expect(tokens.length).toBeGreaterThan(3);
    expect(tokens).not.toContain(null);
    expect([token(), ...[localStorage, sessionStorage].map(({ length }) => length)]).toEqual([
      'another-token',
      ...(remember ? [3, 0] : [0, 3]),
    ]);
  }
});

test('clearing a session removes its secrets and the PDF reader’s data, and nothing else [S4.logout]', () => {
  saveSession(session, true);
  for (const name of ['secret', 'pdfjs.preferences', 'pdfjs.history', 'colophon.locale']) localStorage.setItem(name, '1');
  clearSession();
  expect(Object.fromEntries(Object.entries(localStorage))).toEqual({ 'colophon.locale': '1' });
  expect([token(), getStoredCustomer()]).toEqual([null, null]);
});

/** Every key of the shop's storage, followed by the customer's id where the key takes one. */
const listKeys = (userId: string): string[] => storageKeys.map((key) => (key.endsWith('.') ? key + userId : key));

const fillStorages = (userId: string): void => {
  for (const storage of [localStorage, sessionStorage]) for (const key of listKeys(userId)) storage.setItem(key, '1');
};

const listRemainingKeys = (): string[][] => [localStorage, sessionStorage].map((storage) => Object.keys(storage).toSorted());

test('signing out clears every key of the customer from both storages, and no other [S4.logout]', () => {
  fillStorages('u1');
  localStorage.setItem('theme', 'of another page');
  const keptKeys = listKeys('u1').filter((key) => ['browser', 'pending'].includes(getOwner(key) ?? ''));
  for (const key of ['colophon.look', 'colophon.playback', 'colophon.place.u1', 'colophon.code']) {
    expect(keptKeys).not.toContain(key);
  }
  clearSession();
  expect(listRemainingKeys()).toEqual([[...keptKeys, 'theme'].toSorted(), keptKeys.toSorted()]);
});

test('an expired session loses its keys, and leaves typed text', () => {
  fillStorages('u1');
  const sessionKeys = listKeys('u1').filter((key) => getOwner(key) === 'session');
  expect(sessionKeys).toContain('id_token');
  expireSession();
  expect(listRemainingKeys().map((keys) => keys.filter((key) => sessionKeys.includes(key)))).toEqual([[], []]);
  expect(listRemainingKeys()[0]).toContain('colophon.forms.u1');
});

test('deleting an account removes its pending payments, and leaves those of others', () => {
  fillStorages('u1');
  const otherCustomerKeys = listKeys('u2').filter((key) => getOwner(key) === 'pending');
  for (const key of otherCustomerKeys) localStorage.setItem(key, '1');
  saveSession(session, true);
  clearAccount();
  const browserKeys = listKeys('u1').filter((key) => getOwner(key) === 'browser');
  expect(listRemainingKeys()).toEqual([[...browserKeys, ...otherCustomerKeys].toSorted(), browserKeys.toSorted()]);
});

test('signing in keeps a visitor’s reading settings', () => {
  localStorage.setItem('colophon.look', '1');
  saveSession(session, true);
  expect(localStorage.getItem('colophon.look')).toBe('1');
});

test('a key missing from the list is refused by the compiler', () => {
  // @ts-expect-error The key has no owner.
  safeLocalStorage.setItem('colophon.unlisted', '1');
  expect(getOwner('colophon.unlisted')).toBeNull();
});

test('only the storage module and the script in the head access the browser’s storage', () => {
  const sources = import.meta.glob<string>('../../src/**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });
  const accessingFiles = Object.entries(sources).filter(([, text]) => /\b(local|session)Storage\b/.test(text));
  // The script in the head reads a session before any other module is loaded.
  expect(accessingFiles.map(([file]) => file)).toEqual(['../../src/ssr/early/head.ts', '../../src/storage/storage.ts']);
});

test('a token without a session belongs to an unknown customer, until the server names the customer', () => {
  localStorage.setItem('id_token', session.token);
  expect(getStoredCustomer()).toEqual({ userId: 'unknown', pii: { email: '' } });
  saveCustomer({ userId: 'u1', pii: { email: session.email } });
  expect(getStoredCustomer()).toEqual({ userId: 'u1', pii: { email: session.email } });
  expect(sessionStorage).toHaveLength(0);
});

test('items of a customer without an id are stored by e-mail address, and move to the id once it is known', () => {
  saveSession({ ...session, userId: 'unknown' }, true);
  const customerKey = getCustomerKey();
  expect(customerKey).toBe(session.email);
  const keys = [`colophon.pending.${customerKey}`, `colophon.place.${customerKey}`] as const;
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

test('no customer is stored without a token', () => {
  saveCustomer({ userId: 'u1', pii: { email: session.email } });
  expect(localStorage).toHaveLength(0);
});

test('a session that the browser refuses to remove is ignored until the next sign-in', () => {
  saveSession(session, true);
  const removeSpy = vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(() => {
    throw new DOMException('The storage cannot be written.', 'QuotaExceededError');
  });
  clearSession();
  expect([token(), getStoredCustomer()]).toEqual([null, null]);
  saveSession({ ...session, token: 'token-of-another' }, false);
  expect(token()).toBe('token-of-another');
  removeSpy.mockRestore();
});
