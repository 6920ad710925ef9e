import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/catalogue.ts';
import { Unseen } from '../../ui/Unseen.ts';
import { CoverGrid, CoverGridSkeleton } from './CoverGrid.tsx';

/** The list is being fetched; when it is sorted or searched anew, what was there stays until then. */
export const ListLoading = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement => {
  const titles = useSelector(actor, ({ context }) => context.page?.titles ?? null);
  return (
    <>
      <Unseen role="status">
        <Trans>Looking along the shelves…</Trans>
      </Unseen>
      {titles === null || titles.length === 0 ? <CoverGridSkeleton /> : <CoverGrid titles={titles} waiting />}
    </>
  );
};
