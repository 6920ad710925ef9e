import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { toPriceParameters, toggleValue, type ListQuery } from '../../../machines/model/catalogue/list.ts';
import type { TitleType } from '../../../machines/model/catalogue/title.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { getLanguageName } from '../../brand/facts.ts';
import { formatMoney } from '../../brand/format.ts';
import { useApp } from '../../views/app-actor.ts';
import { findCategoryTrail } from '../../views/category-trail.ts';
import { useFacets } from './use-facets.ts';

type Actor = ActorRefFrom<typeof catalogueMachine>;

/** Whether any filter of a list is active; a search does not count as one. */
export const hasActiveFilters = ({
  priceFrom,
  priceTo,
  free,
  kinds,
  categories,
  languages,
  author,
  series,
  plan,
}: ListQuery): boolean =>
  priceFrom !== null ||
  priceTo !== null ||
  free ||
  [kinds, categories, languages, author, series, plan].some(({ length }) => length > 0);

/** Returns a function for the name of a kind of title among the filters. */
export const useKindText = (): ((kind: TitleType) => string) => {
  const { t } = useLingui();
  const { listTexts } = useBrand();
  return (kind) => (kind === 'interactive' ? t`Interactive stories` : listTexts[kind]);
};

/**
 * Returns a function that formats a price of a list's filters, in the shop's currency if it is
 * known.
 */
export const useAmountFormatter = (actor: Actor): ((amount: number) => string) => {
  const { i18n } = useLingui();
  const currency = useFacets(actor)?.currency ?? '';
  return (amount) => formatMoney({ amount, currency, symbol: '' }, i18n.locale);
};

/** An active filter: its text, and the changes of the URL's query that remove it. */
export type ActiveFilter = { text: string; queryChanges: Record<string, string>; isSearch?: true };

/** The active filters of a list. */
export const useActiveFilters = (actor: Actor): ActiveFilter[] => {
  const { t, i18n } = useLingui();
  const query = useSelector(actor, ({ context }) => context.query);
  const planName = useSelector(actor, ({ context }) => context.page?.categoryName ?? null);
  const tree = useApp((context) => context.categories);
  const kindText = useKindText();
  const formatAmount = useAmountFormatter(actor);
  const { search, priceFrom, priceTo, free, kinds, categories, languages, author, series, plan } = query;
  // The URL may have the lowest and the highest price swapped. These parameters are in order, so
  // that each price keeps its meaning when the other is removed.
  const prices = toPriceParameters({ priceFrom, priceTo });
  const [least, most] = [formatAmount(priceFrom ?? 0), formatAmount(priceTo ?? 0)];
  const removeValue = (values: readonly string[], value: string): string => toggleValue(values, value).join(',');
  const filterIf = (isSet: boolean, text: string, queryChanges: Record<string, string>): ActiveFilter[] =>
    isSet ? [{ text, queryChanges }] : [];
  return [
    ...(search === '' ? [] : [{ text: t`Search: ${search}`, queryChanges: { search: '' }, isSearch: true } as const]),
    ...filterIf(author !== '', t`Author: ${author}`, { author: '' }),
    ...filterIf(series !== '', t`Series: ${series}`, { series: '' }),
    ...filterIf(plan !== '', t`Subscription: ${planName ?? plan}`, { plan: '' }),
    ...kinds.map((kind) => ({ text: kindText(kind), queryChanges: { kind: removeValue(kinds, kind) } })),
    ...categories.map((id) => ({
      text: findCategoryTrail(tree, id).at(-1)?.name ?? id,
      queryChanges: { category: removeValue(categories, id) },
    })),
    ...filterIf(priceFrom !== null, t`From ${least}`, { ...prices, pricefrom: '' }),
    ...filterIf(priceTo !== null, t`Up to ${most}`, { ...prices, priceto: '' }),
    ...filterIf(free, t`Free`, { ...prices, free: '' }),
    ...languages.map((language) => ({
      text: getLanguageName(language, i18n.locale),
      queryChanges: { language: removeValue(languages, language) },
    })),
  ];
};
