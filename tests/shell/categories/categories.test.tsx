import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Category } from '../../../machines/model/catalogue/title.ts';
import { categories } from '../../support/views/fixtures.ts';
import { openShop } from '../../support/views/shop.tsx';
import { resolvesTo, callInTurn, neverSettles, rejectsWith } from '../../support/views/world.ts';

/**
 * Includes parts for wide windows only: jsdom knows no widths and treats every window as narrow.
 */
const tree = () => screen.findByRole('navigation', { name: 'Categories', hidden: true });

test('hanging categories block neither the landing page nor a list', async () => {
  const { stateOf } = openShop('/', { categories: neverSettles });
  expect(await screen.findByRole('region', { name: 'New on the shelves' })).toBeTruthy();
  expect(stateOf('categories')).toBe('loading');
  expect(screen.getByText('Loading categories…')).toBeTruthy();

  openShop('/all', { categories: neverSettles });
  expect(await screen.findByRole('heading', { level: 1, name: 'Titles' })).toBeTruthy();
});

test('failed categories are requested again on Retry [S8.categories]', async () => {
  const asked = callInTurn<Category[]>(rejectsWith({ kind: 'timeout' }), resolvesTo(categories));
  const { stateOf, user, container } = openShop('/all', { categories: asked });
  const words = await screen.findByText('We couldn’t load the categories.');
  expect(stateOf('categories')).toBe('failed');
  expect(container.querySelector('[data-flow="catalogue"]')).toBeTruthy();
  const place = words.parentElement;
  if (place === null) throw new Error('The text is nowhere on the page.');
  await user.click(within(place).getByRole('button', { name: 'Try again', hidden: true }));
  expect(within(await tree()).getAllByRole('link', { hidden: true }).length).toBeGreaterThan(1);
  expect(stateOf('categories')).toBe('listed');
});

test('a store without categories does not show their menu', async () => {
  const { container } = openShop('/all', { categories: resolvesTo([]) });
  await screen.findByRole('heading', { level: 1, name: 'Titles' });
  expect(container.querySelector('[data-flow="categories"]')).toBeNull();
});
