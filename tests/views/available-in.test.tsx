import { expect, test } from 'vitest';
import { AvailableIn } from '../../src/views/lazy/AvailableIn.tsx';
import { store } from '../support/views/flow.ts';
import { renderInShop } from '../support/views/show.tsx';

test.each([
  [['DE', 'FR'], 'Available in: Germany and France'],
  [['QM'], 'Available in: QM'],
  [[], ''],
])('a store that sells to the countries %j says “%s”', (purchaseCountries, expectedText) => {
  const container = renderInShop(<AvailableIn />, '/', { ...store, purchaseCountries });
  expect(container.querySelector('p')?.textContent ?? '').toBe(expectedText);
});
