import type { categoriesMachine } from '../../../app/categories.ts';
import type { Description } from '../../description.ts';

export const categoriesDescription = {
  title: 'The categories',
  about: 'The sidebar of a wide window, and the menu of a narrow one. Everything else works independently of them.',
  states: {
    'categories.loading': 'The sidebar says “Loading categories…”.',
    'categories.growing': 'The sidebar shows the loaded categories, while the app requests the sub-categories of the opened one.',
    'categories.listed': 'The sidebar shows the categories; a store without categories has no sidebar.',
    'categories.failed': 'The sidebar says “We couldn’t load the categories.” and offers “Try again”.',
  },
  presses: { 'retry.pressed': 'Press “Try again”' },
  happens: { 'location.changed': 'The URL changes' },
  asks: {
    categoryTree: 'the category tree',
    treeAround: 'the sub-categories of the category in the URL, on a server that sends the tree without them',
  },
  effects: {
    keepOpened: 'No visible change; another machine shows the list of the category.',
    reportTree: 'Lists and titles show their categories.',
  },
} satisfies Description<typeof categoriesMachine>;
