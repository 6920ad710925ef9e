import { toRegionalTag } from '../../../machines/model/store/dates.ts';
import { type LanguageCode, languages as codes } from '../../../machines/model/store/language-names.ts';
import { type Translator, getTranslator } from '../../base/words.ts';

const createWords = (i18n: Translator) => ({
  wrongTurn: i18n.t('Oops! Wrong Turn'),
  shopDescription: (shop: string) => i18n.t('Find titles to read, listen to and watch at {shop}.', { shop }),
  listDescription: (values: { list: string; shop: string }) =>
    i18n.t('{list} at {shop}: find what to read, listen to or watch next.', values),
  titleDescription: (values: { title: string; authors: string; shop: string }) =>
    i18n.t('{title} by {authors}, at {shop}.', values),
  authorlessDescription: (values: { title: string; shop: string }) => i18n.t('{title}, at {shop}.', values),
  withoutScripts: i18n.t('You can browse the shop without JavaScript. To buy, read, listen or sign in, please turn it on.'),
  language: i18n.t('Language'),
  categories: i18n.t('Categories'),
  moreTitles: i18n.t('More titles'),
});

/** An Open Graph locale: the language, with the country whose formats it follows. */
function toOpenGraphLocale(code: string): string {
  const { language, region = '' } = new Intl.Locale(toRegionalTag(code)).maximize();
  return `${language}_${region}`;
}

export type HeadLanguage = { code: LanguageCode; locale: string; words: ReturnType<typeof createWords> };

const createLanguage = (code: LanguageCode): HeadLanguage => ({
  code,
  locale: toOpenGraphLocale(code),
  words: createWords(getTranslator(code)),
});

/** The languages of the shop, English first; `locale` for Open Graph. */
export const languages = codes.map(createLanguage) as [HeadLanguage, ...HeadLanguage[]];
