import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openForm } from '../../src/storage/stored-forms.ts';
import { clearSession, saveSession } from '../../src/storage/session-storage.ts';

const signIn = (userId: string) => saveSession({ token: 'token', userId, email: `${userId}@example.com` }, true);
const key = { titleId: '1016', contextKey: 'pdf', document: 'a' };

beforeEach(() => signIn('u1'));
afterEach(() => localStorage.clear());

test('a form is stored for its customer, title and document', () => {
  openForm(key).save({ '10R': 'Ines', '12R': true, '13R': ['a', 'b'], '14R': null });
  openForm({ ...key, titleId: '1017' }).save({ '10R': 'another' });
  expect(openForm(key).values).toEqual({ '10R': 'Ines', '12R': true, '13R': ['a', 'b'], '14R': null });
  expect(openForm({ ...key, contextKey: 'sample' }).values).toEqual({});
  expect(openForm({ ...key, document: 'b' }).values).toEqual({});
  signIn('u2');
  expect(openForm(key).values).toEqual({});
});

test('signing out removes the forms, and an open form is no longer saved', () => {
  const form = openForm(key);
  form.save({ '10R': 'Ines' });
  clearSession();
  form.save({ '10R': 'Ines' });
  signIn('u2');
  form.save({ '10R': 'Ines' });
  signIn('u1');
  expect(openForm(key).values).toEqual({});
  expect(Object.keys(localStorage).filter((name) => name.startsWith('colophon.forms.'))).toEqual([]);
});

test('a form keeps the fields that fit, and the oldest forms are evicted for newer ones', () => {
  openForm(key).save({ '10R': 'Ines', '11R': 'x'.repeat(70_000), '12R': true });
  expect(openForm(key).values).toEqual({ '10R': 'Ines', '12R': true });
  const titles = ['1', '2', '3', '4', '5', '6'].map((titleId) => ({ ...key, titleId }));
  for (const formKey of titles) openForm(formKey).save({ '10R': 'x'.repeat(60_000) });
  expect(titles.filter((formKey) => '10R' in openForm(formKey).values).map(({ titleId }) => titleId)).toEqual([
    '3',
    '4',
    '5',
    '6',
  ]);
});

test('a full storage keeps its forms, and a nearly full one evicts the oldest form for the latest', () => {
  openForm(key).save({ '10R': 'first' });
  openForm({ ...key, titleId: '1017' }).save({ '10R': 'second' });
  const limitStorage = (maxLength: number) =>
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, name: string, value: string) {
      if (value.length > maxLength) throw new DOMException('full', 'QuotaExceededError');
      Object.assign(this, { [name]: value });
    });
  const fullStorage = limitStorage(0);
  expect(openForm({ ...key, titleId: '1018' }).save({ '10R': 'third' })).toBe(false);
  fullStorage.mockRestore();
  expect(openForm(key).values).toEqual({ '10R': 'first' });
  const smallStorage = limitStorage(200);
  expect(openForm({ ...key, titleId: '1018' }).save({ '10R': 'third' })).toBe(true);
  smallStorage.mockRestore();
  expect(openForm({ ...key, titleId: '1018' }).values).toEqual({ '10R': 'third' });
  expect(openForm(key).values).toEqual({});
});

test('an invalid value under the key of the forms is ignored', () => {
  localStorage.setItem('colophon.forms.u1', '[{"titleId":1}]');
  expect(openForm(key).values).toEqual({});
});
