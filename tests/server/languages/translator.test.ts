import { expect, test } from 'vitest';
import { readCatalogue, translatorTo } from '../../../server/base/words.ts';

test('a catalogue that is missing is named, with the command that writes it', () => {
  expect(() => readCatalogue('server/words/tlh.po')).toThrow('server/words/tlh.po is missing: npm run messages writes it');
});

test('a text that no catalogue has is said in English, with its values', () => {
  const i18n = translatorTo('fr');
  expect(i18n.t('{count, plural, one {# moon of {planet}} other {# moons of {planet}}}', { count: 2, planet: 'Mars' })).toBe(
    '2 moons of Mars',
  );
});

test.each(['{shop} # \\u0041 \\x41 \\\\', '$& {count, plural, other {x}}', "it's 'quoted'"])(
  'a value is put in as it is: %s',
  (value) => expect(translatorTo('en').t('Hello {name},', { name: value })).toBe(`Hello ${value},`),
);

test('the number in a plural is written as the language writes it', () => {
  const text =
    '{count, plural, one {{giver} is giving you # title from {shop}:} other {{giver} is giving you # titles from {shop}:}}';
  const values = { giver: 'Ann', shop: 'Salt' };
  expect(translatorTo('es').t(text, { ...values, count: 12345 })).toBe('Ann te regala 12.345 títulos de Salt:');
  expect(translatorTo('en').t(text, { ...values, count: 1 })).toBe('Ann is giving you 1 title from Salt:');
});
