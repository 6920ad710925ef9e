/** Recipes of components with several parts, which the shop has none of: stands in for Chakra's (0.5 KB on each first visit). */
export const createSlotRecipeFn = () => (): never => {
  throw new Error('The shop has no recipes with slots.');
};
