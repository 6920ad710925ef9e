import { describe, expect, test } from 'vitest';
import { brandColors, brandOf } from '../../src/brand/brand.ts';
import { contrast, darker, parseColor } from '../../src/brand/color.ts';
import { ago, day, duration, languageName, percent } from '../../src/brand/facts.ts';
import { money, names, priceText } from '../../src/brand/format.ts';
import { store } from '../support/views/fixtures.ts';

const rgb = (text: string) => {
  const color = parseColor(text);
  if (!color) throw new Error(`${text} is no colour.`);
  return color;
};

describe('colours', () => {
  test.each([
    ['#fff', [255, 255, 255]],
    ['0f6b6b', [15, 107, 107]],
    ['#0F6B6BCC', [15, 107, 107]],
    ['rgb(1, 2, 300)', [1, 2, 255]],
  ])('%s is read', (text, expected) => {
    expect(parseColor(text)).toEqual(expected);
  });

  test.each(['', 'teal', '#12', 'red;}body{display:none', 'rgb(1,2)'])('%j is no colour', (text) => {
    expect(parseColor(text)).toBeNull();
  });

  test('black on white has the contrast of the standard', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 5);
  });

  test('the foot is 30% darker than the store colour [S4.foot-colour]', () => {
    expect(rgb(brandColors('#64c832').footer)).toEqual([70, 140, 35]);
    expect(darker([100, 200, 50], 0.3)).toEqual([70, 140, 35]);
  });

  test('a colour that cannot be read gives the built-in palette', () => {
    expect(brandColors('no colour')).toEqual(brandColors(''));
  });
});

describe('brand', () => {
  test('lists are those that the store enables, under its own names [S1.brand]', () => {
    const { lists, listTexts } = brandOf({ ...store, enableVideoTitle: false });
    expect(lists).toEqual(['all', 'ebook', 'audio']);
    expect(lists.map((list) => listTexts[list])).toEqual(['Titles', 'eBooks', 'Recordings']);
  });
});

test('default names can be shown in the customer’s language', () => {
  const french = (text: string): string => (text === 'eBooks' ? 'Livres numériques' : text);
  const { listTexts } = brandOf(store, undefined, undefined, french);
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
  ])('%f %s in %s is written %s: money has the decimals of its currency [S9.price]', (amount, currency, locale, text) => {
    expect(money({ amount, currency, symbol: '¤' }, locale)).toBe(text);
  });

  test('a price of 0 is free [S9.price]', () => {
    expect(priceText({ amount: 0, currency: 'USD', symbol: '$' }, 'en', 'Free')).toBe('Free');
    expect(priceText({ amount: 0.01, currency: 'USD', symbol: '$' }, 'en', 'Free')).toBe('$0.01');
  });

  test.each([
    [0, '00:00'],
    [65.9, '01:05'],
    [3599, '59:59'],
    [3725, '01:02:05'],
    [360000, '100:00:00'],
    [-4, '00:00'],
  ])('%d seconds are %s [S9.time]', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });

  test('a day is written by the locale; what is no day stays', () => {
    expect(day('2024-05-02', 'en')).toBe('May 2, 2024');
    expect(day('2024-05-02T23:30:00Z', 'fr')).toBe('2 mai 2024');
    expect(day('1898', 'en')).toBe('1898');
    expect(day('2024-99-99', 'en')).toBe('2024-99-99');
    expect(day('', 'en')).toBe('');
  });

  test('languages and names are written by the locale', () => {
    expect(languageName('fr', 'en')).toBe('French');
    expect(languageName('Old Norse!', 'en')).toBe('Old Norse!');
    expect(names(['A', 'B', 'C'], 'en')).toBe('A, B, and C');
    expect(names([], 'en')).toBe('');
  });
});

test.each([
  [0, 'now'],
  [20, '20 minutes ago'],
  [130, '2 hours ago'],
  [1440, 'yesterday'],
  [4320, '3 days ago'],
])('%d minutes are %s', (minutes, text) => {
  expect(ago(minutes, 'en')).toBe(text);
});

test('a part is a percentage as the language writes it', () => {
  expect([percent(0.57, 'en'), percent(0.574, 'fr').replace(/\s/u, ' ')]).toEqual(['57%', '57 %']);
});
