import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatter } from '@lingui/format-po';
import type { Plugin } from 'vite';
import { pageNameContext } from '../../machines/model/store/page-name-context.ts';

const root = join(import.meta.dirname, '../..');

const { parse } = formatter({ explicitIdAsDefault: true });

type Catalogue = Record<string, { message?: string; context?: string; translation?: string }>;

/** Translated names of pages by their English names, as compiled messages: arrays with one text. */
const readPageNames = (language: string): Record<string, [string]> =>
  Object.fromEntries(
    globSync(`src/flows/*/words/${language}.po`, { cwd: root }).flatMap((filename) => {
      const text = readFileSync(join(root, filename), 'utf8');
      const catalogue = parse(text, { locale: language, sourceLocale: 'en', filename }) as Catalogue;
      return Object.values(catalogue).flatMap(({ message = '', context, translation = '' }): [string, [string]][] =>
        context === pageNameContext ? [[message, [translation || message]]] : [],
      );
    }),
  );

/**
 * Adds the names of all pages to the translations of the first load: the frame names pages whose
 * flow is not loaded. English names are in the registry.
 */
export const pageNames = (): Plugin => ({
  name: 'colophon-page-names',
  transform: {
    filter: { id: /\/src\/locales\/(?!en\.)\w+\.po$/ },
    handler: (code, id) => {
      const [, language = ''] = /(\w+)\.po$/.exec(id) ?? [];
      return { code: `${code}\nObject.assign(messages, ${JSON.stringify(readPageNames(language))});`, map: null };
    },
  },
});
