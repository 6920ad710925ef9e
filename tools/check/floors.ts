/**
 * The storeys of the house. A file may import its own floor entry and any entry with a lower number, no other.
 * `packages` limits what may come from npm; where it is left out any declared dependency may.
 */
export type Floor = { name: string; level: number; path: string; packages?: readonly string[] };

export const floors: readonly Floor[] = [
  { name: 'machines/model', level: 0, path: '^machines/model/', packages: ['valibot'] },
  // Paths and traces build on the graph tools and on XState's inner names; the flows themselves may not.
  { name: 'machines/paths', level: 1, path: '^machines/(paths|trace)/', packages: ['xstate', 'xstate/graph'] },
  { name: 'machines', level: 1, path: '^machines/(?!(model|paths|trace)/)', packages: ['xstate'] },
  { name: 'src/locales', level: 0, path: '^src/locales/' },
  { name: 'src/api', level: 2, path: '^src/api/' },
  { name: 'src/brand', level: 2, path: '^src/brand/' },
  { name: 'src/ui', level: 3, path: '^src/ui/' },
  { name: 'src/ports', level: 4, path: '^src/ports/' },
  { name: 'src/views', level: 5, path: '^src/views/' },
  { name: 'src/routes.ts', level: 6, path: '^src/routes\\.ts$' },
  { name: 'src/flows', level: 6, path: '^src/flows/' },
  { name: 'src/main.tsx', level: 7, path: '^src/main\\.tsx$' },
];

/** Entries that a floor may not use although they lie below it. */
export const closedTo: Readonly<Record<string, readonly string[]>> = {
  'src/ui': ['machines/model', 'machines', 'machines/paths', 'src/locales', 'src/api', 'src/brand'],
  'src/views': ['src/api', 'src/ports'],
};

/** Floors on one level that may nevertheless see each other. */
export const openTo: Readonly<Record<string, readonly string[]>> = {
  'machines/paths': ['machines'],
};
