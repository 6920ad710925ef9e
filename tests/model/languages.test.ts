import { expect, test } from 'vitest';
import { locales } from '../../machines/model/language.ts';

test('the shop speaks English, Chinese, Spanish, French and Italian [S9.languages]', () => {
  const english = new Intl.DisplayNames('en', { type: 'language' });
  expect(locales.map((locale) => english.of(locale))).toEqual(['English', 'Chinese', 'Spanish', 'French', 'Italian']);
});
