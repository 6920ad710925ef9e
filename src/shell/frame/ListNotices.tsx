import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { use, type ReactElement } from 'react';
import type { AnyActorRef } from 'xstate';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { FailureFoot } from '../../ui/Message.tsx';
import { useFrameChild } from '../../views/ownership.ts';
import { formatOutage } from '../../views/outage-text.tsx';

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

type NoticeProps = {
  list: 'wishes' | 'cartLines';
  /** The code by which a full list refuses a title. */
  fullCode: string;
  /** The text for that code. */
  full: ReactElement;
  heading: ReactElement;
};

/** Notice that a change of a list could not be saved; over the page, so that nothing shifts. */
const ListNotice = ({ list, fullCode, full, heading }: NoticeProps): ReactElement | null => {
  const actor = useFrameChild(list);
  const problem = useSelector(actor, (snapshot) => snapshot?.context.failure?.problem);
  const foot = use(FailureFoot);
  if (actor === undefined || problem === undefined) return null;
  const isFull = problem.kind === 'refused' && problem.code === fullCode;
  return (
    <Bar role="alert">
      <chakra.p flex="1 1 16rem">
        {isFull ? (
          full
        ) : (
          <>
            <strong>{heading}</strong> {formatOutage(problem)} {foot}
          </>
        )}
      </chakra.p>
      {isFull ? null : (
        <EventButton actor={actor as AnyActorRef} event={{ type: 'failure.retried' }} size="sm">
          <Trans>Try again</Trans>
        </EventButton>
      )}
      <EventButton actor={actor as AnyActorRef} event={{ type: 'failure.closed' }} size="sm" look="outline">
        <Trans>Close</Trans>
      </EventButton>
    </Bar>
  );
};

/** Notice that a change of the wish list could not be saved. */
export const WishNotice = (): ReactElement => (
  <ListNotice
    list="wishes"
    fullCode="wish_list_full"
    full={<Trans>Your wish list is full. Remove a title to make room.</Trans>}
    heading={<Trans>We couldn’t change your wish list.</Trans>}
  />
);

/** Notice that a change of the cart could not be saved. */
export const CartNotice = (): ReactElement => (
  <ListNotice
    list="cartLines"
    fullCode="cart_full"
    full={<Trans>Your cart is full. Remove a title to make room.</Trans>}
    heading={<Trans>We couldn’t change your cart.</Trans>}
  />
);
