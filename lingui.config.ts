import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

// No line numbers: a moved line must not count as catalogue drift.
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'zh', 'es', 'fr', 'it'],
  // Each flow owns its words, which are fetched with it; the words around the flows come at once, those of `late` with the first
  // flow that is not the landing page.
  catalogs: [
    {
      path: '<rootDir>/src/locales/{locale}',
      include: ['<rootDir>/src'],
      exclude: ['<rootDir>/src/flows/**', '<rootDir>/src/views/late/**'],
    },
    { path: '<rootDir>/src/views/late/words/{locale}', include: ['<rootDir>/src/views/late/'] },
    { path: '<rootDir>/src/flows/{name}/words/{locale}', include: ['<rootDir>/src/flows/{name}/'] },
  ],
  format: formatter({ lineNumbers: false, origins: true, explicitIdAsDefault: true }),
  orderBy: 'message',
});
