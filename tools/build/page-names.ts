import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { Texts } from '../../machines/model/flow-definition.ts';
import type { Locale } from '../../machines/model/language.ts';

/** What pages are called in a language, by their English names; as compiled messages, of which a plain one is an array of one text. */
async function namesIn(language: Locale): Promise<Record<string, [string]>> {
  const path = join(import.meta.dirname, '../../src/flows/routes.ts');
  const { routes } = (await import(path)) as { routes: readonly { name?: Texts }[] };
  return Object.fromEntries(routes.flatMap(({ name }) => (name ? [[name.en, [name[language]]]] : [])));
}

/**
 * Puts the names of pages among the words of their language: the registry, which every first visit loads, keeps the English
 * ones alone (`leaveOutNotes`).
 */
export const pageNames = (): Plugin => ({
  name: 'colophon-page-names',
  apply: 'build',
  transform: {
    filter: { id: /\/src\/locales\/(?!en\.)\w+\.po$/ },
    handler: async (code, id) => {
      const language = /(\w+)\.po$/.exec(id)?.[1] as Locale;
      return { code: `${code}\nObject.assign(messages, ${JSON.stringify(await namesIn(language))});`, map: null };
    },
  },
});
