import { describe, expect, test } from 'vitest';
import { locales } from '../../machines/model/language.ts';
import { chinese, english } from '../../server/gateway/words.ts';
import { french, italian, spanish } from '../../server/gateway/words-es-fr-it.ts';
import { languages } from '../../server/web/head/words.ts';
import { sameWords } from '../../tools/check/same-words.ts';

test('the shop speaks English, Chinese, Spanish, French and Italian [S9.languages]', () => {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  expect(locales.map((locale) => names.of(locale))).toEqual(['English', 'Chinese', 'Spanish', 'French', 'Italian']);
});

type Words = Record<string, string>;

const heads = Object.fromEntries(languages.map(({ code, words }): [string, Words] => [code, words]));
const gateway: Record<string, Words> = { en: english, zh: chinese, es: spanish, fr: french, it: italian };

const placesIn = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).toSorted();

describe.each([
  ['the heads of pages', heads],
  ['the payment pages', gateway],
])('%s', (_, all) => {
  test('speak the languages of the shop', () => {
    expect(Object.keys(all).toSorted()).toEqual([...locales].toSorted());
  });

  test.each(locales.filter((locale) => locale !== 'en'))('are translated to %s', (locale) => {
    const source = Object.entries(all['en'] ?? {});
    const words = all[locale] ?? {};
    const untranslated = source.filter(([name, text]) => words[name] === text && !sameWords[locale]?.includes(text));
    expect(untranslated).toEqual([]);
    for (const [name, text] of source) expect([name, placesIn(words[name] ?? '')]).toEqual([name, placesIn(text)]);
  });
});
