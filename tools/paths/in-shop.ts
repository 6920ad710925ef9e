import type { Start } from './plan-document.ts';

/**
 * The starts of a machine as it runs in the shop, which answers what the machine tells it, and leaves its screen: where the tours
 * of the browser go, a tester can.
 */
export const startsInShop = async (name: string): Promise<Start[]> => {
  // Only plans need them: they bring the browser's test runner along.
  const { stages } = await import('../tours/stages.ts');
  const { exploreInShop } = await import('../tours/plan.ts');
  return stages
    .filter((stage) => stage.name === name)
    .flatMap((stage) => stage.models.map((model) => ({ model, stage, ...exploreInShop(stage, model) })));
};
