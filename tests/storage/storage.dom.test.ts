import * as v from 'valibot';
import { afterEach, expect, test, vi } from 'vitest';
import { store, stored } from '../../src/storage/storage.ts';

const refuse = (method: 'setItem' | 'removeItem') =>
  vi.spyOn(Storage.prototype, method).mockImplementation(() => {
    throw new DOMException('The storage cannot be written.', 'QuotaExceededError');
  });
const kept = () => stored('colophon.cookies', v.boolean(), false);

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

test('a full storage loses the new value and the older one, and does not fail', () => {
  store('colophon.cookies', true);
  refuse('setItem');
  expect(() => store('colophon.cookies', true)).not.toThrow();
  expect(kept()).toBe(false);
});

test('a storage that refuses to write and to remove fails: the older value is there at the next visit', () => {
  store('colophon.cookies', true);
  refuse('setItem');
  refuse('removeItem');
  expect(() => store('colophon.cookies', false)).toThrow('cannot be written');
});
