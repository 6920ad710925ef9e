import { useSelector } from '@xstate/react';
import type { ReactElement, ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import type { TitleList } from '../../../machines/browsing/catalogue-setup.ts';
import { Page } from '../../ui/Page.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { ListHead } from './ListHead.tsx';
import { Trans, useLingui } from '@lingui/react/macro';
import { nextPagePath, changeListPath, clearedFilters } from '../../../machines/model/catalogue/list.ts';
import { categoryPath, searchPath } from '../../../machines/model/paths.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Message.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { useApp } from '../../views/app-actor.ts';
import { hasActiveFilters } from './active-filters.ts';
import { Chip } from './FilterChips.tsx';
import { TitleCount } from './TitleCount.tsx';
import { Filters } from './Filters.tsx';
import { listFormId } from './ListForm.tsx';
import { moveFocusOnRemoval } from './move-focus-on-removal.ts';
import { formatCount } from '../../brand/facts.ts';
import { chakra } from '../../ui/chakra.ts';
import { Spinner } from '../../ui/Loading.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import { EventLink } from '../../ui/EventLink.tsx';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { formatProblem } from '../../views/problem-text.ts';
import { CoverGrid, CoverGridSkeleton } from './CoverGrid.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';

type CatalogueActor = ActorRefFrom<typeof catalogueMachine>;

/** The screen of a loading list; while it is sorted or filtered again, the old titles stay. */
const ListLoading = ({ actor }: { actor: CatalogueActor }): ReactElement => {
  const page = useSelector(actor, ({ context }) => context.page);
  return (
    <>
      <VisuallyHidden role="status">
        <Trans>Loading titles…</Trans>
      </VisuallyHidden>
      {page === null || page.count === 0 ? <CoverGridSkeleton /> : <CoverGrid actor={actor} list={page} waiting />}
    </>
  );
};

/**
 * The button that loads the next titles: for customers who reach it without scrolling, and after a
 * failure.
 */
const LoadMore = ({ actor, list }: { actor: CatalogueActor; list: TitleList }): ReactElement | null => {
  const { i18n } = useLingui();
  const problem = useSelector(actor, ({ context }) => context.problem);
  const isArriving = useSelector(actor, (snapshot) => snapshot.matches({ shown: 'arriving' }));
  const hasFailed = useSelector(actor, (snapshot) => snapshot.matches({ shown: 'moreFailed' }));
  const route = useSelector(actor, ({ context }) => context.route);
  if (!isArriving && !hasFailed && !list.hasMore) return null;
  const buttonProps = {
    actor,
    event: { type: 'more.requested' },
    look: 'outline',
    minWidth: '14rem',
    children: (
      <>
        {isArriving ? <Spinner aria-hidden="true" /> : null}
        {hasFailed ? <Trans>Try again</Trans> : <Trans>Show more</Trans>}
      </>
    ),
  } as const;
  const seen = formatCount(list.count, i18n.locale);
  const total = list.total === null ? null : formatCount(list.total, i18n.locale);
  return (
    <chakra.div display="grid" justifyItems="center" gap={4} mt={10}>
      {hasFailed && problem !== null ? <ProblemNotice problem={problem}>{formatProblem(problem)}</ProblemNotice> : null}
      {total === null ? null : (
        <chakra.p color="inkMuted" fontSize="sm">
          <Trans>
            {seen} of {total}
          </Trans>
        </chakra.p>
      )}
      {list.behindFirst === undefined ? (
        <EventButton {...buttonProps} />
      ) : (
        <EventLink {...buttonProps} href={nextPagePath(route, list.behindFirst)} deniedLook="disabled" rel="next nofollow" />
      )}
    </chakra.div>
  );
};

/** Links from a list that begins at a later cursor, as without scripts, to its start. */
const BackToStartLink = ({ actor }: { actor: CatalogueActor }): ReactElement => (
  <chakra.p mb={6}>
    <TextLink ref={moveFocusOnRemoval} href={useSelector(actor, ({ context }) => changeListPath(context.route, {}))}>
      <Trans>Back to the start</Trans>
    </TextLink>
  </chakra.p>
);

/** The titles that have been loaded so far. */
const ListShown = ({ actor }: { actor: CatalogueActor }): ReactElement | null => {
  const page = useSelector(actor, ({ context }) => context.page);
  const path = useSelector(actor, ({ context }) => context.route.path);
  if (page === null) return null;
  return (
    <>
      {page.isPart ? <BackToStartLink actor={actor} /> : null}
      <CoverGrid key={path} actor={actor} list={page} />
      <LoadMore actor={actor} list={page} />
    </>
  );
};

const maxBrowseCategories = 8;

/** Links to popular titles and to categories, for a search without results. */
const Browse = (): ReactElement => {
  const { t } = useLingui();
  const categories = useApp((context) => context.categories);
  return (
    <chakra.nav aria-label={t`Browse`} display="flex" flexWrap="wrap" justifyContent="center" gap={2} mb={16}>
      <Chip href="/all/popular" look="plain">
        <Trans>Most popular</Trans>
      </Chip>
      {categories.slice(0, maxBrowseCategories).map((category) => (
        <Chip key={category.id} href={categoryPath(category)} look="plain">
          {category.name}
        </Chip>
      ))}
    </chakra.nav>
  );
};

/**
 * The screen of an empty list, with links to the list without its filters or its search, and to all
 * titles.
 */
const ListEmpty = ({ actor }: { actor: CatalogueActor }): ReactElement => {
  const { search, ...query } = useSelector(actor, ({ context }) => context.query);
  const route = useSelector(actor, ({ context }) => context.route);
  const { hidesFilters } = useBrand();
  const isFiltered = hasActiveFilters({ search, ...query });
  const isWholeCatalogue = query.of.kind === 'all' && query.type === 'all' && !isFiltered;
  const emptyHeading = isFiltered ? <Trans>No titles match these filters</Trans> : <Trans>There are no titles here yet</Trans>;
  return (
    <>
      <Empty
        heading={search === '' ? emptyHeading : <Trans>No titles match “{search}”</Trans>}
        actions={
          <>
            {isFiltered && !hidesFilters ? (
              <ButtonLink ref={moveFocusOnRemoval} href={changeListPath(route, { ...clearedFilters, search })}>
                <Trans>Clear filters</Trans>
              </ButtonLink>
            ) : null}
            {search !== '' && !isWholeCatalogue ? (
              <>
                <ButtonLink href={searchPath(search)} look="outline">
                  <Trans>Search all titles</Trans>
                </ButtonLink>
                <ButtonLink href={changeListPath(route, { search: '' })} look="outline">
                  <Trans>Clear the search</Trans>
                </ButtonLink>
              </>
            ) : null}
            <ButtonLink href="/all" look="outline">
              <Trans>See all titles</Trans>
            </ButtonLink>
          </>
        }
      >
        {search === '' ? (
          isFiltered ? (
            <Trans>Remove a filter to see more.</Trans>
          ) : (
            <Trans>Try another type of title or another category.</Trans>
          )
        ) : (
          <Trans>Check the spelling, or try fewer words.</Trans>
        )}
      </Empty>
      {search === '' ? null : <Browse />}
    </>
  );
};

/**
 * The screen for a URL that matches no category and, where it may name a title, no title of the
 * shop.
 */
const ListNotFound = ({ actor }: { actor: CatalogueActor }): ReactElement => {
  const mayBeTitle = useSelector(actor, ({ context: { query } }) => query.of.kind === 'category' && query.of.titleBy !== null);
  return (
    <Empty
      level={1}
      heading={
        mayBeTitle ? <Trans>We couldn’t find that title or category</Trans> : <Trans>We couldn’t find that category</Trans>
      }
      actions={
        <ButtonLink href="/all">
          <Trans>See all titles</Trans>
        </ButtonLink>
      }
    >
      <Trans>It may have been renamed or removed.</Trans>
    </Empty>
  );
};

/** The screen of a list that could not be loaded. */
const ListFailed = ({ actor }: { actor: CatalogueActor }): ReactElement => (
  <LoadFailure actor={actor} level={2} heading={<Trans>We couldn’t load the titles</Trans>} />
);

export const catalogueScreens: Screens<typeof catalogueMachine> = {
  loading: ListLoading,
  shown: ListShown,
  redirecting: ListLoading,
  empty: ListEmpty,
  notFound: ListNotFound,
  failed: ListFailed,
};

const Columns = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', md: '12rem minmax(0, 1fr)', xl: '13rem minmax(0, 1fr)' },
    columnGap: { md: 8, xl: 10 },
    alignItems: 'start',
  },
});

/**
 * The form's submit button in browsers without scripts. It comes after the prices' button, since
 * Enter presses the form's first submit button.
 */
const SendChoices = (): ReactElement => (
  <chakra.div display="none" css={{ '@media (scripting: none)': { display: 'grid', justifyContent: 'end', mb: 6 } }}>
    <Button type="submit" form={listFormId} look="outline" size="sm">
      <Trans>Show titles</Trans>
    </Button>
  </chakra.div>
);

type FiltersProps = { actor: CatalogueActor; children: ReactNode };

/**
 * Renders one heading and one set of filters for all states, so that typed and chosen values and
 * the focus stay.
 */
const WithFilters = ({ actor, children }: FiltersProps): ReactElement => {
  const { hidesFilters } = useBrand();
  return (
    <>
      <ListHead actor={actor} />
      <TitleCount actor={actor} />
      {hidesFilters ? (
        children
      ) : (
        <Columns>
          <Filters actor={actor} />
          <chakra.div minWidth={0}>
            <SendChoices />
            {children}
          </chakra.div>
        </Columns>
      )}
    </>
  );
};

/** A list of titles: all, of a kind, category, catalog or title set, or of a search. */
export const CatalogueView = ({ actor }: { actor: CatalogueActor }): ReactElement => (
  <FlowScreen flow="catalogue" actor={actor} screens={catalogueScreens}>
    {(screen, state) => <Page>{state === 'notFound' ? screen : <WithFilters actor={actor}>{screen}</WithFilters>}</Page>}
  </FlowScreen>
);
