import type { categoriesMachine } from '../../../app/categories.ts';
import { getPortOutput, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant } = rulesFor<typeof categoriesMachine>();

export const rules: Record<string, MachineRules> = {
  categories: {
    rules: [
      always('the shop hears of the tree, of what is below an opened category, and of nothing else', (moment) => {
        const tree = getPortOutput(moment, 'categoryTree') ?? getPortOutput(moment, 'treeAround');
        const told = getSentEvents(moment, 'categories.came').map(({ categories }) => categories);
        return JSON.stringify(told) === JSON.stringify(tree === undefined ? [] : [tree]);
      }),
      invariant('what is below a category is asked for where the server told none below any, and one is opened', (snapshot) => {
        const { isFlat, asked } = snapshot.context;
        return !snapshot.matches('growing') || (isFlat && asked !== null);
      }),
    ],
  },
};
