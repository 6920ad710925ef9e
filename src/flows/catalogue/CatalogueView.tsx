import { useSelector } from '@xstate/react';
import type { ComponentType, ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { catalogueMachine, List } from '../../../machines/browsing/catalogue.ts';
import { Page } from '../../ui/Page.tsx';
import { stateName, type StateName } from '../../views/state-name.ts';
import { ListHead } from './ListHead.tsx';
import { Trans, useLingui } from '@lingui/react/macro';
import { pathWith } from '../../../machines/model/list.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Message.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { isNarrowed, without } from './FilterChips.tsx';
import { count } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { Spinner } from '../../ui/Loading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import { problemText } from '../../views/problem-text.ts';
import { CoverGrid, CoverGridSkeleton } from './CoverGrid.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';

type CatalogueActor = ActorRefFrom<typeof catalogueMachine>;

/** The list is being fetched; while it is sorted or filtered again, the old titles stay. */
const ListLoading = ({ actor }: { actor: CatalogueActor }): ReactElement => {
  const page = useSelector(actor, ({ context }) => context.page);
  return (
    <>
      <VisuallyHidden role="status">
        <Trans>Looking along the shelves…</Trans>
      </VisuallyHidden>
      {page === null || page.count === 0 ? <CoverGridSkeleton /> : <CoverGrid actor={actor} list={page} waiting />}
    </>
  );
};

/** More comes by itself near the end; this is for those who get there without scrolling, and after a failure. */
const More = ({ actor, list }: { actor: CatalogueActor; list: List }): ReactElement | null => {
  const { i18n } = useLingui();
  const problem = useSelector(actor, ({ context }) => context.problem);
  const isArriving = useSelector(actor, (snapshot) => snapshot.matches({ shown: 'arriving' }));
  const hasFailed = useSelector(actor, (snapshot) => snapshot.matches({ shown: 'moreFailed' }));
  if (!isArriving && !hasFailed && !list.hasMore) return null;
  const seen = count(list.count, i18n.locale);
  const total = list.total === null ? null : count(list.total, i18n.locale);
  return (
    <chakra.div display="grid" justifyItems="center" gap={4} mt={10}>
      {hasFailed && problem !== null ? <Notice tone="danger">{problemText(problem)}</Notice> : null}
      {total === null ? null : (
        <chakra.p color="inkMuted" fontSize="sm">
          <Trans>
            {seen} of {total}
          </Trans>
        </chakra.p>
      )}
      <EventButton actor={actor} event={{ type: 'more.requested' }} look="outline" minWidth="14rem">
        {isArriving ? <Spinner aria-hidden="true" /> : null}
        {hasFailed ? <Trans>Retry</Trans> : <Trans>Show more</Trans>}
      </EventButton>
    </chakra.div>
  );
};

/** The titles that were found, as far as they have come. */
const ListShown = ({ actor }: { actor: CatalogueActor }): ReactElement | null => {
  const page = useSelector(actor, ({ context }) => context.page);
  const path = useSelector(actor, ({ context }) => context.route.path);
  if (page === null) return null;
  return (
    <>
      <CoverGrid key={path} actor={actor} list={page} />
      <More actor={actor} list={page} />
    </>
  );
};

/** No titles, and where to go next: without the filters, or back to all titles. */
const ListEmpty = ({ actor }: { actor: CatalogueActor }): ReactElement => {
  const { search, ...query } = useSelector(actor, ({ context }) => context.query);
  const route = useSelector(actor, ({ context }) => context.route);
  const { hidesFilters } = useBrand();
  const isFiltered = isNarrowed({ search, ...query });
  const unmatched = isFiltered ? <Trans>No titles match these filters</Trans> : <Trans>There are no titles here yet</Trans>;
  return (
    <Empty
      heading={search === '' ? unmatched : <Trans>No titles match “{search}”</Trans>}
      actions={
        <>
          {isFiltered && !hidesFilters ? (
            <ButtonLink href={pathWith(route, { ...without, search })}>
              <Trans>Clear the filters</Trans>
            </ButtonLink>
          ) : null}
          <ButtonLink href="/all" look="outline">
            <Trans>See all titles</Trans>
          </ButtonLink>
        </>
      }
    >
      {search === '' ? (
        <Trans>Try another kind of title, or another category.</Trans>
      ) : (
        <Trans>Check the spelling, or try fewer words.</Trans>
      )}
    </Empty>
  );
};

/** The address names a category that the shop does not have, nor a title where it might be one's. */
const ListNotFound = ({ actor }: { actor: CatalogueActor }): ReactElement => {
  const mayBeTitle = useSelector(actor, ({ context: { query } }) => query.of.kind === 'category' && query.of.titleBy !== null);
  return (
    <Empty
      level={1}
      heading={mayBeTitle ? <Trans>There is no such title or category</Trans> : <Trans>There is no such category</Trans>}
      actions={
        <ButtonLink href="/all">
          <Trans>See all titles</Trans>
        </ButtonLink>
      }
    >
      <Trans>It may have been renamed or taken down.</Trans>
    </Empty>
  );
};

/** The list did not come. */
const ListFailed = ({ actor }: { actor: CatalogueActor }): ReactElement => (
  <LoadFailure actor={actor} level={2} heading={<Trans>The titles did not come</Trans>} />
);

export const catalogueScreens: Record<
  StateName<StateValueFrom<typeof catalogueMachine>>,
  ComponentType<{ actor: CatalogueActor }>
> = {
  loading: ListLoading,
  shown: ListShown,
  leading: ListLoading,
  empty: ListEmpty,
  notFound: ListNotFound,
  failed: ListFailed,
};

/** A list of titles: all, of a kind, of a category, or found. */
export const CatalogueView = ({ actor }: { actor: CatalogueActor }): ReactElement => {
  const value = useSelector(actor, (snapshot) => snapshot.value);
  const state = stateName(value);
  const Screen = catalogueScreens[state];
  return (
    <Page data-flow="catalogue" data-state={JSON.stringify(value)}>
      {/* One head through all states: what was typed or chosen in it, and the focus, stay. */}
      {state === 'notFound' ? null : <ListHead actor={actor} />}
      <Screen actor={actor} />
    </Page>
  );
};
