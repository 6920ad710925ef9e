import { describe, expect, test } from 'vitest';
import { createBrandColors, createBrand } from '../../src/brand/brand.ts';
import { getContrast, darken, parseColor } from '../../src/brand/color.ts';
import { formatAgo, formatDay, formatDuration, getLanguageName, formatPercent } from '../../src/brand/facts.ts';
import { formatMoney, joinNames, formatPrice } from '../../src/brand/format.ts';
import { store } from '../support/views/fixtures.ts';

const parseRgb = (text: string) => {
  const color = parseColor(text);
  if (!color) throw new Error(`Not a colour: ${text}`);
  return color;
};

describe('colours', () => {
  test.each([
    ['#fff', [255, 255, 255]],
    ['0f6b6b', [15, 107, 107]],
    ['#0F6B6BCC', [15, 107, 107]],
    ['rgb(1, 2, 300)', [1, 2, 255]],
  ])('%s is parsed', (text, expected) => {
    expect(parseColor(text)).toEqual(expected);
  });

  test.each(['', 'teal', '#12', 'red;}body{display:none', 'rgb(1,2)'])('%j is not a colour', (text) => {
    expect(parseColor(text)).toBeNull();
  });

  test('black on white has the contrast ratio of the standard', () => {
    expect(getContrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 5);
  });

  test('the footer is 30% darker than the store colour [S4.foot-colour]', () => {
    expect(parseRgb(createBrandColors('#64c832').footer)).toEqual([70, 140, 35]);
    expect(darken([100, 200, 50], 0.3)).toEqual([70, 140, 35]);
  });

  test('an unreadable colour falls back to the built-in palette', () => {
    expect(createBrandColors('no colour')).toEqual(createBrandColors(''));
  });
});

describe('brand', () => {
  test('only the lists that a store enables are shown, under the store’s names for them [S1.brand]', () => {
    const { lists, listTexts } = createBrand({ ...store, enableVideoTitle: false });
    expect(lists).toEqual(['all', 'ebook', 'audio']);
    expect(lists.map((list) => listTexts[list])).toEqual(['Titles', 'eBooks', 'Recordings']);
  });
});

test('the default name of a list is translated into the customer’s language, a store’s own name is not', () => {
  const french = (text: string): string => (text === 'eBooks' ? 'Livres numériques' : text);
  const { listTexts } = createBrand(store, undefined, undefined, french);
  expect([listTexts.ebook, listTexts.audio]).toEqual(['Livres numériques', 'Recordings']);
});

describe('format', () => {
  test.each([
    [1234.5, 'USD', 'en', '$1,234.50'],
    [1234.5, 'usd', 'en', '$1,234.50'],
    [4.999, 'EUR', 'en', '€5.00'],
    [500, 'JPY', 'en', '¥500'],
    [1.255, 'BHD', 'en', 'BHD\u00A01.255'],
    [1.2, 'KWD', 'en', 'KWD\u00A01.200'],
    [990, 'HUF', 'fr', '990,00\u00A0HUF'],
    [3, 'Credits', 'en', '¤3.00'],
  ])('%f %s in %s is written %s, with the decimals of its currency [S9.price]', (amount, currency, locale, text) => {
    expect(formatMoney({ amount, currency, symbol: '¤' }, locale)).toBe(text);
  });

  test('a price of 0 is free [S9.price]', () => {
    expect(formatPrice({ amount: 0, currency: 'USD', symbol: '$' }, 'en', 'Free')).toBe('Free');
    expect(formatPrice({ amount: 0.01, currency: 'USD', symbol: '$' }, 'en', 'Free')).toBe('$0.01');
  });

  test.each([
    [0, '00:00'],
    [65.9, '01:05'],
    [3599, '59:59'],
    [3725, '01:02:05'],
    [360000, '100:00:00'],
    [-4, '00:00'],
  ])('%d seconds are written %s [S9.time]', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  test('a date is formatted for the locale; an invalid date is shown unchanged', () => {
    expect(formatDay('2024-05-02', 'en')).toBe('2 May 2024');
    expect(formatDay('2024-12-01', 'fr')).toBe('1er décembre 2024');
    expect(formatDay('2024-12-11', 'fr')).toBe('11 décembre 2024');
    expect(formatDay('2024-12-01', 'it')).toBe('1º dicembre 2024');
    expect(formatDay('2024-05-02T23:30:00Z', 'fr')).toBe('2 mai 2024');
    expect(formatDay('1898', 'en')).toBe('1898');
    expect(formatDay('2024-99-99', 'en')).toBe('2024-99-99');
    expect(formatDay('', 'en')).toBe('');
  });

  test('languages and names are formatted for the locale', () => {
    expect(getLanguageName('fr', 'en')).toBe('French');
    expect(getLanguageName('Old Norse!', 'en')).toBe('Old Norse!');
    expect(joinNames(['A', 'B', 'C'], 'en')).toBe('A, B and C');
    expect(joinNames([], 'en')).toBe('');
  });
});

test.each([
  [0, 'now'],
  [20, '20 minutes ago'],
  [130, '2 hours ago'],
  [1440, 'yesterday'],
  [4320, '3 days ago'],
])('%d minutes ago is written “%s”', (minutes, text) => {
  expect(formatAgo(minutes, 'en')).toBe(text);
});

test('a fraction is a percentage, formatted for the language', () => {
  expect([formatPercent(0.57, 'en'), formatPercent(0.574, 'fr').replace(/\s/u, ' ')]).toEqual(['57%', '57 %']);
});
