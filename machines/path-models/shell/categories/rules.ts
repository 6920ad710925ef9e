import type { categoriesMachine } from '../../../app/categories.ts';
import { getPortOutput, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant } = rulesFor<typeof categoriesMachine>();

export const rules: Record<string, MachineRules> = {
  categories: {
    rules: [
      always('each loaded category tree, and nothing else, is sent to the app', (moment) => {
        const tree = getPortOutput(moment, 'categoryTree') ?? getPortOutput(moment, 'treeAround');
        const sentTrees = getSentEvents(moment, 'categories.loaded').map(({ categories }) => categories);
        return JSON.stringify(sentTrees) === JSON.stringify(tree === undefined ? [] : [tree]);
      }),
      invariant('subcategories are requested only for an opened category of a flat tree', (snapshot) => {
        const { isFlat, asked } = snapshot.context;
        return !snapshot.matches('growing') || (isFlat && asked !== null);
      }),
    ],
  },
};
