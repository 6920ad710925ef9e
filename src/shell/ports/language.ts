import type { I18n, Messages } from '@lingui/core';
import * as v from 'valibot';
import { languageMachine } from '../../../machines/app/language.ts';
import { Locale } from '../../../machines/model/store/language.ts';
import type { StoreWords } from '../../../machines/model/store/store.ts';
import { requestPort } from '../../../machines/ports.ts';
import { tellServer } from '../../storage/cookies.ts';
import { store, stored } from '../../storage/storage.ts';
import { storeWords } from './store.ts';
import type { World } from '../app/world.ts';

const name = 'colophon.locale';

type Catalogue = { messages: Messages };

/** Without a build, and on the server, the catalogues are where they are written. */
const isBrowserBuild = import.meta.env.PROD && !import.meta.env.SSR;

const sources = isBrowserBuild
  ? {}
  : import.meta.glob<Catalogue>(['/src/locales/*.po', '/src/flows/*/words/*.po', '/src/views/late/words/*.po']);

const pathOf = (folder: string, locale: Locale): string => {
  if (folder === 'locales') return `/src/locales/${locale}.po`;
  return `/src/${folder === 'late' ? 'views' : 'flows'}/${folder}/words/${locale}.po`;
};

/**
 * The translations of a flow, by its folder; those around all flows (`locales`); or those of `late`, what flows share and the landing page
 * does without. A build gives their files these names (`tools/build/words-by-name.ts`); undefined where there are none.
 */
const catalogueOf = async (folder: string, locale: Locale): Promise<Catalogue | undefined> =>
  isBrowserBuild
    ? ((await import(/* @vite-ignore */ `./${__WORDS__}/${folder}.${locale}.js`)) as Catalogue)
    : sources[pathOf(folder, locale)]?.();

/**
 * The language of the address, else the one chosen before, else the first of the browser's that the shop has, else English. The server is
 * told anew of the one that was chosen: browsers forget a cookie sooner, some after a week, and a link for those without scripts sets it.
 */
export const firstLocale = (): Locale => {
  const chosen = stored(name, v.nullable(Locale), null);
  tellServer('lang', chosen ?? '');
  const asked = new URLSearchParams(location.search).get('lang')?.toLowerCase();
  if (v.is(Locale, asked)) return asked;
  const spoken = navigator.languages.map((tag) => tag.split('-')[0]);
  return chosen ?? (spoken.find((tag) => v.is(Locale, tag)) as Locale | undefined) ?? 'en';
};

/** Loads translations into `i18n`; the caller decides which language, and which flows. */
export const translationsOf = (i18n: I18n, world: World) => {
  const { askIn, declareLanguage } = world;
  let wanted: Locale = 'en';
  /** The translations of each flow that was fetched, by its folder, and of `late`; still loading or loaded. */
  const ofFlows = new Map<string, Promise<void>>();

  const load = async (locale: Locale, folder: string): Promise<void> => {
    const catalogue = await catalogueOf(folder, locale);
    if (catalogue) i18n.load(locale, catalogue.messages);
  };

  /**
   * Switches to a language: loads its translations and declares it to screen readers as the page's language.
   * @param also what has to be there as well before anything is said in that language
   */
  const activateLanguage = async (locale: Locale, also?: Promise<unknown>): Promise<void> => {
    const before = wanted;
    askIn((wanted = locale));
    try {
      await Promise.all([also, load(locale, 'locales'), ...[...ofFlows.keys()].map((folder) => load(locale, folder))]);
    } catch (error) {
      if (wanted === locale) askIn((wanted = before));
      throw error;
    }
    if (wanted !== locale) throw new Error('another language was chosen');
    i18n.activate(locale);
    declareLanguage(locale);
  };

  const loadOnce = (folder: string): Promise<void> => {
    const known = ofFlows.get(folder);
    if (known) return known;
    const loading = load(wanted, folder).catch((error: unknown) => {
      ofFlows.delete(folder);
      throw error;
    });
    ofFlows.set(folder, loading);
    return loading;
  };

  /** Loads the translations of a flow, in this language and in those chosen later. The caller waits until they are loaded. */
  const loadFlowTranslations = async (folder: string): Promise<void> => {
    await Promise.all([loadOnce(folder), folder === 'landing' ? null : loadOnce('late')]);
  };

  const language = languageMachine.provide({
    actors: {
      loadLanguage: requestPort<StoreWords, { locale: Locale }>(async ({ input: { locale } }) => {
        const words = storeWords(world, locale);
        await activateLanguage(locale, words);
        store(name, locale);
        tellServer('lang', locale);
        return words;
      }),
    },
  });

  return { activateLanguage, loadFlowTranslations, language };
};
