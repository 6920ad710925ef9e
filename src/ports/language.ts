import { i18n, type Messages } from '@lingui/core';
import * as v from 'valibot';
import { languageMachine } from '../../machines/language.ts';
import { Locale } from '../../machines/model/language.ts';
import { requestPort } from '../../machines/ports.ts';
import { store, stored } from './storage.ts';

const name = 'colophon.locale';

const catalogues: Record<Locale, () => Promise<{ messages: Messages }>> = {
  en: () => import('../locales/en.po'),
  zh: () => import('../locales/zh.po'),
  es: () => import('../locales/es.po'),
  fr: () => import('../locales/fr.po'),
  it: () => import('../locales/it.po'),
};

/** The language chosen before, else the first of the browser's that the shop speaks, else English. */
export const firstLocale = (): Locale => {
  const spoken = navigator.languages.map((tag) => tag.split('-')[0]);
  return stored(name, Locale, spoken.find((tag) => v.is(Locale, tag)) as Locale | undefined ?? 'en');
};

/** Speaks a language from now on: its words, and the language that the page declares to screen readers. */
export const speak = async (locale: Locale): Promise<void> => {
  const { messages } = await catalogues[locale]();
  i18n.loadAndActivate({ locale, messages });
  document.documentElement.lang = locale;
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
