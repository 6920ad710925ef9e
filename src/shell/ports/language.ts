import type { I18n, Messages } from '@lingui/core';
import * as v from 'valibot';
import { languageMachine } from '../../../machines/app/language.ts';
import { Locale } from '../../../machines/model/store/language.ts';
import type { StoreTexts } from '../../../machines/model/store/store.ts';
import { requestPort } from '../../../machines/ports.ts';
import { writeChoiceCookie } from '../../storage/cookies.ts';
import { writeItem, readItem } from '../../storage/storage.ts';
import { fetchStoreTexts } from './store.ts';
import type { AppEnvironment } from '../app/environment.ts';

const storageKey = 'colophon.locale';

type Catalogue = { messages: Messages };

/** Whether catalogues are files of a build; otherwise they are imported from their sources. */
const isBrowserBuild = import.meta.env.PROD && !import.meta.env.SSR;

const sources = isBrowserBuild
  ? {}
  : import.meta.glob<Catalogue>(['/src/locales/*.po', '/src/flows/*/words/*.po', '/src/views/lazy/words/*.po']);

const getCataloguePath = (folder: string, locale: Locale): string => {
  if (folder === 'locales') return `/src/locales/${locale}.po`;
  return `/src/${folder === 'lazy' ? 'views' : 'flows'}/${folder}/words/${locale}.po`;
};

/**
 * Fetches the translations of a flow, by its folder; of the frame (`locales`); or of `lazy`, which
 * flows share and the landing page does not need. A build names their files
 * (`tools/build/words-by-name.ts`); undefined where the folder has no translations.
 */
const fetchCatalogue = async (folder: string, locale: Locale): Promise<Catalogue | undefined> =>
  isBrowserBuild
    ? ((await import(/* @vite-ignore */ `./${__WORDS__}/${folder}.${locale}.js`)) as Catalogue)
    : sources[getCataloguePath(folder, locale)]?.();

/**
 * The language of the address, else the last chosen one, else the first of the browser's that the
 * shop has, else English. The cookie for the server is renewed on each visit: browsers may delete a
 * cookie after a week, earlier than storage, and a link for browsers without scripts sets it.
 */
export const chooseFirstLocale = (): Locale => {
  const storedLocale = readItem(storageKey, v.nullable(Locale), null);
  writeChoiceCookie('lang', storedLocale ?? '');
  const queryLanguage = new URLSearchParams(location.search).get('lang')?.toLowerCase();
  if (v.is(Locale, queryLanguage)) return queryLanguage;
  const browserLanguages = navigator.languages.map((tag) => tag.split('-')[0]);
  return storedLocale ?? (browserLanguages.find((tag) => v.is(Locale, tag)) as Locale | undefined) ?? 'en';
};

/** Loads translations into `i18n`; the caller decides which language, and which flows. */
export const createTranslations = (i18n: I18n, environment: AppEnvironment) => {
  const { setContentLanguage, declareLanguage } = environment;
  let requestedLocale: Locale = 'en';
  let articles: Promise<void> | undefined;
  /** The loads of translations, pending or settled, by the folder of a flow, or `lazy`. */
  const flowTranslations = new Map<string, Promise<void>>();

  const load = async (locale: Locale, folder: string): Promise<void> => {
    const catalogue = await fetchCatalogue(folder, locale);
    if (locale === 'it') await (articles ??= import('./italian-articles.ts').then(({ joinArticles }) => joinArticles(i18n)));
    if (catalogue) i18n.load(locale, catalogue.messages);
  };

  /**
   * Switches to a language: loads its translations and declares it as the page's language.
   * @param alsoAwait must be fulfilled before the switch, too
   */
  const activateLanguage = async (locale: Locale, alsoAwait?: Promise<unknown>): Promise<void> => {
    const previousLocale = requestedLocale;
    setContentLanguage((requestedLocale = locale));
    try {
      await Promise.all([
        alsoAwait,
        load(locale, 'locales'),
        ...[...flowTranslations.keys()].map((folder) => load(locale, folder)),
      ]);
    } catch (error) {
      if (requestedLocale === locale) setContentLanguage((requestedLocale = previousLocale));
      throw error;
    }
    if (requestedLocale !== locale) throw new Error(`The language ${locale} was superseded by ${requestedLocale}.`);
    i18n.activate(locale);
    declareLanguage(locale);
  };

  const loadOnce = (folder: string): Promise<void> => {
    const earlierLoad = flowTranslations.get(folder);
    if (earlierLoad) return earlierLoad;
    const loadPromise = load(requestedLocale, folder).catch((error: unknown) => {
      flowTranslations.delete(folder);
      throw error;
    });
    flowTranslations.set(folder, loadPromise);
    return loadPromise;
  };

  /**
   * Loads the translations of a flow, in this language and in those chosen later. The caller waits
   * until they are loaded.
   */
  const loadFlowTranslations = async (folder: string): Promise<void> => {
    await Promise.all([loadOnce(folder), folder === 'landing' ? null : loadOnce('lazy')]);
  };

  const language = languageMachine.provide({
    actors: {
      loadLanguage: requestPort<StoreTexts, { locale: Locale }>(async ({ input: { locale } }) => {
        const storeTexts = fetchStoreTexts(environment, locale);
        await activateLanguage(locale, storeTexts);
        writeItem(storageKey, locale);
        writeChoiceCookie('lang', locale);
        return storeTexts;
      }),
    },
  });

  return { activateLanguage, loadFlowTranslations, language };
};
