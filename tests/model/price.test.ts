import { describe, expect, test } from 'vitest';
import { isFree, priceFor } from '../../machines/model/catalogue/price.ts';

const priced = (currency: string, amount: number) => ({ amount, currency, symbol: '¤' });
const usd = priced('USD', 14.99);
const eur = priced('EUR', 13.5);
const gbp = priced('GBP', 11);
const chf = priced('CHF', 15);

const everywhere = ['US', 'GB', 'IE', 'FR', 'ES', 'IT', 'DE'];

describe('the one price of a title', () => {
  test.each([
    ['en', 'the first country that speaks English', everywhere, [eur, usd], usd],
    ['it', 'Italy', everywhere, [usd, eur], eur],
    ['fr', 'France', everywhere, [usd, eur], eur],
    ['es', 'Spain', everywhere, [usd, eur], eur],
    ['en', 'the order of the countries, not of the prices', ['GB', 'US'], [usd, gbp], gbp],
    ['en', 'Britain, where there is no price for America', everywhere, [eur, gbp], gbp],
    ['en', 'Ireland, where there is neither', everywhere, [chf, eur], eur],
    ['fr', 'Switzerland', ['DE', 'CH'], [eur, chf], chf],
  ])('in %s: %s', (locale, _whose, countries, prices, price) => expect(priceFor(prices, { locale, countries })).toBe(price));

  test.each([
    ['zh', 'no country that speaks the language', everywhere, [usd, eur]],
    ['en', 'no country at all', [], [eur, usd]],
    ['en', 'countries of other languages', ['DE', 'FR'], [usd, eur]],
    ['it', 'no price in that currency', everywhere, [usd, gbp]],
    ['tlh', 'a language that the shop does not speak', everywhere, [usd, eur]],
    ['__proto__', 'a language that is none', ['constructor'], [usd, eur]],
    ['it', 'a price without a currency', everywhere, [priced('', 3), usd]],
  ])('else the first (%s: %s)', (locale, _why, countries, prices) =>
    expect(priceFor(prices, { locale, countries })).toBe(prices[0]),
  );

  test('no prices, no price', () => expect(priceFor([], { locale: 'en', countries: everywhere })).toBeNull());
});

test.each([
  [{ free: true, prices: [] }, true],
  [{ free: false, prices: [priced('USD', 0)] }, true],
  [{ free: false, prices: [usd] }, false],
  [{ free: false, prices: [] }, false],
])('%j is free: %j', (title, free) => expect(isFree(title)).toBe(free));
