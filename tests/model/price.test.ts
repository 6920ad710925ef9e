import { describe, expect, test } from 'vitest';
import { isFree, choosePrice } from '../../machines/model/catalogue/price.ts';

const makePrice = (currency: string, amount: number) => ({ amount, currency, symbol: '¤' });
const usd = makePrice('USD', 14.99);
const eur = makePrice('EUR', 13.5);
const gbp = makePrice('GBP', 11);
const chf = makePrice('CHF', 15);

const allCountries = ['US', 'GB', 'IE', 'FR', 'ES', 'IT', 'DE'];

describe('the one displayed price of a title', () => {
  test.each([
    ['en', 'the first country that speaks English', allCountries, [eur, usd], usd],
    ['it', 'Italy', allCountries, [usd, eur], eur],
    ['fr', 'France', allCountries, [usd, eur], eur],
    ['es', 'Spain', allCountries, [usd, eur], eur],
    ['en', 'the first country, not of the first price', ['GB', 'US'], [usd, gbp], gbp],
    ['en', 'Britain, without a price in dollars', allCountries, [eur, gbp], gbp],
    ['en', 'Ireland, without a price in dollars or pounds', allCountries, [chf, eur], eur],
    ['fr', 'Switzerland', ['DE', 'CH'], [eur, chf], chf],
  ])('in language %s, the displayed price is that of %s', (locale, _country, countries, prices, price) =>
    expect(choosePrice(prices, { locale, countries })).toBe(price),
  );

  test.each([
    ['zh', 'no country that speaks the language', allCountries, [usd, eur]],
    ['en', 'no country at all', [], [eur, usd]],
    ['en', 'countries of other languages', ['DE', 'FR'], [usd, eur]],
    ['it', 'no price in that currency', allCountries, [usd, gbp]],
    ['tlh', 'a language that the shop does not speak', allCountries, [usd, eur]],
    ['__proto__', 'an invalid language', ['constructor'], [usd, eur]],
    ['it', 'a price without a currency', allCountries, [makePrice('', 3), usd]],
  ])('in language %s, the first price is displayed with %s', (locale, _reason, countries, prices) =>
    expect(choosePrice(prices, { locale, countries })).toBe(prices[0]),
  );

  test('a title without prices has no displayed price', () =>
    expect(choosePrice([], { locale: 'en', countries: allCountries })).toBeNull());
});

test.each([
  [{ free: true, prices: [] }, true],
  [{ free: false, prices: [makePrice('USD', 0)] }, true],
  [{ free: false, prices: [usd] }, false],
  [{ free: false, prices: [] }, false],
])('%j is free: %j', (title, free) => expect(isFree(title)).toBe(free));
