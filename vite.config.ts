import { join } from 'node:path';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { type BuildOptions, defineConfig } from 'vite';
import { computeBuild, hashTranslations } from './tools/build/build-of.ts';
import { earlyScripts } from './tools/build/early-scripts.ts';
import { stripTestMetadata } from './tools/build/leave-out-notes.ts';
import { patchFoliate } from './tools/build/patch-foliate.ts';
import { licenses } from './tools/build/licenses.ts';
import { pageNames } from './tools/build/page-names.ts';
import { pageRegions } from './tools/build/page-regions.ts';
import { precompress } from './tools/build/precompress.ts';
import { translationChunks } from './tools/build/words-by-name.ts';

/**
 * By default each small module that screens share would be a file and a request of its own. Modules
 * that every page needs go into one script; those that several flows share into a few more.
 */
const groups = [
  { name: 'shop', tags: ['$initial' as const], test: /^(?!.*\/src\/ssr\/early\/).*(?<!\.po)$/, priority: 2 },
  { name: 'shop', test: /rolldown[\\/:]runtime/, priority: 2 },
  {
    name: 'titles',
    test: /\/src\/(?:views\/(?:TitleCard|TitlePrice|TitleCarousel|FlowScreen|state-name|lazy-with-fallback)|ui\/(?:Cover|EventLink|PriceTag|Page)|client\/\w+\/(?:titles|title-fields|item-parser)\.)/,
  },
  // Shared by several flows, and not needed by the landing page.
  {
    name: 'texts',
    test: /\/src\/(?:views\/(?:StoreText|use-app-stores|BareMarkup|prose|Breadcrumbs|SupportMail|category-trail|ProblemNotice|problem-text|lazy\/(?:credits|refusal)-text)|ui\/(?:Notice|await-element))\./,
  },
  {
    name: 'answers',
    test: /\/src\/(?:client\/\w+\/(?:title|ownership|json|json-node|coerce|date|signal|ownership-changed|free-title|some-titles|shop-time)|brand\/(?:facts|credits))\.|\/machines\/(?:app\/(?:cart|change-queue|wish-list)|model\/(?:\w+\/(?:wish-list|isbn)|purchase-paths))\./,
  },
  // The frame's and the account's data about a customer.
  {
    name: 'own',
    test: /\/src\/client\/\w+\/(?:cart|wish-list|title-storage|across-tabs|credits-changed|credits|subscription)\.|\/machines\/model\/buying\/cart\./,
  },
  {
    name: 'forms',
    test: /\/machines\/form\.|\/src\/(?:ui\/(?:Field|TextField|SelectField|SubmitButton|PasswordField|Checkbox)|views\/(?:lazy\/(?:EmailField|field-problem|FormPage|NewPasswordField)|MachineForm|submit-form|read-fields|wants-sample)|client\/(?:account\/(?:start-session|account|password)|wire\/xml-body)|history\/secret-in-address\.)/,
  },
];

const words = await hashTranslations(join(import.meta.dirname, 'src'));

/**
 * Every flow's chunk is an `index.ts`, so it is named by its folder. The first script names all
 * chunks, and hashes do not compress: seven characters are enough to tell a file's versions apart.
 */
const chunkFileNames = ({ facadeModuleId }: { facadeModuleId: string | null }): string => {
  const [, flow] = /\/src\/flows\/([^/]+)\/index\.tsx?$/.exec(facadeModuleId ?? '') ?? [];
  return `assets/${flow ?? '[name]'}-[hash:7].js`;
};

/**
 * Library code for browsers or uses that the shop does not have. Our stub replaces it where that
 * saves more than 1 KB on every first visit.
 */
const stubs = (name: string): string => join(import.meta.dirname, 'src/ui/stubs', name);
const stubAlias = [
  { find: '@pandacss/is-valid-prop', replacement: stubs('css-property.ts') },
  { find: '@emotion/is-prop-valid', replacement: stubs('attribute.ts') },
  { find: /^\.\/preflight\.js$/, replacement: stubs('no-reset.ts') },
  { find: /^\.\/token-dictionary\.js$/, replacement: stubs('tokens.ts') },
  // React has this hook since version 18; the shim includes its own.
  { find: /^use-sync-external-store\/shim(?:\/index\.js)?$/, replacement: 'react' },
  { find: 'use-sync-external-store/shim/with-selector', replacement: 'use-sync-external-store/with-selector' },
];

/**
 * The default build of pdf.js needs browsers of the last months, with
 * `Map.prototype.getOrInsertComputed`: Firefox 144, Chromium 145, Safari 26.2.
 */
const pdfAlias = [
  { find: /^pdfjs-dist$/, replacement: 'pdfjs-dist/legacy/build/pdf.mjs' },
  { find: /^pdfjs-dist\/(build\/pdf\.worker\.min|web\/pdf_viewer)\.mjs/, replacement: 'pdfjs-dist/legacy/$1.mjs' },
];

/**
 * Replacements for the server, which has no browser to check CSS, to sanitise, or to store
 * anything.
 */
const onServer = (name: string): string => join(import.meta.dirname, 'src/ssr', name);
const serverAlias = [
  { find: /^\.\/purifier\.ts$/, replacement: onServer('purifier.ts') },
  { find: /^\.\/storage\.ts$|^.*\/storage\/storage\.ts$/, replacement: onServer('no-storage.ts') },
  ...stubAlias.filter(({ find }) => find !== '@pandacss/is-valid-prop'),
];

/**
 * Emotion needs this CommonJS package for `withTheme`, which the shop does not use. Marked as free
 * of side effects, it is left out: saves 1.0 KB.
 */
const moduleSideEffects = [{ test: /\/hoist-non-react-statics\//, sideEffects: false }];

const pagesBuild: BuildOptions = {
  target: 'es2023',
  manifest: true,
  license: { fileName: 'assets/licenses/packages.md' },
  sourcemap: true,
  // Every supported browser preloads modules by itself.
  modulePreload: { polyfill: false },
  // Small images stay files: inlined ones would enlarge the first script.
  assetsInlineLimit: 0,
  // The large chunks are the PDF reader's; the bundle budget limits the size of a visit.
  chunkSizeWarningLimit: 700,
  rolldownOptions: { treeshake: { moduleSideEffects }, output: { codeSplitting: { groups }, chunkFileNames } },
};

/** The build of the server renderer. */
const ssrBuild: BuildOptions = {
  outDir: 'dist/ssr',
  target: 'node22',
  copyPublicDir: false,
  assetsInlineLimit: 0,
};

export default defineConfig(async ({ isSsrBuild = false }) => ({
  plugins: [
    react(),
    babel({ presets: [linguiTransformerBabelPreset(), ...stripTestMetadata] }),
    lingui(),
    pageNames(),
    patchFoliate(),
    ...(isSsrBuild
      ? []
      : [
          pageRegions(),
          earlyScripts(import.meta.dirname),
          translationChunks(import.meta.dirname, words),
          licenses(import.meta.dirname),
          precompress(),
        ]),
  ],
  resolve: { alias: isSsrBuild ? serverAlias : [...stubAlias, ...pdfAlias] },
  define: {
    __BUILD__: JSON.stringify(await computeBuild(import.meta.dirname)),
    __WORDS__: JSON.stringify(words),
    // Vite leaves this to the server's environment: React's development build would render, in
    // twice the time.
    ...(isSsrBuild ? { 'process.env.NODE_ENV': JSON.stringify('production') } : {}),
  },
  build: isSsrBuild ? ssrBuild : pagesBuild,
  ...(isSsrBuild ? { ssr: { noExternal: true as const, external: ['jsdom'] } } : {}),
  // Without these, the first page of a development run reloads when the optimiser finds them.
  optimizeDeps: { include: ['react', 'react-dom/client', 'react/jsx-dev-runtime'], exclude: ['foliate-js'] },
}));
