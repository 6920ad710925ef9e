import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Category } from '../../../machines/model/catalogue/title.ts';
import { categories } from '../../support/views/fixtures.ts';
import { openShop } from '../../support/views/shop.tsx';
import { gives, inTurn, never, refuses } from '../../support/views/world.ts';

/** Of what only wide windows show: this browser knows no widths and takes every window for a narrow one. */
const tree = () => screen.findByRole('navigation', { name: 'Categories', hidden: true });

test('categories that hang hold up neither the landing page nor a list', async () => {
  const { stateOf } = openShop('/', { categories: never });
  expect(await screen.findByRole('region', { name: 'New on the shelves' })).toBeTruthy();
  expect(stateOf('categories')).toBe('loading');
  expect(screen.getByText('Loading categories…')).toBeTruthy();

  openShop('/all', { categories: never });
  expect(await screen.findByRole('heading', { level: 1, name: 'Titles' })).toBeTruthy();
});

test('categories that did not come are asked for again on Retry [S8.categories]', async () => {
  const asked = inTurn<Category[]>(refuses({ kind: 'timeout' }), gives(categories));
  const { stateOf, user, container } = openShop('/all', { categories: asked });
  const words = await screen.findByText('We couldn’t load the categories.');
  expect(stateOf('categories')).toBe('failed');
  expect(container.querySelector('[data-flow="catalogue"]')).toBeTruthy();
  const place = words.parentElement;
  if (place === null) throw new Error('The words stand nowhere.');
  await user.click(within(place).getByRole('button', { name: 'Retry', hidden: true }));
  expect(within(await tree()).getAllByRole('link', { hidden: true }).length).toBeGreaterThan(1);
  expect(stateOf('categories')).toBe('listed');
});

test('a store without categories has no place for them', async () => {
  const { container } = openShop('/all', { categories: gives([]) });
  await screen.findByRole('heading', { level: 1, name: 'Titles' });
  expect(container.querySelector('[data-flow="categories"]')).toBeNull();
});
