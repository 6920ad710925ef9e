import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig } from '@lingui/cli';
import { extractor } from '@lingui/cli/api';
import { formatter } from '@lingui/format-po';
import { languages } from './machines/model/store/language-names.ts';
import { pageNamesExtractor } from './tools/build/extract-page-names.ts';

/** Messages sorted by text; the server's have their text as id. */
const order = new Intl.Collator('en-US');
type MessageEntry = { messageId: string; entry: { message?: string; context?: string } };
const textOf = ({ messageId, entry }: MessageEntry): string => `${entry.message ?? messageId}\n${entry.context ?? ''}`;

// No line numbers: a moved line must not count as a changed catalogue.
export default defineConfig({
  sourceLocale: 'en',
  locales: [...languages],
  // Each flow owns its texts and page names, which are loaded with it. The texts of the frame load
  // at once, those of `lazy` with the first flow that is not the landing page. The server reads its
  // own at startup.
  catalogs: [
    {
      path: '<rootDir>/src/locales/{locale}',
      include: ['<rootDir>/src'],
      exclude: ['<rootDir>/src/flows/**', '<rootDir>/src/views/lazy/**'],
    },
    { path: '<rootDir>/src/views/lazy/words/{locale}', include: ['<rootDir>/src/views/lazy/'] },
    ...globSync('src/flows/*', { cwd: import.meta.dirname }).map((folder) => ({
      path: `<rootDir>/${folder}/words/{locale}`,
      include: [`<rootDir>/${folder}/`, `<rootDir>/machines/flows/${basename(folder)}.ts`],
    })),
    { path: '<rootDir>/server/words/{locale}', include: ['<rootDir>/server'] },
  ],
  extractors: [pageNamesExtractor, extractor],
  format: formatter({ lineNumbers: false, origins: true, explicitIdAsDefault: true }),
  orderBy: (one, other) => order.compare(textOf(one), textOf(other)),
});
