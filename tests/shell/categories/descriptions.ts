import type { categoriesMachine } from '../../../machines/app/categories.ts';
import type { Description } from '../../support/description.ts';

export const categoriesDescription = {
  title: 'The categories',
  about: 'The sidebar of a wide window, and the menu of a narrow one. Everything else can be used whatever they do.',
  states: {
    'categories.loading': 'The sidebar says “Loading categories…”.',
    'categories.listed': 'The sidebar shows the categories; no sidebar in a store that has none.',
    'categories.failed': 'The sidebar says “We couldn’t load the categories.” and offers “Retry”.',
  },
  presses: { 'retry.pressed': 'Press “Retry”' },
  asks: { categoryTree: 'the category tree' },
  effects: { reportTree: 'Lists and titles know where in the tree they stand.' },
} satisfies Description<typeof categoriesMachine>;
