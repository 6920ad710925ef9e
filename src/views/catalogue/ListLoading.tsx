import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/catalogue.ts';
import { Unseen } from '../../ui/Unseen.ts';
import { CoverGrid, CoverGridSkeleton } from './CoverGrid.tsx';

/** The list is being fetched; when it is sorted or narrowed anew, what was there stays until then. */
export const ListLoading = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement => {
  const page = useSelector(actor, ({ context }) => context.page);
  return (
    <>
      <Unseen role="status">
        <Trans>Looking along the shelves…</Trans>
      </Unseen>
      {page === null || page.count === 0 ? <CoverGridSkeleton /> : <CoverGrid actor={actor} list={page} waiting />}
    </>
  );
};
