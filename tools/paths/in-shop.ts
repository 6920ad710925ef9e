import type { ExploredModel } from './plan-document.ts';

/**
 * Explores the starts of a machine inside the shop, which responds to the machine's events and
 * closes its screen: testers can reach exactly the states that generated walks in the browser
 * reach.
 */
export const exploreModelsInShop = async (name: string): Promise<ExploredModel[]> => {
  // Imported only for plans, since they load the browser's test runner.
  const { adapters } = await import('../tours/adapters.ts');
  const { exploreInShop } = await import('../tours/plan.ts');
  return adapters
    .filter((adapter) => adapter.name === name)
    .flatMap((adapter) => adapter.models.map((model) => ({ model, adapter, ...exploreInShop(adapter, model) })));
};
