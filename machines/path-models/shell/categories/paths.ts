import { categoriesMachine } from '../../../app/categories.ts';
import type { Category } from '../../../model/catalogue/title.ts';
import { described } from '../../description.ts';
import { problems, rejections, route, type PathModel } from '../../path-model.ts';
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
const below: Category = { ...category, id: 'c2', name: 'Novels', path: 'novels/c2', key: 'c2', parentId: 'c1' };
const grown: Category = { ...category, children: [below] };

const ofCategory = route({
  flow: 'catalogue',
  path: '/all/fiction/c1',
  params: { type: 'all', parent: 'fiction', category: 'c1' },
});

export const models: PathModel[] = [
  {
    name: 'categories',
    machine: categoriesMachine,
    description: categoriesDescription,
    given: 'Open any list of titles in a wide window.',
    input: { route: route({ flow: 'catalogue', path: '/all', params: { type: 'all' } }) },
    perKind: 3,
    kind: ({ value, context }) => {
      const { opened, asked, isFlat } = context as { opened: unknown; asked: unknown; isFlat: unknown };
      return [value as unknown, opened, asked, isFlat];
    },
    cases: {
      'location.changed': [described('/all/fiction/c1', { route: ofCategory }), described('/', { route: route() })],
      'xstate.done.actor.categoryTree': [
        described('of one category', { output: [category] }),
        described('of a category with one below it', { output: [grown] }),
      ],
      'xstate.error.actor.categoryTree': rejections(problems.offline),
      'xstate.done.actor.treeAround': [described('with a category below the opened one', { output: [grown] })],
      'xstate.error.actor.treeAround': rejections(problems.offline),
    },
  },
];
