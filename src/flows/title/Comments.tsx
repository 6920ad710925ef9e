import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { titleMachine } from '../../../machines/browsing/title.ts';
import { chakra } from '../../ui/chakra.ts';

type CommentsState = Extract<SnapshotFrom<typeof titleMachine>['value'], object>['shown']['comments'];

/**
 * Readers' comments on the title. The inner element is filled by the comments service, which is
 * loaded when that element scrolls into view.
 */
export const Comments = ({ actor }: { actor: ActorRefFrom<typeof titleMachine> }): ReactElement | null => {
  const { t } = useLingui();
  const state = useSelector(actor, ({ value }): CommentsState => (typeof value === 'object' ? value.shown.comments : 'deciding'));
  if (state === 'deciding' || state === 'hidden') return null;
  return (
    <chakra.section aria-label={t`Comments`} maxWidth="46rem">
      <chakra.h2 fontSize="2xl" mb={4} hidden={state !== 'shown'}>
        {t`Comments`}
      </chakra.h2>
      <chakra.div data-in-view="comments" minHeight="6rem" />
    </chakra.section>
  );
};
