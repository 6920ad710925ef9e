/**
 * The query parameters of a list. In a module of its own, so that the registry of flows, which
 * every page loads, does not import the list's parser.
 */
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
