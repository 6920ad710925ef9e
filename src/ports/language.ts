import { i18n, type Messages } from '@lingui/core';
import * as v from 'valibot';
import { languageMachine } from '../../machines/language.ts';
import { Locale } from '../../machines/model/language.ts';
import { requestPort } from '../../machines/ports.ts';
import { store, stored } from './storage.ts';

const name = 'colophon.locale';

type Catalogue = () => Promise<{ messages: Messages }>;

/** The words of the frame and the landing page, and those of all other screens. */
const catalogues: Record<Locale, { first: Catalogue; others: Catalogue }> = {
  en: { first: () => import('../locales/en.po'), others: () => import('../locales/flows/en.po') },
  zh: { first: () => import('../locales/zh.po'), others: () => import('../locales/flows/zh.po') },
  es: { first: () => import('../locales/es.po'), others: () => import('../locales/flows/es.po') },
  fr: { first: () => import('../locales/fr.po'), others: () => import('../locales/flows/fr.po') },
  it: { first: () => import('../locales/it.po'), others: () => import('../locales/flows/it.po') },
};

/** The language of the address, else the one chosen before, else the first of the browser's that the shop speaks, else English. */
export const firstLocale = (): Locale => {
  const asked = new URLSearchParams(location.search).get('lang')?.toLowerCase();
  if (v.is(Locale, asked)) return asked;
  const spoken = navigator.languages.map((tag) => tag.split('-')[0]);
  return stored(name, Locale, (spoken.find((tag) => v.is(Locale, tag)) as Locale | undefined) ?? 'en');
};

let wanted: Locale = 'en';
/** The words of the other screens, on their way or here; null until some screen needs them. */
let others: Promise<void> | null = null;

const loadOthers = async (locale: Locale): Promise<void> => {
  const { messages } = await catalogues[locale].others();
  i18n.load(locale, messages);
};

/** Speaks a language from now on: its words, and the language that the page declares to screen readers. */
export const speak = async (locale: Locale): Promise<void> => {
  const before = wanted;
  wanted = locale;
  try {
    const [{ messages }] = await Promise.all([catalogues[locale].first(), others && loadOthers(locale)]);
    i18n.load(locale, messages);
  } catch (error) {
    wanted = before;
    throw error;
  }
  i18n.activate(locale);
  document.documentElement.lang = locale;
};

/** The words of all screens, in this language and in those chosen later; whoever asks waits until they are here. */
export const speakOthers = (): Promise<void> => {
  others ??= loadOthers(wanted).catch((error: unknown) => {
    others = null;
    throw error;
  });
  return others;
};

export const language = languageMachine.provide({
  actors: {
    loadLanguage: requestPort<null, { locale: Locale }>(async ({ input: { locale } }) => {
      await speak(locale);
      store(name, locale);
      return null;
    }),
  },
});
