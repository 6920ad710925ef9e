import type { Start } from './plan-document.ts';

/**
 * The starts of a machine inside the shop, which answers the machine's events and closes its
 * screen: a tester can reach exactly what the generated walks of the browser reach.
 */
export const startsInShop = async (name: string): Promise<Start[]> => {
  // Imported only for plans, since they load the browser's test runner.
  const { stages } = await import('../tours/stages.ts');
  const { exploreInShop } = await import('../tours/plan.ts');
  return stages
    .filter((stage) => stage.name === name)
    .flatMap((stage) => stage.models.map((model) => ({ model, stage, ...exploreInShop(stage, model) })));
};
