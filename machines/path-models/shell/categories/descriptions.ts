import type { categoriesMachine } from '../../../app/categories.ts';
import type { Description } from '../../description.ts';

export const categoriesDescription = {
  title: 'The categories',
  about: 'The sidebar of a wide window, and the menu of a narrow one. Everything else works independently of them.',
  states: {
    'categories.loading': 'The sidebar says “Loading categories…”.',
    'categories.growing': 'The sidebar shows the categories as they are; those below the opened one are asked for.',
    'categories.listed': 'The sidebar shows the categories; no sidebar in a store that has none.',
    'categories.failed': 'The sidebar says “We couldn’t load the categories.” and offers “Try again”.',
  },
  presses: { 'retry.pressed': 'Press “Try again”' },
  happens: { 'location.changed': 'The address becomes another one' },
  asks: {
    categoryTree: 'the category tree',
    treeAround: 'the sub-categories of the category in the address, on a server that sends the tree without them',
  },
  effects: {
    keepOpened: 'Nothing yet; the list of the category is another machine’s.',
    reportTree: 'Lists and titles know their place in the tree.',
  },
} satisfies Description<typeof categoriesMachine>;
