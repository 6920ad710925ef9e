import { categoriesMachine } from '../../../machines/app/categories.ts';
import type { Category } from '../../../machines/model/title.ts';
import { described } from '../../support/description.ts';
import { problems, rejections, type PathModel } from '../../support/path-model.ts';
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

export const models: PathModel[] = [
  {
    name: 'categories',
    machine: categoriesMachine,
    description: categoriesDescription,
    given: 'Open any list of titles in a wide window.',
    cases: {
      'xstate.done.actor.categoryTree': [described('of one category', { output: [category] })],
      'xstate.error.actor.categoryTree': rejections(problems.offline),
    },
  },
];
