import { afterEach, expect, test, vi } from 'vitest';
import { defaultAppearance } from '../../../machines/model/store/appearance.ts';
import { chooseFirstLocale } from '../../../src/shell/ports/language.ts';
import { readAppearance } from '../../../src/storage/appearance.ts';
import { writeItem } from '../../../src/storage/storage.ts';

afterEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
});

const setBrowserLanguages = (...languages: string[]) => vi.stubGlobal('navigator', { languages });

test('a browser with none of the shop’s languages gets English [S9.languages]', () => {
  setBrowserLanguages('tlh', 'vo');
  expect(chooseFirstLocale()).toBe('en');
});

test('the browser’s first language that the shop speaks is used, until another one is chosen', () => {
  setBrowserLanguages('tlh', 'fr-CA', 'it');
  expect(chooseFirstLocale()).toBe('fr');
  writeItem('colophon.locale', 'zh');
  expect(chooseFirstLocale()).toBe('zh');
});

test('the chosen language is sent to the server again, since browsers drop cookies sooner', () => {
  document.cookie = 'lang=; path=/; max-age=0';
  chooseFirstLocale();
  expect(document.cookie).not.toContain('lang=');
  writeItem('colophon.locale', 'fr');
  writeItem('colophon.appearance', { ...defaultAppearance, background: 'night' });
  chooseFirstLocale();
  readAppearance();
  expect(document.cookie).toContain('lang=fr');
  expect(document.cookie).toContain('look=.store.night');
});

test('a language that was not chosen in this browser is not sent to the server', () => {
  document.cookie = 'lang=fr; path=/';
  chooseFirstLocale();
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
])('of the stored theme %o, only existing parts are used', (storedAppearance, expectedParts) => {
  writeItem('colophon.appearance', storedAppearance);
  expect(readAppearance()).toEqual({ ...defaultAppearance, ...expectedParts });
});

test.each([
  ['/all?lang=it', 'it'],
  ['/all?lang=FR&sort=title', 'fr'],
  ['/all?lang=xx', 'zh'],
  ['/all?lang=__proto__', 'zh'],
])('the address %s opens in %s, regardless of an earlier choice', (path, locale) => {
  writeItem('colophon.locale', 'zh');
  history.replaceState(null, '', path);
  expect(chooseFirstLocale()).toBe(locale);
});
