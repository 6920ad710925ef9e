import { cartPath } from '../../../machines/model/paths.ts';
import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { cartCheckoutMachine } from '../../../machines/buying/cart-checkout.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import { Failed as FailedMessage, Message } from '../../ui/Message.tsx';
import { problemText } from '../../views/problem-text.ts';

export type CartCheckoutProps = { actor: ActorRefFrom<typeof cartCheckoutMachine> };

const CartLink = ({ look }: { look?: 'outline' }): ReactElement => (
  <ButtonLink href={cartPath} {...(look === undefined ? {} : { look })}>
    <Trans>Back to your cart</Trans>
  </ButtonLink>
);

type OnwardProps = CartCheckoutProps & { children: ReactElement };

const Onward = ({ actor, children }: OnwardProps): ReactElement => (
  <>
    <EventButton actor={actor} event={{ type: 'retry.pressed' }}>
      {children}
    </EventButton>
    <CartLink look="outline" />
  </>
);

/** The words of buying one title would mislead. */
const reason = (problem: Problem): ReactElement => {
  if (problem.kind === 'refused' && problem.code === 'conflict')
    return <Trans>You’re already paying for one of these titles in another window.</Trans>;
  if (problem.kind === 'refused' && problem.code === 'cart_empty') return <Trans>There’s nothing to pay for in your cart.</Trans>;
  return problemText(problem);
};

export const Failed = ({ actor }: CartCheckoutProps): ReactElement => {
  const problem = useSelector(actor, (state) => state.context.problem);
  return (
    <FailedMessage
      level={1}
      heading={<Trans>The payment didn’t go through</Trans>}
      actions={
        <Onward actor={actor}>
          <Trans>Try again</Trans>
        </Onward>
      }
    >
      {problem === null ? <Trans>You haven’t been charged.</Trans> : reason(problem)}
    </FailedMessage>
  );
};

export const Cancelled = ({ actor }: CartCheckoutProps): ReactElement => (
  <Message
    level={1}
    heading={<Trans>Purchase cancelled</Trans>}
    actions={
      <Onward actor={actor}>
        <Trans>Start over</Trans>
      </Onward>
    }
  >
    <Trans>You haven’t been charged. Your cart is as it was.</Trans>
  </Message>
);

export const Changed = ({ actor }: CartCheckoutProps): ReactElement => (
  <Message
    role="alert"
    level={1}
    heading={<Trans>Your cart has changed</Trans>}
    actions={
      <Onward actor={actor}>
        <Trans>See the new total</Trans>
      </Onward>
    }
  >
    <Trans>
      A price has changed, or a title is already in your library. You haven’t been charged. Please check before you pay.
    </Trans>
  </Message>
);

export const NotFound = ({ actor }: CartCheckoutProps): ReactElement => (
  <Message
    level={1}
    failure
    heading={<Trans>We couldn’t find this payment</Trans>}
    actions={
      <Onward actor={actor}>
        <Trans>Start over</Trans>
      </Onward>
    }
  >
    <Trans>The link may be wrong, or it’s somebody else’s payment. You haven’t been charged.</Trans>
  </Message>
);

export const Nothing = (): ReactElement => (
  <Message level={1} heading={<Trans>There’s nothing to pay</Trans>} actions={<CartLink />}>
    <Trans>Your cart is empty, or what’s in it isn’t for sale.</Trans>
  </Message>
);

export const Unavailable = ({ actor }: CartCheckoutProps): ReactElement => {
  const problem = useSelector(actor, (state) => state.context.problem);
  return (
    <FailedMessage
      level={1}
      heading={<Trans>We can’t start your purchase right now</Trans>}
      actions={
        <Onward actor={actor}>
          <Trans>Try again</Trans>
        </Onward>
      }
    >
      {problem === null ? null : reason(problem)}
    </FailedMessage>
  );
};
