import * as v from 'valibot';
import { afterEach, expect, test, vi } from 'vitest';
import { writeItem, readItem } from '../../src/storage/storage.ts';

const failStorage = (method: 'setItem' | 'removeItem') =>
  vi.spyOn(Storage.prototype, method).mockImplementation(() => {
    throw new DOMException('The storage cannot be written.', 'QuotaExceededError');
  });
const readCookieChoice = () => readItem('colophon.cookies', v.boolean(), false);

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

test('a full storage loses the new and the older value, and throws nothing', () => {
  writeItem('colophon.cookies', true);
  failStorage('setItem');
  expect(() => writeItem('colophon.cookies', true)).not.toThrow();
  expect(readCookieChoice()).toBe(false);
});

test('a storage that refuses to write and to remove throws: the older value would return at the next visit', () => {
  writeItem('colophon.cookies', true);
  failStorage('setItem');
  failStorage('removeItem');
  expect(() => writeItem('colophon.cookies', false)).toThrow('cannot be written');
});
