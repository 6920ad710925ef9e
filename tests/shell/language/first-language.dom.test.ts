import { afterEach, expect, test, vi } from 'vitest';
import { firstLocale } from '../../../src/shell/language.ts';
import { store } from '../../../src/storage/storage.ts';

afterEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
});

const browserSpeaks = (...languages: string[]) => vi.stubGlobal('navigator', { languages });

test('a browser that speaks none of the shop’s languages gets English [S9.languages]', () => {
  browserSpeaks('de-DE', 'pl');
  expect(firstLocale()).toBe('en');
});

test('the browser’s first language that the shop speaks is the first, until another one is chosen', () => {
  browserSpeaks('de-DE', 'fr-CA', 'it');
  expect(firstLocale()).toBe('fr');
  store('colophon.locale', 'zh');
  expect(firstLocale()).toBe('zh');
});

test.each([
  ['/all?lang=it', 'it'],
  ['/all?lang=FR&sort=title', 'fr'],
  ['/all?lang=xx', 'zh'],
  ['/all?lang=__proto__', 'zh'],
])('the address %s opens in %s, whatever was chosen before', (address, locale) => {
  store('colophon.locale', 'zh');
  history.replaceState(null, '', address);
  expect(firstLocale()).toBe(locale);
});
