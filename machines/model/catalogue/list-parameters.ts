/** What the query of a list's address may say; apart from what reads it, since the registry of flows, which every page has, names it. */
export const listParameters = [
  'search',
  'sort',
  'pricefrom',
  'priceto',
  'free',
  'kind',
  'category',
  'language',
  'author',
  'series',
  'plan',
  'after',
] as const;
