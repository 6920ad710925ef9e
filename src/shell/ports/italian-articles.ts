import type { I18n } from '@lingui/core';
import { withArticles } from '../../../machines/model/store/articles.ts';

/** Adapts articles to numbers in Italian texts; fetched with the Italian translations. */
export const joinArticles = (i18n: I18n): void => {
  const translate = i18n._.bind(i18n);
  i18n._ = ((...message: Parameters<typeof translate>) => withArticles(i18n.locale, translate(...message))) as typeof translate;
  i18n.t = i18n._;
};
