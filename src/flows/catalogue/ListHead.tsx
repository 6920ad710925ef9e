import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import type { ListQuery } from '../../../machines/model/catalogue/list.ts';
import type { SortOption } from '../../../machines/model/store/store.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { useApp } from '../../views/app-actor.ts';
import { Breadcrumbs } from '../../views/Breadcrumbs.tsx';
import { findCategoryTrail } from '../../views/category-trail.ts';
import { translateRouteName } from '../../../machines/flows/routes.ts';
import { ActiveFilters } from './FilterChips.tsx';
import { FiltersButton } from './FiltersPanel.tsx';
import { listFormId } from './ListForm.tsx';
import { getListOrder } from './list-order.ts';
import { listHeadingId } from './move-focus-on-removal.ts';
import { useTotal } from './use-facets.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { useSortText } from '../../views/sort-text.ts';
import { plural } from '@lingui/core/macro';
import { Skeleton } from '../../ui/Loading.tsx';
import { Status } from '../../ui/Status.tsx';

/** The list's name and its number of titles. */
const Heading = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement => {
  const { t, i18n } = useLingui();
  const { listTexts } = useBrand();
  const path = useSelector(actor, ({ context }) => context.route.path);
  const { type, of, search: asked, sort, author, series, plan } = useSelector(actor, ({ context }) => context.query);
  const said = useSelector(actor, ({ context }) => context.page?.categoryName ?? null);
  const categoryId = useSelector(actor, ({ context }) => context.page?.categoryId ?? null);
  // The tree may load after the list, and is loaded again in another language.
  const nameInTree = useApp(({ categories }) =>
    categoryId === null ? undefined : findCategoryTrail(categories, categoryId).at(-1)?.name,
  );
  const name = nameInTree ?? said;
  const total = useTotal(actor);
  const isLoading = useSelector(actor, (snapshot) => snapshot.matches('loading'));
  const isBusy = useSelector(actor, (snapshot) => snapshot.hasTag('busy'));
  // A list whose name could not be loaded is named by its kind.
  const listName = of.kind === 'all' || (name === null && !isBusy) ? listTexts[type] : name;
  const correctedSearch = useSelector(actor, ({ context }) => context.page?.meant ?? null);
  const search = (isLoading ? null : correctedSearch) ?? asked;
  const isWholeCatalogue = of.kind === 'all' && type === 'all';
  const count = total === null ? '' : t`${plural(total, { one: '# title', other: '# titles' })}`;
  const routeName = translateRouteName(i18n, path);
  const orderText = sort === 'popular' && search === '' && routeName === undefined ? t`Most popular` : '';
  // An author, a series or a plan names the list, until the customer searches in it.
  const planHeading = plan === '' ? '' : said === null ? t`Included in a subscription` : t`Included in ${said}`;
  const filterHeading = author === '' ? series || planHeading : t`Titles by ${author}`;
  const heading =
    search === ''
      ? (routeName ?? (isWholeCatalogue && filterHeading !== '' ? filterHeading : listName))
      : t`Results for “${search}”`;
  return (
    <div>
      <chakra.h1 id={listHeadingId} tabIndex={-1} fontSize="3xl" minHeight="2.7rem" overflowWrap="anywhere" outline="none">
        {heading ?? <Skeleton as="span" height="2.4rem" width="14rem" />}
      </chakra.h1>
      <chakra.p mt={1} minHeight="1.5rem" color="inkMuted" overflowWrap="anywhere">
        {[search === '' || isWholeCatalogue ? '' : listName, orderText, count].filter(Boolean).join(' · ')}
      </chakra.p>
      <Status mt={1}>
        {search === asked ? null : (
          <Trans>
            Nothing was found for “{asked}”. These are the titles for “{search}”.
          </Trans>
        )}
      </Status>
    </div>
  );
};

/**
 * The sort options to offer: the store's, with relevance for a search, the order of a series, and
 * the current order Popular, to which the top of the page links.
 */
const getOfferedOptions = (options: readonly SortOption[], { search, series }: ListQuery, current: string): SortOption[] => {
  const extraValues = [
    ...(search === '' ? [] : ['relevance']),
    ...(series === '' ? [] : ['series']),
    ...(current === 'popular' ? [current] : []),
  ];
  return [
    ...extraValues.filter((value) => options.every((option) => option.value !== value)).map((value) => ({ text: value, value })),
    ...options,
  ];
};

/** The select for the sort order; renders nothing in a store without sort options. */
const SortSelect = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement | null => {
  const sortText = useSortText();
  const storeOptions = useSelector(actor, ({ context }) => context.sortOptions);
  const query = useSelector(actor, ({ context }) => context.query);
  if (storeOptions.length === 0) return null;
  const current = getListOrder(query);
  const options = getOfferedOptions(storeOptions, query, current);
  const isOffered = options.some(({ value }) => value === current);
  return (
    <chakra.label display="inline-flex" alignItems="center" gap={2} fontSize="sm">
      <chakra.span
        css={{ mdDown: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' } }}
      >
        <Trans>Sort by</Trans>
      </chakra.span>
      <chakra.select
        form={listFormId}
        name="sort"
        value={isOffered ? current : query.sort}
        onChange={({ currentTarget }) => actor.send({ type: 'sort.chosen', sort: currentTarget.value })}
        data-event="sort.chosen"
        minHeight={10}
        px={3}
        bg="surface"
        border="1px solid"
        borderColor="lineStrong"
        borderRadius="md"
      >
        {isOffered ? null : <option value={query.sort}>—</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {sortText(option)}
          </option>
        ))}
      </chakra.select>
    </chakra.label>
  );
};

/** The list's name, filters and sort order; it stays while the list itself is loaded again. */
export const ListHead = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement => {
  const { hidesFilters } = useBrand();
  const categories = useApp((context) => context.categories);
  const { of, type } = useSelector(actor, ({ context }) => context.query);
  const categoryId = useSelector(actor, ({ context }) => context.page?.categoryId ?? null);
  return (
    <chakra.div display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={5} mb={6}>
      {of.kind === 'category' ? (
        // Reserves the space until the list reports its category.
        <chakra.div minHeight={6}>
          {categoryId === null ? null : <Breadcrumbs categories={categories} categoryId={categoryId} kind={type} />}
        </chakra.div>
      ) : null}
      <Heading actor={actor} />
      {hidesFilters ? null : (
        <chakra.div display="flex" flexWrap="wrap" alignItems="center" gap={3} minHeight={10}>
          <FiltersButton actor={actor} />
          {/*
           * Active filters have a line of their own in narrow windows, and share the sort order's
           * line in wide ones.
           */}
          <chakra.div
            order={{ base: 1, md: 0 }}
            flex={{ base: '1 0 100%', md: '1' }}
            minWidth={0}
            css={{ '&:empty': { display: { mdDown: 'none' } } }}
          >
            <ActiveFilters actor={actor} />
          </chakra.div>
          <chakra.div ml="auto">
            <SortSelect actor={actor} />
          </chakra.div>
        </chakra.div>
      )}
    </chakra.div>
  );
};
