import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { pathWith } from '../../../machines/model/list.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Message.tsx';
import { DidNotCome } from '../../views/DidNotCome.tsx';
import { isNarrowed, without } from './filters-off.ts';

type Actor = ActorRefFrom<typeof catalogueMachine>;

/** Nothing of the kind, and a way on: past the filters, or back to all. */
export const ListEmpty = ({ actor }: { actor: Actor }): ReactElement => {
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
export const ListNotFound = ({ actor }: { actor: Actor }): ReactElement => {
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
export const ListFailed = ({ actor }: { actor: Actor }): ReactElement => (
  <DidNotCome actor={actor} level={2} heading={<Trans>The titles did not come</Trans>} />
);
