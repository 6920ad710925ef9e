import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { priceParameters, toggleValue, type ListQuery } from '../../../machines/model/catalogue/list.ts';
import type { TitleType } from '../../../machines/model/catalogue/title.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { languageName } from '../../brand/facts.ts';
import { formatMoney } from '../../brand/format.ts';
import { useApp } from '../../views/app-actor.ts';
import { findCategoryTrail } from '../../views/category-trail.ts';
import { useFacets } from './use-facets.ts';

type Actor = ActorRefFrom<typeof catalogueMachine>;

/** Whether a list has other filters than a search. */
export const isNarrowed = ({
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

/** The name of each kind of title among the choices. */
export const useKindText = (): ((kind: TitleType) => string) => {
  const { t } = useLingui();
  const { listTexts } = useBrand();
  return (kind) => (kind === 'interactive' ? t`Interactive stories` : listTexts[kind]);
};

/** Prices of a list's filters, in the shop's currency if it is known. */
export const useAmount = (actor: Actor): ((amount: number) => string) => {
  const { i18n } = useLingui();
  const currency = useFacets(actor)?.currency ?? '';
  return (amount) => formatMoney({ amount, currency, symbol: '' }, i18n.locale);
};

/** An active filter: its text, and the changes of the address that remove it. */
export type ActiveFilter = { text: string; off: Record<string, string>; isSearch?: true };

/** The active filters of a list. */
export const useActiveFilters = (actor: Actor): ActiveFilter[] => {
  const { t, i18n } = useLingui();
  const query = useSelector(actor, ({ context }) => context.query);
  const planName = useSelector(actor, ({ context }) => context.page?.categoryName ?? null);
  const tree = useApp((context) => context.categories);
  const kindText = useKindText();
  const amount = useAmount(actor);
  const { search, priceFrom, priceTo, free, kinds, categories, languages, author, series, plan } = query;
  // The address may have the prices swapped: when one is removed, the other keeps its normalised
  // meaning.
  const prices = priceParameters({ priceFrom, priceTo });
  const [least, most] = [amount(priceFrom ?? 0), amount(priceTo ?? 0)];
  const without = (values: readonly string[], value: string): string => toggleValue(values, value).join(',');
  const one = (isSet: boolean, text: string, off: Record<string, string>): ActiveFilter[] => (isSet ? [{ text, off }] : []);
  return [
    ...(search === '' ? [] : [{ text: t`Search: ${search}`, off: { search: '' }, isSearch: true } as const]),
    ...one(author !== '', t`Author: ${author}`, { author: '' }),
    ...one(series !== '', t`Series: ${series}`, { series: '' }),
    ...one(plan !== '', t`Subscription: ${planName ?? plan}`, { plan: '' }),
    ...kinds.map((kind) => ({ text: kindText(kind), off: { kind: without(kinds, kind) } })),
    ...categories.map((id) => ({
      text: findCategoryTrail(tree, id).at(-1)?.name ?? id,
      off: { category: without(categories, id) },
    })),
    ...one(priceFrom !== null, t`From ${least}`, { ...prices, pricefrom: '' }),
    ...one(priceTo !== null, t`Up to ${most}`, { ...prices, priceto: '' }),
    ...one(free, t`Free`, { ...prices, free: '' }),
    ...languages.map((language) => ({
      text: languageName(language, i18n.locale),
      off: { language: without(languages, language) },
    })),
  ];
};
