import { expect, test } from 'vitest';
import { findPreferredLanguage } from '../../../server/base/language.ts';

test.each([
  ['fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
  ['tlh, en;q=0.5, it;q=0.7', 'it'],
  ['EN-us', 'en'],
  ['zh-Hant-TW', 'zh'],
  ['fr;q=0, es', 'es'],
  ['tlh, *;q=0.1', undefined],
  ['__proto__', undefined],
  ['', undefined],
  [undefined, undefined],
])('the header Accept-Language “%s” selects the language %s', (header, language) => {
  expect(findPreferredLanguage(header)).toBe(language);
});
