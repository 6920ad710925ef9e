import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Category } from '../../../machines/model/catalogue/title.ts';
import { categories } from '../../support/views/fixtures.ts';
import { openShop } from '../../support/views/shop.tsx';
import { resolvesTo, callInTurn, neverSettles, rejectsWith } from '../../support/views/world.ts';

/**
 * Finds the menu although it is hidden in narrow windows: jsdom treats every window as narrow.
 */
const findTree = () => screen.findByRole('navigation', { name: 'Categories', hidden: true });

test('hanging categories block neither the landing page nor a list', async () => {
  const { readFlowState } = openShop('/', { categories: neverSettles });
  expect(await screen.findByRole('region', { name: 'New on the shelves' })).toBeTruthy();
  expect(readFlowState('categories')).toBe('loading');
  expect(screen.getByText('Loading categories…')).toBeTruthy();

  openShop('/all', { categories: neverSettles });
  expect(await screen.findByRole('heading', { level: 1, name: 'Titles' })).toBeTruthy();
});

test('failed categories are requested again by “Try again” [S8.categories]', async () => {
  const loadCategories = callInTurn<Category[]>(rejectsWith({ kind: 'timeout' }), resolvesTo(categories));
  const { readFlowState, user, container } = openShop('/all', { categories: loadCategories });
  const message = await screen.findByText('We couldn’t load the categories.');
  expect(readFlowState('categories')).toBe('failed');
  expect(container.querySelector('[data-flow="catalogue"]')).toBeTruthy();
  const section = message.parentElement;
  if (section === null) throw new Error('The message has no parent element.');
  await user.click(within(section).getByRole('button', { name: 'Try again', hidden: true }));
  expect(within(await findTree()).getAllByRole('link', { hidden: true }).length).toBeGreaterThan(1);
  expect(readFlowState('categories')).toBe('listed');
});

test('a store without categories does not show their menu', async () => {
  const { container } = openShop('/all', { categories: resolvesTo([]) });
  await screen.findByRole('heading', { level: 1, name: 'Titles' });
  expect(container.querySelector('[data-flow="categories"]')).toBeNull();
});
