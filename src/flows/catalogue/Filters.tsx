import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import { listPath } from '../../../machines/model/paths.ts';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { changeListPath, toggleValue } from '../../../machines/model/catalogue/list.ts';
import type { Category } from '../../../machines/model/catalogue/title.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { getLanguageName } from '../../brand/facts.ts';
import { BarButton } from '../../ui/BarButton.ts';
import { chakra } from '../../ui/chakra.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Loading.tsx';
import { closeOnFocusLeave } from '../../ui/Popover.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { useApp } from '../../views/app-actor.ts';
import { findCategoryTrail } from '../../views/category-trail.ts';
import { useAmountFormatter, useKindText } from './active-filters.ts';
import { toggleCategory, toFormValue, isExpanded, isWithin } from './category-choice.ts';
import { Choice, ChoiceGroup } from './Choices.tsx';
import { FiltersPanel, panelId, ShowTitles } from './FiltersPanel.tsx';
import { HiddenValues, ListForm } from './ListForm.tsx';
import { PriceFields } from './PriceFields.tsx';
import { getFacetsActor, useFacets } from './use-facets.ts';

type Actor = ActorRefFrom<typeof catalogueMachine>;
type Props = { actor: Actor };

/**
 * The kinds of title to choose from; in a list of one kind, links to the same list of the other
 * kinds.
 */
const Kinds = ({ actor }: Props): ReactElement | null => {
  const { t } = useLingui();
  const { lists, listTexts } = useBrand();
  const kindText = useKindText();
  const { type, kinds } = useSelector(actor, ({ context }) => context.query);
  const path = useSelector(actor, ({ context }) => changeListPath(context.route, {}));
  const facetCounts = useFacets(actor)?.kinds;
  if (type !== 'all') {
    const pathAfterList = path.replace(/^\/[^/?]*/, '');
    return (
      <nav aria-label={t`Type of title`}>
        <ChoiceGroup name={<Trans>Type of title</Trans>}>
          <ul>
            {lists.map((list) => (
              <li key={list}>
                <TextLink
                  href={listPath(list) + pathAfterList}
                  look="plain"
                  display="flex"
                  alignItems="center"
                  minHeight={{ base: '2.75rem', md: 8 }}
                  fontSize="sm"
                  css={{ '&[aria-current]': { fontWeight: 700, color: 'accentInk' } }}
                  aria-current={list === type ? 'page' : undefined}
                >
                  {list === 'all' ? t`All` : listTexts[list]}
                </TextLink>
              </li>
            ))}
          </ul>
        </ChoiceGroup>
      </nav>
    );
  }
  const offeredKinds =
    facetCounts ?? lists.flatMap((kind) => (kind === 'all' || kind === 'interactive' ? [] : [{ kind, count: null }]));
  if (offeredKinds.length < 2 && kinds.length === 0) return null;
  return (
    <ChoiceGroup name={<Trans>Type of title</Trans>}>
      <HiddenValues name="kind" values={kinds.filter((kind) => offeredKinds.every((each) => each.kind !== kind))} />
      {offeredKinds.map(({ kind, count }) => (
        <Choice
          key={kind}
          actor={actor}
          chosen={kinds.includes(kind)}
          count={count}
          field={{ name: 'kind', value: kind }}
          changes={{ kind: toggleValue(kinds, kind).join(',') }}
        >
          {kindText(kind)}
        </Choice>
      ))}
    </ChoiceGroup>
  );
};

type BranchProps = Props & { offered: readonly Category[]; branch: readonly Category[] };

const Branch = ({ actor, offered, branch }: BranchProps): ReactElement => {
  const { categories: chosen } = useSelector(actor, ({ context }) => context.query);
  const facetCounts = useFacets(actor)?.categories;
  const counts = facetCounts && new Map(facetCounts.map(({ id, count }) => [id, count]));
  const shownCategories = branch.filter(({ id }) => counts === undefined || counts.has(id) || chosen.includes(id));
  return (
    <ul>
      {shownCategories.map((category) => (
        <li key={category.id}>
          <Choice
            actor={actor}
            chosen={chosen.includes(category.id)}
            count={counts?.get(category.id) ?? null}
            field={{ name: 'category', value: toFormValue(offered, chosen, category.id) }}
            changes={{ category: toggleCategory(offered, chosen, category.id).join(',') }}
          >
            {category.name}
          </Choice>
          {category.children.length > 0 && isExpanded(category, chosen) ? (
            <Branch actor={actor} offered={offered} branch={category.children} />
          ) : null}
        </li>
      ))}
    </ul>
  );
};

/** The subcategories of the shown category, or the top categories. */
const Categories = ({ actor }: Props): ReactElement => {
  const tree = useApp((context) => context.categories);
  const categoryId = useSelector(actor, ({ context }) => context.page?.categoryId ?? null);
  const offeredCategories = categoryId === null ? tree : (findCategoryTrail(tree, categoryId).at(-1)?.children ?? []);
  const { categories: chosen } = useSelector(actor, ({ context }) => context.query);
  const hiddenValues = <HiddenValues name="category" values={chosen.filter((id) => !isWithin(offeredCategories, id))} />;
  if (offeredCategories.length === 0) return hiddenValues;
  return (
    <ChoiceGroup name={<Trans>Category</Trans>}>
      {hiddenValues}
      <Branch actor={actor} offered={offeredCategories} branch={offeredCategories} />
    </ChoiceGroup>
  );
};

/** The price filter: ranges of the shop's prices, and fields for the customer's own range. */
const Prices = ({ actor }: Props): ReactElement => {
  const { free, priceFrom, priceTo } = useSelector(actor, ({ context }) => context.query);
  const facets = useFacets(actor);
  const formatAmount = useAmountFormatter(actor);
  const isAny = !free && priceFrom === null && priceTo === null;
  const noPrices = { free: '', pricefrom: '', priceto: '' };
  const formatRange = (from: number | null, to: number | null): ReactElement => {
    const [least, most] = [formatAmount(from ?? 0), formatAmount(to ?? 0)];
    if (from === null) return <Trans>Up to {most}</Trans>;
    if (to === null) return <Trans>From {least}</Trans>;
    return (
      <Trans>
        {least} to {most}
      </Trans>
    );
  };
  return (
    <ChoiceGroup name={<Trans>Price</Trans>}>
      <Choice actor={actor} chosen={isAny} count={null} changes={noPrices}>
        <Trans>Any price</Trans>
      </Choice>
      <Choice actor={actor} chosen={free} count={facets?.free ?? null} changes={{ ...noPrices, free: 'true' }}>
        <Trans>Free</Trans>
      </Choice>
      {(facets?.prices ?? []).map(({ from, to, count }) => (
        <Choice
          key={from}
          actor={actor}
          chosen={!isAny && !free && from === priceFrom && to === priceTo}
          count={count}
          changes={{ ...noPrices, pricefrom: from === null ? '' : String(from), priceto: to === null ? '' : String(to) }}
        >
          {formatRange(from, to)}
        </Choice>
      ))}
      <ListForm actor={actor}>
        <PriceFields actor={actor} />
      </ListForm>
    </ChoiceGroup>
  );
};

/**
 * Maximum number of languages offered, the most frequent first; chosen languages are always
 * offered.
 */
const maxLanguages = 12;

const Languages = ({ actor }: Props): ReactElement | null => {
  const { i18n } = useLingui();
  const { languages } = useSelector(actor, ({ context }) => context.query);
  const facetCounts = useFacets(actor)?.languages ?? [];
  const extraLanguages = languages.filter((chosenLanguage) => facetCounts.every(({ language }) => language !== chosenLanguage));
  const offeredLanguages = [
    ...facetCounts.filter(({ language }, index) => index < maxLanguages || languages.includes(language)),
    ...extraLanguages.map((language) => ({ language, count: null })),
  ];
  if (offeredLanguages.length < 2 && languages.length === 0) return null;
  return (
    <ChoiceGroup name={<Trans>Language</Trans>}>
      {offeredLanguages.map(({ language, count }) => (
        <Choice
          key={language}
          actor={actor}
          chosen={languages.includes(language)}
          count={count}
          field={{ name: 'language', value: language }}
          changes={{ language: toggleValue(languages, language).join(',') }}
        >
          <span lang={i18n.locale}>{getLanguageName(language, i18n.locale)}</span>
        </Choice>
      ))}
    </ChoiceGroup>
  );
};

const FiltersSkeleton = (): ReactElement => (
  <chakra.div aria-hidden="true" display="grid" gap={4}>
    {['70%', '55%', '80%', '60%', '75%', '50%'].map((width) => (
      <Skeleton key={width} height="1rem" width={width} />
    ))}
  </chakra.div>
);

/** The filters of the list, each with the number of titles that it would leave. */
export const Filters = ({ actor }: Props): ReactElement => {
  const { t } = useLingui();
  const { showsPrices } = useBrand();
  const isUncounted = useSelector(getFacetsActor(actor), ({ value }) => value.choices === 'waiting');
  // The list of a category determines the category, and so the subcategories to choose from.
  const isCategoryUnknown = useSelector(
    actor,
    ({ context: { page, query }, value }) => page === null && value === 'loading' && query.of.kind === 'category',
  );
  return (
    <FiltersPanel id={panelId} popover="auto" role="region" aria-label={t`Filters`} onBlur={closeOnFocusLeave} side="left">
      <chakra.div display={{ base: 'flex', md: 'none' }} alignItems="center" justifyContent="space-between">
        <chakra.h2 fontSize="xl">
          <Trans>Filters</Trans>
        </chakra.h2>
        <BarButton popoverTarget={panelId} popoverTargetAction="hide" aria-label={t`Close the filters`}>
          <Icon name="close" />
        </BarButton>
      </chakra.div>
      {isUncounted || isCategoryUnknown ? (
        <FiltersSkeleton />
      ) : (
        <>
          <Kinds actor={actor} />
          <Categories actor={actor} />
          {showsPrices ? <Prices actor={actor} /> : <ListForm actor={actor} />}
          <Languages actor={actor} />
        </>
      )}
      <ShowTitles actor={actor} />
    </FiltersPanel>
  );
};
