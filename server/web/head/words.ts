import { type LanguageCode, languages as codes } from '../../../machines/model/store/language-names.ts';
import { type Translator, translatorTo } from '../../base/words.ts';

const wordsIn = (i18n: Translator) => ({
  wrongTurn: i18n.t('Oops! Wrong Turn'),
  shopDescription: (shop: string) => i18n.t('Find titles to read, listen to and watch at {shop}.', { shop }),
  listDescription: (values: { list: string; shop: string }) =>
    i18n.t('{list} at {shop}: find what to read, listen to or watch next.', values),
  titleDescription: (values: { title: string; authors: string; shop: string }) =>
    i18n.t('{title} by {authors}, at {shop}.', values),
  authorlessDescription: (values: { title: string; shop: string }) => i18n.t('{title}, at {shop}.', values),
  withoutScripts: i18n.t('You can look around as you are. Buying, reading, listening and signing in need JavaScript.'),
  language: i18n.t('Language'),
  categories: i18n.t('Categories'),
  moreTitles: i18n.t('More titles'),
});

/** A language as Open Graph spells it, with the country that speaks it most. */
function openGraphLocale(code: string): string {
  const { language, region = '' } = new Intl.Locale(code).maximize();
  return `${language}_${region}`;
}

export type Language = { code: LanguageCode; locale: string; words: ReturnType<typeof wordsIn> };

const languageWith = (code: LanguageCode): Language => ({
  code,
  locale: openGraphLocale(code),
  words: wordsIn(translatorTo(code)),
});

/** The languages of the shop, English first; `locale` as Open Graph spells it. */
export const languages = codes.map(languageWith) as [Language, ...Language[]];
