import { join } from 'node:path';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { type BuildOptions, defineConfig } from 'vite';
import { buildOf, hashOfWords } from './tools/build/build-of.ts';
import { earlyScripts } from './tools/build/early-scripts.ts';
import { leaveOutNotes } from './tools/build/leave-out-notes.ts';
import { patchFoliate } from './tools/build/patch-foliate.ts';
import { pageNames } from './tools/build/page-names.ts';
import { pageRegions } from './tools/build/page-regions.ts';
import { precompress } from './tools/build/precompress.ts';
import { wordsByName } from './tools/build/words-by-name.ts';

/**
 * Left alone, each small piece that screens share would be a file and a request of its own. What every page needs comes in
 * one script; what several flows share in a few more.
 */
const groups = [
  { name: 'shop', tags: ['$initial' as const], test: /^(?!.*\/src\/painting\/early\/).*(?<!\.po)$/, priority: 2 },
  { name: 'shop', test: /rolldown[\\/:]runtime/, priority: 2 },
  {
    name: 'titles',
    test: /\/src\/(?:views\/(?:TitleCard|TitlePrice|TitleCarousel|FlowScreen|state-name|lazy-part)|ui\/(?:Cover|EventLink|PriceTag|Page)|client\/\w+\/(?:titles|title-fields|sieve)\.)/,
  },
  // What several flows share and the landing page does without.
  {
    name: 'texts',
    test: /\/src\/(?:views\/(?:StoreText|use-app-stores|BareMarkup|prose|Breadcrumbs|category-trail|ProblemNotice|problem-text|late\/(?:credits|refusal)-text)|ui\/(?:Notice|await-element))\./,
  },
  {
    name: 'answers',
    test: /\/src\/(?:client\/\w+\/(?:title|ownership|json|json-node|fit|date|news|grants|free-title|some-titles)|brand\/(?:facts|credits))\.|\/machines\/(?:app\/(?:cart|change-queue|wish-list)|model\/\w+\/(?:wish-list|isbn))\./,
  },
  // What the frame and the account know of a customer.
  {
    name: 'own',
    test: /\/src\/client\/\w+\/(?:cart|wish-list|kept-titles|across-tabs|credit-news|credits)\.|\/machines\/model\/buying\/cart\./,
  },
  {
    name: 'forms',
    test: /\/machines\/form\.|\/src\/(?:ui\/(?:Field|TextField|SelectField|SubmitButton|PasswordField|Checkbox)|views\/(?:late\/(?:EmailField|field-problem|FormPage|NewPasswordField)|MachineForm|submit-form|read-fields|wants-sample)|client\/(?:account\/(?:start-session|account|password)|wire\/xml-body))/,
  },
];

const words = await hashOfWords(join(import.meta.dirname, 'src'));

/**
 * Every flow's part is an `index.ts`: it goes by the name of its folder. The first script names all parts, and a hash cannot be
 * compressed: seven characters tell the versions of a file apart.
 */
const chunkFileNames = ({ facadeModuleId }: { facadeModuleId: string | null }): string => {
  const [, flow] = /\/src\/flows\/([^/]+)\/index\.tsx?$/.exec(facadeModuleId ?? '') ?? [];
  return `assets/${flow ?? '[name]'}-[hash:7].js`;
};

/**
 * Library code for browsers or uses that the shop does not have. A module of ours replaces it where
 * that saves every first visit more than 1 KB.
 */
const lean = (name: string): string => join(import.meta.dirname, 'src/ui/lean', name);
const leanAlias = [
  { find: '@pandacss/is-valid-prop', replacement: lean('css-property.ts') },
  { find: '@emotion/is-prop-valid', replacement: lean('attribute.ts') },
  { find: /^\.\/preflight\.js$/, replacement: lean('no-reset.ts') },
  { find: /^\.\/token-dictionary\.js$/, replacement: lean('tokens.ts') },
  // React has this hook since its version 18; the shim brings one of its own.
  { find: /^use-sync-external-store\/shim(?:\/index\.js)?$/, replacement: 'react' },
  { find: 'use-sync-external-store/shim/with-selector', replacement: 'use-sync-external-store/with-selector' },
];

/**
 * The usual build of pdf.js needs browsers of the last months, which have
 * `Map.prototype.getOrInsertComputed`: Firefox 144, Chromium 145, Safari 26.2.
 */
const pdfAlias = [
  { find: /^pdfjs-dist$/, replacement: 'pdfjs-dist/legacy/build/pdf.mjs' },
  { find: /^pdfjs-dist\/(build\/pdf\.worker\.min|web\/pdf_viewer)\.mjs/, replacement: 'pdfjs-dist/legacy/$1.mjs' },
];

/** The server has no browser to ask for what is CSS and what is harmless, and to keep anything. */
const onServer = (name: string): string => join(import.meta.dirname, 'src/painting', name);
const serverAlias = [
  { find: /^\.\/purifier\.ts$/, replacement: onServer('purifier.ts') },
  { find: /^\.\/storage\.ts$|^.*\/storage\/storage\.ts$/, replacement: onServer('no-storage.ts') },
  ...leanAlias.filter(({ find }) => find !== '@pandacss/is-valid-prop'),
];

/**
 * Emotion needs this CommonJS package for `withTheme`, which the shop does not use. Unused, it is
 * left out: saves 1.0 KB.
 */
const moduleSideEffects = [{ test: /\/hoist-non-react-statics\//, sideEffects: false }];

const pagesBuild: BuildOptions = {
  target: 'es2023',
  manifest: true,
  sourcemap: true,
  // Whatever runs this program preloads modules by itself.
  modulePreload: { polyfill: false },
  // Small images stay files: inlined ones would weigh on the first script.
  assetsInlineLimit: 0,
  // What is large here is the PDF reader's; what a visit weighs is the bundle budget's to say.
  chunkSizeWarningLimit: 700,
  rolldownOptions: { treeshake: { moduleSideEffects }, output: { codeSplitting: { groups }, chunkFileNames } },
};

/** What paints first screens, for the server to run. */
const paintingBuild: BuildOptions = {
  outDir: 'dist/painting',
  target: 'node22',
  copyPublicDir: false,
  assetsInlineLimit: 0,
};

export default defineConfig(async ({ isSsrBuild = false }) => ({
  plugins: [
    react(),
    babel({ presets: [linguiTransformerBabelPreset(), ...leaveOutNotes] }),
    lingui(),
    pageNames(),
    patchFoliate(),
    ...(isSsrBuild
      ? []
      : [pageRegions(), earlyScripts(import.meta.dirname), wordsByName(import.meta.dirname, words), precompress()]),
  ],
  resolve: { alias: isSsrBuild ? serverAlias : [...leanAlias, ...pdfAlias] },
  define: {
    __BUILD__: JSON.stringify(await buildOf(import.meta.dirname)),
    __WORDS__: JSON.stringify(words),
    // Vite leaves it to the server's own: React's development build would paint, in twice the time.
    ...(isSsrBuild ? { 'process.env.NODE_ENV': JSON.stringify('production') } : {}),
  },
  build: isSsrBuild ? paintingBuild : pagesBuild,
  ...(isSsrBuild ? { ssr: { noExternal: true as const, external: ['jsdom'] } } : {}),
  // Without these the first page of a development run reloads when the optimiser finds them.
  optimizeDeps: { include: ['react', 'react-dom/client', 'react/jsx-dev-runtime'], exclude: ['foliate-js'] },
}));
