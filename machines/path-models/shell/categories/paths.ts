import { categoriesMachine } from '../../../app/categories.ts';
import type { Category } from '../../../model/catalogue/title.ts';
import { describeCase } from '../../description.ts';
import { problems, toRejectionCases, createRoute, type PathModel } from '../../path-model.ts';
import { categoriesDescription } from './descriptions.ts';

const category: Category = {
  id: 'c1',
  tagId: '',
  name: 'Fiction',
  tag: false,
  path: 'fiction/c1',
  key: 'c1',
  parentId: null,
  children: [],
};
const subcategory: Category = { ...category, id: 'c2', name: 'Novels', path: 'novels/c2', key: 'c2', parentId: 'c1' };
const parentCategory: Category = { ...category, children: [subcategory] };

const categoryRoute = createRoute({
  flow: 'catalogue',
  path: '/all/fiction/c1',
  params: { type: 'all', parent: 'fiction', category: 'c1' },
});

export const models: PathModel[] = [
  {
    name: 'categories',
    machine: categoriesMachine,
    description: categoriesDescription,
    startInstruction: 'Open any list of titles in a wide window.',
    input: { route: createRoute({ flow: 'catalogue', path: '/all', params: { type: 'all' } }) },
    perKind: 3,
    kind: ({ value, context }) => {
      const { opened, asked, isFlat } = context as { opened: unknown; asked: unknown; isFlat: unknown };
      return [value as unknown, opened, asked, isFlat];
    },
    cases: {
      'location.changed': [
        describeCase('/all/fiction/c1', { route: categoryRoute }),
        describeCase('/', { route: createRoute() }),
      ],
      'xstate.done.actor.categoryTree': [
        describeCase('with one category', { output: [category] }),
        describeCase('with a category and its sub-category', { output: [parentCategory] }),
      ],
      'xstate.error.actor.categoryTree': toRejectionCases(problems.offline),
      'xstate.done.actor.treeAround': [describeCase('with a category below the opened one', { output: [parentCategory] })],
      'xstate.error.actor.treeAround': toRejectionCases(problems.offline),
    },
  },
];
