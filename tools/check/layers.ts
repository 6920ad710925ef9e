/**
 * The layers of the project. A file may import its own layer and layers with a lower `level`, no
 * others. `packages` limits imports from npm; without it, any declared dependency is allowed.
 */
export type Layer = { name: string; level: number; path: string; packages?: readonly string[] };

export const layers: readonly Layer[] = [
  { name: 'machines/model', level: 0, path: '^machines/model/', packages: ['valibot'] },
  { name: 'src/locales', level: 0, path: '^src/locales/' },
  // The definitions of all flows, for machines, pages and server: pure data.
  { name: 'machines/flows', level: 1, path: '^machines/flows/', packages: [] },
  { name: 'machines', level: 2, path: '^machines/(?!(model|flows|paths|path-models|trace)/)', packages: ['xstate'] },
  { name: 'src/storage', level: 3, path: '^src/storage/' },
  { name: 'src/brand', level: 3, path: '^src/brand/' },
  // Paths and traces use XState's graph tools and internals; the flows may not.
  { name: 'machines/paths', level: 3, path: '^machines/paths/', packages: ['xstate', 'xstate/graph'] },
  { name: 'machines/path-models', level: 4, path: '^machines/path-models/', packages: ['xstate', 'valibot'] },
  { name: 'machines/trace', level: 4, path: '^machines/trace/', packages: ['xstate'] },
  { name: 'src/client', level: 5, path: '^src/client/' },
  { name: 'src/history', level: 5, path: '^src/history/' },
  { name: 'src/trace', level: 5, path: '^src/trace/' },
  { name: 'src/ui', level: 5, path: '^src/ui/' },
  { name: 'src/reader', level: 6, path: '^src/reader/' },
  { name: 'src/views', level: 7, path: '^src/views/' },
  { name: 'src/shell', level: 8, path: '^src/shell/' },
  { name: 'src/flows', level: 9, path: '^src/flows/' },
  { name: 'src/ssr', level: 10, path: '^src/ssr/' },
  { name: 'src/main.tsx', level: 11, path: '^src/main\\.tsx$' },
];

/** Lower layers that a layer may nevertheless not import. */
export const forbiddenImports: Readonly<Record<string, readonly string[]>> = {
  'src/ui': ['machines/model', 'machines/flows', 'machines', 'machines/paths', 'src/locales', 'src/storage', 'src/brand'],
  'src/views': ['src/client', 'src/storage', 'src/history', 'src/trace', 'src/reader'],
};

/**
 * The layers of the server, the lowest first. A folder imports only lower layers; folders of the
 * same layer do not import each other. A name with an extension is a file beside the folders.
 */
export const serverLayers: readonly (readonly string[])[] = [
  // Not specific to a shop: third-party errors, text, time, threads.
  ['base'],
  ['database'],
  // Used by all parts of a shop: errors, locks, the audit log, settings.
  ['kernel', 'settings'],
  ['stores', 'mail', 'publication', 'gateway'],
  // Authentication and access: who is the caller, and may this customer read this title?
  ['accounts', 'entitlements'],
  ['catalogue', 'media'],
  ['codes'],
  ['payment', 'providers'],
  ['subscriptions', 'gifts', 'tax', 'campaigns', 'sms'],
  ['cart'],
  // The kinds of purchases: payments call them through one interface.
  ['purchases', 'redeeming'],
  ['setup'],
  ['importing', 'services.ts'],
  // Handlers: read a request, make one call, write the response.
  ['api'],
  ['admin', 'opds', 'web'],
  ['jobs'],
  ['app.ts'],
  ['start.ts'],
  ['main.ts'],
];

/** The layers of the tools, the lowest first, by the rule of `serverLayers`. */
export const toolLayers: readonly (readonly string[])[] = [
  ['process', 'start', 'build', 'spec'],
  ['shop', 'demo', 'store'],
  ['browser', 'path-models'],
  // Plays path models in a browser.
  ['tours'],
  ['paths'],
  ['check', 'mutate', 'replay'],
  ['bench', 'test'],
];
