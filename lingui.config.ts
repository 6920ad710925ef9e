import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

// No line numbers: a moved line must not count as catalogue drift.
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'zh', 'es', 'fr', 'it'],
  // Each flow owns its words, which are fetched with it; the words around the flows come at once.
  catalogs: [
    { path: '<rootDir>/src/locales/{locale}', include: ['<rootDir>/src'], exclude: ['<rootDir>/src/flows/**'] },
    { path: '<rootDir>/src/flows/{name}/words/{locale}', include: ['<rootDir>/src/flows/{name}/'] },
  ],
  format: formatter({ lineNumbers: false, origins: true, explicitIdAsDefault: true }),
  orderBy: 'message',
});
