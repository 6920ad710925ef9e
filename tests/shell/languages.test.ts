import { expect, test } from 'vitest';
import config from '../../lingui.config.ts';
import { languages } from '../../machines/model/language-names.ts';

test('the catalogues are of the languages of the shop', () => {
  expect(config.locales).toEqual(languages);
});
