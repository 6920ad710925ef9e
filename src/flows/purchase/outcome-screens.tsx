import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { titlePath } from '../../../machines/model/paths.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Failed as FailedMessage, Message } from '../../ui/Message.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import { problemText } from '../../views/problem-text.ts';
import type { ActorRefFrom } from 'xstate';
import type { checkoutMachine } from '../../../machines/buying/checkout.ts';

export type CheckoutProps = { actor: ActorRefFrom<typeof checkoutMachine> };

/** Back to the title's own page, or to the shop's front when the title is not known. */
const Back = ({ actor }: CheckoutProps): ReactElement => {
  const { title, titleId } = useSelector(actor, (state) => state.context);
  const known = title?.id ?? titleId;
  return known === '' ? (
    <ButtonLink href="/" look="outline">
      <Trans>Back to the shop</Trans>
    </ButtonLink>
  ) : (
    <ButtonLink href={titlePath(known, title?.name ?? '')} look="outline">
      <Trans>Back to the title</Trans>
    </ButtonLink>
  );
};

const Retry = ({ actor, children }: CheckoutProps & { children: ReactElement }): ReactElement => (
  <EventButton actor={actor} event={{ type: 'retry.pressed' }}>
    {children}
  </EventButton>
);

export const Failed = ({ actor }: CheckoutProps): ReactElement => {
  const problem = useSelector(actor, (state) => state.context.problem);
  return (
    <FailedMessage
      level={1}
      heading={<Trans>The payment didn’t go through</Trans>}
      actions={
        <>
          <Retry actor={actor}>
            <Trans>Try again</Trans>
          </Retry>
          <Back actor={actor} />
        </>
      }
    >
      {problem === null ? <Trans>You haven’t been charged.</Trans> : problemText(problem)}
    </FailedMessage>
  );
};

export const Cancelled = ({ actor }: CheckoutProps): ReactElement => (
  <Message
    level={1}
    heading={<Trans>Purchase cancelled</Trans>}
    actions={
      <>
        <Retry actor={actor}>
          <Trans>Start over</Trans>
        </Retry>
        <Back actor={actor} />
      </>
    }
  >
    <Trans>You haven’t been charged.</Trans>
  </Message>
);

export const PriceChanged = ({ actor }: CheckoutProps): ReactElement => (
  <Message
    role="alert"
    level={1}
    heading={<Trans>The price has changed</Trans>}
    actions={
      <>
        <Retry actor={actor}>
          <Trans>See the new price</Trans>
        </Retry>
        <Back actor={actor} />
      </>
    }
  >
    <Trans>You haven’t been charged. Please check the new price before you pay.</Trans>
  </Message>
);

export const Owned = ({ actor }: CheckoutProps): ReactElement => {
  const { readsHere } = useBrand();
  const { t } = useLingui();
  const name = useSelector(actor, (state) => state.context.title?.name ?? '');
  return (
    <Message
      level={1}
      heading={<Trans>You already own this title</Trans>}
      actions={
        <>
          {readsHere ? (
            <EventButton actor={actor} event={{ type: 'read.pressed' }}>
              <Trans>Open now</Trans>
            </EventButton>
          ) : null}
          <ButtonLink href="/mylibrary" look="outline">
            <Trans>My Library</Trans>
          </ButtonLink>
        </>
      }
    >
      {t`“${name}” is in your library. There’s nothing to pay.`}
    </Message>
  );
};

export const NotForSale = ({ actor }: CheckoutProps): ReactElement => {
  const { t } = useLingui();
  const name = useSelector(actor, (state) => state.context.title?.name ?? '');
  return (
    <Message level={1} heading={<Trans>Not for sale at the moment</Trans>} actions={<Back actor={actor} />}>
      {t`“${name}” isn’t available to buy right now.`}
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

export const Unavailable = ({ actor }: CheckoutProps): ReactElement => {
  const problem = useSelector(actor, (state) => state.context.problem);
  return (
    <FailedMessage
      level={1}
      heading={<Trans>We can’t start your purchase right now</Trans>}
      actions={
        <>
          <Retry actor={actor}>
            <Trans>Try again</Trans>
          </Retry>
          <Back actor={actor} />
        </>
      }
    >
      {problem === null ? null : problemText(problem)}
    </FailedMessage>
  );
};
