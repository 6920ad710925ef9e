import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { CoverGrid, CoverGridSkeleton } from './CoverGrid.tsx';

/** The list is being fetched; when it is sorted or narrowed anew, what was there stays until then. */
export const ListLoading = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement => {
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
