import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

const views = [
  'shell',
  'landing',
  'TitleCard.tsx',
  'TitlePrice.tsx',
  'Shelf.tsx',
  'StoreText.tsx',
  'DidNotCome.tsx',
  'outage-text.tsx',
  'SaveRecord.tsx',
];

/** Where the words of the first visit stand: the frame, the landing page and what these are made of. */
const firstWords = ['ui', 'brand', ...views.map((part) => `views/${part}`)].map((part) => `<rootDir>/src/${part}`);

// No line numbers: a moved line must not count as catalogue drift.
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'zh', 'es', 'fr', 'it'],
  // Two catalogues a language, so that a first visit does not wait for the words of the till and the readers.
  catalogs: [
    { path: '<rootDir>/src/locales/{locale}', include: firstWords },
    { path: '<rootDir>/src/locales/flows/{locale}', include: ['<rootDir>/src'], exclude: firstWords },
  ],
  format: formatter({ lineNumbers: false, origins: true, explicitIdAsDefault: true }),
  orderBy: 'message',
});
