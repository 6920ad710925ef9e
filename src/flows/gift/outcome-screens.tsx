import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { giftMachine } from '../../../machines/buying/gift.ts';
import { cartPath, titlePath } from '../../../machines/model/paths.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import { Failed as FailedMessage, Message } from '../../ui/Message.tsx';
import { problemText } from '../../views/problem-text.ts';

export type GiftProps = { actor: ActorRefFrom<typeof giftMachine> };

/** Back to the title's own page, or to the shop's front when the title is not known. */
const Back = ({ actor }: GiftProps): ReactElement => {
  const { title, titleId, ofCart } = useSelector(actor, (state) => state.context);
  if (ofCart)
    return (
      <ButtonLink href={cartPath} look="outline">
        <Trans>Back to your cart</Trans>
      </ButtonLink>
    );
  return titleId === '' ? (
    <ButtonLink href="/" look="outline">
      <Trans>Back to the shop</Trans>
    </ButtonLink>
  ) : (
    <ButtonLink href={titlePath(titleId, title?.name ?? '')} look="outline">
      <Trans>Back to the title</Trans>
    </ButtonLink>
  );
};

const Onward = ({ actor, children }: GiftProps & { children: ReactElement }): ReactElement => (
  <>
    <EventButton actor={actor} event={{ type: 'retry.pressed' }}>
      {children}
    </EventButton>
    <Back actor={actor} />
  </>
);

/** The words of buying a title for oneself would mislead. */
export const reason = (problem: Problem): ReactElement => {
  const code = problem.kind === 'refused' ? problem.code : '';
  if (code === 'gift_day') return <Trans>This day has passed, or is more than a year away. Please choose another.</Trans>;
  if (code === 'gift_info') return <Trans>Something about the recipient can’t be right. Please check what you’ve entered.</Trans>;
  if (code === 'gift_link')
    return <Trans>Web and email addresses aren’t allowed in the name or the message. Please take them out.</Trans>;
  if (code === 'giver_link')
    return (
      <Trans>
        Your own name looks like a web or email address, and the recipient would read it. Please change it in your account first.
      </Trans>
    );
  if (code === 'gifting_off') return <Trans>This shop no longer offers gifts.</Trans>;
  if (code === 'conflict') return <Trans>This gift is being paid for in another window.</Trans>;
  if (code === 'cart_empty') return <Trans>There’s nothing to pay for in your cart.</Trans>;
  return problemText(problem);
};

export const Failed = ({ actor }: GiftProps): ReactElement => {
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

export const Cancelled = ({ actor }: GiftProps): ReactElement => (
  <Message
    level={1}
    heading={<Trans>Your gift hasn’t been sent</Trans>}
    actions={
      <Onward actor={actor}>
        <Trans>Start over</Trans>
      </Onward>
    }
  >
    <Trans>You haven’t been charged. What you’ve written is still there.</Trans>
  </Message>
);

export const PriceChanged = ({ actor }: GiftProps): ReactElement => {
  const ofCart = useSelector(actor, (state) => state.context.ofCart);
  return (
    <Message
      role="alert"
      level={1}
      heading={ofCart ? <Trans>Your cart has changed</Trans> : <Trans>The price has changed</Trans>}
      actions={<Onward actor={actor}>{ofCart ? <Trans>See the new total</Trans> : <Trans>See the new price</Trans>}</Onward>}
    >
      {ofCart ? (
        <Trans>A price has changed, or what is in your cart. You haven’t been charged. Please check before you pay.</Trans>
      ) : (
        <Trans>You haven’t been charged. Please check the new price before you pay.</Trans>
      )}
    </Message>
  );
};

export const NotOffered = ({ actor }: GiftProps): ReactElement => (
  <Message level={1} heading={<Trans>This shop has no gifts</Trans>} actions={<Back actor={actor} />}>
    <Trans>Titles can’t be given to somebody else here.</Trans>
  </Message>
);

export const NotForSale = ({ actor }: GiftProps): ReactElement => {
  const { t } = useLingui();
  const { title, ofCart } = useSelector(actor, (state) => state.context);
  const name = title?.name ?? '';
  if (ofCart)
    return (
      <Message level={1} heading={<Trans>There’s nothing to give</Trans>} actions={<Back actor={actor} />}>
        <Trans>Your cart is empty, or what’s in it isn’t for sale or is in your library already.</Trans>
      </Message>
    );
  return (
    <Message level={1} heading={<Trans>Not for sale at the moment</Trans>} actions={<Back actor={actor} />}>
      {t`“${name}” can’t be given to somebody right now.`}
    </Message>
  );
};

export const NotFound = (): ReactElement => (
  <Message
    level={1}
    failure
    heading={<Trans>We couldn’t find that title</Trans>}
    actions={
      <ButtonLink href="/">
        <Trans>Back to the shop</Trans>
      </ButtonLink>
    }
  >
    <Trans>It may no longer be in this shop, or the link may be wrong. You haven’t been charged.</Trans>
  </Message>
);

export const Unavailable = ({ actor }: GiftProps): ReactElement => {
  const problem = useSelector(actor, (state) => state.context.problem);
  return (
    <FailedMessage
      level={1}
      heading={<Trans>We can’t prepare your gift right now</Trans>}
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
