import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig } from '@lingui/cli';
import { extractor } from '@lingui/cli/api';
import { formatter } from '@lingui/format-po';
import { languages } from './machines/model/store/language-names.ts';
import { pageNamesExtractor } from './tools/build/extract-page-names.ts';

/** Messages in the order of their texts; the server's have their text as id. */
const order = new Intl.Collator('en-US');
type Sorted = { messageId: string; entry: { message?: string; context?: string } };
const textOf = ({ messageId, entry }: Sorted): string => `${entry.message ?? messageId}\n${entry.context ?? ''}`;

// No line numbers: a moved line must not count as catalogue drift.
export default defineConfig({
  sourceLocale: 'en',
  locales: [...languages],
  // Each flow owns its words and the names of its pages, which are fetched with it. The words
  // around the flows come at once, those of `late` with the first flow that is not the landing
  // page. The server reads its own when it starts.
  catalogs: [
    {
      path: '<rootDir>/src/locales/{locale}',
      include: ['<rootDir>/src'],
      exclude: ['<rootDir>/src/flows/**', '<rootDir>/src/views/late/**'],
    },
    { path: '<rootDir>/src/views/late/words/{locale}', include: ['<rootDir>/src/views/late/'] },
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
