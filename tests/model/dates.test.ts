import { describe, expect, test } from 'vitest';
import { withArticles } from '../../machines/model/store/articles.ts';
import { toRegionalTag } from '../../machines/model/store/dates.ts';
import { withOrdinal } from '../../machines/model/store/ordinals.ts';

test('English dates have the British tag, dates of other languages the tag of the language', () => {
  expect(['en', 'fr', 'zh'].map(toRegionalTag)).toEqual(['en-GB', 'fr', 'zh']);
});

test.each([
  ['fr', '1 décembre 2026', '1er décembre 2026'],
  ['fr', '11 décembre 2026', '11 décembre 2026'],
  ['it', '1 dicembre 2026', '1º dicembre 2026'],
  ['es', '1 de diciembre de 2026', '1 de diciembre de 2026'],
  ['en', '1 December 2026', '1 December 2026'],
])('%s: only the first of a month has an ordinal, where the language has one: %s', (language, date, expected) => {
  expect(withOrdinal(language, date)).toBe(expected);
});

describe('Italian articles are joined to numbers whose words begin with a vowel', () => {
  test.each([
    ['Si rinnova il 8 dicembre 2026.', 'Si rinnova l’8 dicembre 2026.'],
    ['Hai accesso fino al <0>11 dicembre 2026</0>.', 'Hai accesso fino all’<0>11 dicembre 2026</0>.'],
    ['Dal 8 dicembre 2026:', 'Dall’8 dicembre 2026:'],
    ['la mattina del 11 dicembre', 'la mattina dell’11 dicembre'],
    ['Il 8 dicembre', 'L’8 dicembre'],
    ['eri al 80%', 'eri all’80%'],
  ])('the article is joined in “%s”', (text, expected) => expect(withArticles('it', text)).toBe(expected));

  test.each(['Si rinnova il 18 dicembre 2026.', 'fino al 1º dicembre', 'al 110%'])(
    'the article is not joined in “%s”',
    (text) => {
      expect(withArticles('it', text)).toBe(text);
    },
  );

  test('an article of another language is not joined', () => expect(withArticles('es', 'el 8; al 8')).toBe('el 8; al 8'));
});
