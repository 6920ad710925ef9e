import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { use, type ReactElement } from 'react';
import type { ActorRefFrom, AnyActorRef } from 'xstate';
import type { cartLinesMachine } from '../../machines/app/cart.ts';
import type { wishesMachine } from '../../machines/app/wish-list.ts';
import type { Problem } from '../../machines/model/problem.ts';
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

type FailedProps = {
  /** Takes `failure.retried` and `failure.closed`. */
  actor: ActorRefFrom<typeof wishesMachine> | ActorRefFrom<typeof cartLinesMachine>;
  problem: Problem;
  isFull: boolean;
  full: ReactElement;
  heading: ReactElement;
};

const Failed = ({ actor, problem, isFull, full, heading }: FailedProps): ReactElement => (
  <Bar role="alert">
    <chakra.p flex="1 1 16rem">
      {isFull ? (
        full
      ) : (
        <>
          <strong>{heading}</strong> {outageText(problem)} {use(FailureFoot)}
        </>
      )}
    </chakra.p>
    {isFull ? null : (
      <EventButton actor={actor as AnyActorRef} event={{ type: 'failure.retried' }} size="sm">
        <Trans>Retry</Trans>
      </EventButton>
    )}
    <EventButton actor={actor as AnyActorRef} event={{ type: 'failure.closed' }} size="sm" look="outline">
      <Trans>Close</Trans>
    </EventButton>
  </Bar>
);

/** That a title could not be saved or removed, why, and a way to try again; over the page, so that nothing moves. */
export const WishNotice = (): ReactElement | null => {
  const actor = useFrameChild('wishes');
  const problem = useSelector(actor, (snapshot) => snapshot?.context.failure?.problem);
  if (actor === undefined || problem === undefined) return null;
  return (
    <Failed
      actor={actor}
      problem={problem}
      isFull={problem.kind === 'refused' && problem.code === 'wish_list_full'}
      full={<Trans>Your wish list is full. Remove a title to make room.</Trans>}
      heading={<Trans>We couldn’t change your wish list.</Trans>}
    />
  );
};

/** The same of the cart. */
export const CartNotice = (): ReactElement | null => {
  const actor = useFrameChild('cartLines');
  const problem = useSelector(actor, (snapshot) => snapshot?.context.failure?.problem);
  if (actor === undefined || problem === undefined) return null;
  return (
    <Failed
      actor={actor}
      problem={problem}
      isFull={problem.kind === 'refused' && problem.code === 'cart_full'}
      full={<Trans>Your cart is full. Remove a title to make room.</Trans>}
      heading={<Trans>We couldn’t change your cart.</Trans>}
    />
  );
};
