import { afterEach, expect, test, vi } from 'vitest';
import { usualAppearance } from '../../../machines/model/store/appearance.ts';
import { firstLocale } from '../../../src/shell/ports/language.ts';
import { firstAppearance } from '../../../src/storage/appearance.ts';
import { store } from '../../../src/storage/storage.ts';

afterEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
});

const browserSpeaks = (...languages: string[]) => vi.stubGlobal('navigator', { languages });

test('a browser that speaks none of the shop’s languages gets English [S9.languages]', () => {
  browserSpeaks('tlh', 'vo');
  expect(firstLocale()).toBe('en');
});

test('the browser’s first language that the shop speaks is the first, until another one is chosen', () => {
  browserSpeaks('tlh', 'fr-CA', 'it');
  expect(firstLocale()).toBe('fr');
  store('colophon.locale', 'zh');
  expect(firstLocale()).toBe('zh');
});

test('the server is told anew of what was chosen, since browsers forget cookies sooner', () => {
  document.cookie = 'lang=; path=/; max-age=0';
  firstLocale();
  expect(document.cookie).not.toContain('lang=');
  store('colophon.locale', 'fr');
  store('colophon.appearance', { ...usualAppearance, background: 'night' });
  firstLocale();
  firstAppearance();
  expect(document.cookie).toContain('lang=fr');
  expect(document.cookie).toContain('look=.store.night');
});

test('a language that nobody has chosen in this browser is none for the server either', () => {
  document.cookie = 'lang=fr; path=/';
  firstLocale();
  expect(document.cookie).not.toContain('lang=');
});

test.each([
  [
    { topBar: 'chrome', sidebar: 'navy', background: 'night' },
    { sidebar: 'navy', background: 'night' },
  ],
  [{ background: 'night' }, { background: 'night' }],
  [{ topBar: 'forest', sidebar: [], background: 7 }, { topBar: 'forest' }],
  ['night', {}],
])('of what is stored as a look, %o, only what there is counts', (kept, look) => {
  store('colophon.appearance', kept);
  expect(firstAppearance()).toEqual({ ...usualAppearance, ...look });
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
