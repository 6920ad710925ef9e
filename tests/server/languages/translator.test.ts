import { expect, test } from 'vitest';
import { readCatalogue, getTranslator } from '../../../server/base/words.ts';

test('a missing catalogue is named in the error, with the command that writes it', () => {
  expect(() => readCatalogue('server/words/tlh.po')).toThrow('server/words/tlh.po is missing: run npm run messages to write it');
});

test('a text missing from every catalogue is in English, with its values', () => {
  const i18n = getTranslator('fr');
  expect(i18n.t('{count, plural, one {# moon of {planet}} other {# moons of {planet}}}', { count: 2, planet: 'Mars' })).toBe(
    '2 moons of Mars',
  );
});

test.each(['{shop} # \\u0041 \\x41 \\\\', '$& {count, plural, other {x}}', "it's 'quoted'"])(
  'a value is inserted unchanged: %s',
  (value) => expect(getTranslator('en').t('Hello {name},', { name: value })).toBe(`Hello ${value},`),
);

test('the number in a plural is formatted for the language', () => {
  const text =
    '{count, plural, one {{giver} is giving you # title from {shop}:} other {{giver} is giving you # titles from {shop}:}}';
  const values = { giver: 'Ann', shop: 'Salt' };
  expect(getTranslator('es').t(text, { ...values, count: 12345 })).toBe('Ann te regala 12.345 títulos de Salt:');
  expect(getTranslator('en').t(text, { ...values, count: 1 })).toBe('Ann is giving you 1 title from Salt:');
});

test('an Italian article is elided before a day that begins with a vowel', () => {
  const text = 'It runs until {until}, and is then renewed again. You can cancel it in your account at any time.';
  expect(getTranslator('it').t(text, { until: '8 dicembre 2026' })).toMatch(/^È valido fino all’8 dicembre 2026, /);
});
