import type { categoriesMachine } from '../../../machines/app/categories.ts';
import { answerOf, rulesFor, toldOf } from '../../../machines/paths/rules.ts';
import type { MachineRules } from '../../support/rules.ts';

const { always } = rulesFor<typeof categoriesMachine>();

export const rules: Record<string, MachineRules> = {
  categories: {
    rules: [
      always('the shop hears of the tree, and of no other', (moment) => {
        const tree = answerOf(moment, 'categoryTree');
        const told = toldOf(moment, 'categories.came').map(({ categories }) => categories);
        return JSON.stringify(told) === JSON.stringify(tree === undefined ? [] : [tree]);
      }),
    ],
  },
};
