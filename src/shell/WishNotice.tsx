import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { use, type ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { wishesMachine } from '../../machines/app/wish-list.ts';
import { chakra } from '../ui/chakra.ts';
import { EventButton } from '../ui/EventButton.tsx';
import { FailureFoot } from '../ui/Message.tsx';
import { useFrameChild } from '../views/owned.ts';
import { outageText } from '../views/outage-text.tsx';

const Bar = chakra('div', {
  base: {
    position: 'fixed',
    left: 4,
    right: 4,
    bottom: 4,
    zIndex: 6,
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: 3,
    maxWidth: '40rem',
    mx: 'auto',
    px: 5,
    py: 3,
    bg: 'dangerSoft',
    color: 'ink',
    border: '1px solid',
    borderColor: 'danger',
    borderRadius: 'md',
    boxShadow: 'coverRaised',
  },
});

const Failed = ({ wishes }: { wishes: ActorRefFrom<typeof wishesMachine> }): ReactElement | null => {
  const problem = useSelector(wishes, ({ context }) => context.failure?.problem);
  if (problem === undefined) return null;
  const isFull = problem.kind === 'refused' && problem.code === 'wish_list_full';
  return (
    <Bar role="alert">
      <chakra.p flex="1 1 16rem">
        {isFull ? (
          <Trans>Your wish list is full. Remove a title to make room.</Trans>
        ) : (
          <>
            <strong>
              <Trans>We couldn’t change your wish list.</Trans>
            </strong>{' '}
            {outageText(problem)} {use(FailureFoot)}
          </>
        )}
      </chakra.p>
      {isFull ? null : (
        <EventButton actor={wishes} event={{ type: 'failure.retried' }} size="sm">
          <Trans>Retry</Trans>
        </EventButton>
      )}
      <EventButton actor={wishes} event={{ type: 'failure.closed' }} size="sm" look="outline">
        <Trans>Close</Trans>
      </EventButton>
    </Bar>
  );
};

/** That a title could not be saved or removed, why, and a way to try again; over the page, so that nothing moves. */
export const WishNotice = (): ReactElement | null => {
  const wishes = useFrameChild('wishes');
  return wishes ? <Failed wishes={wishes} /> : null;
};
