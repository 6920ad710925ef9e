import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import { hasNoGoods } from '../../../machines/buying/purchase/context.ts';
import { isGift, isCartPurchase } from '../../../machines/buying/purchase/offer.ts';
import { libraryPath } from '../../../machines/model/paths.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Failed as FailedMessage, Message } from '../../ui/Message.tsx';
import { NoSuchPlan, SubscriberLinks } from '../../views/lazy/subscription-messages.tsx';
import { Back } from './Back.tsx';
import { usePurchase, type PurchaseProps } from './props.ts';
import { formatReason } from './reason.tsx';

type NextActionsProps = PurchaseProps & { children: ReactElement };

/** Buttons to try again, or to go back. */
const NextActions = ({ actor, children }: NextActionsProps): ReactElement => (
  <>
    <EventButton actor={actor} event={{ type: 'retry.pressed' }}>
      {children}
    </EventButton>
    <Back actor={actor} />
  </>
);

type UnpaidProps = PurchaseProps & { heading: ReactNode; defaultText?: ReactElement };

/** A failed purchase, with the reason. */
const Unpaid = ({ actor, heading, defaultText }: UnpaidProps): ReactElement => {
  const { of, problem } = usePurchase(actor);
  return (
    <FailedMessage
      level={1}
      heading={heading}
      actions={
        <NextActions actor={actor}>
          <Trans>Try again</Trans>
        </NextActions>
      }
    >
      {problem === null ? defaultText : formatReason(problem, of)}
    </FailedMessage>
  );
};

export const PurchaseFailed = ({ actor }: PurchaseProps): ReactElement => {
  const { of } = usePurchase(actor);
  return (
    <Unpaid
      actor={actor}
      heading={of === 'subscription' ? <Trans>You haven’t subscribed</Trans> : <Trans>The payment didn’t go through</Trans>}
      defaultText={<Trans>You haven’t been charged.</Trans>}
    />
  );
};

export const Unavailable = ({ actor }: PurchaseProps): ReactElement => {
  const purchase = usePurchase(actor);
  return (
    <Unpaid
      actor={actor}
      heading={
        isGift(purchase) ? (
          <Trans>We can’t prepare your gift right now</Trans>
        ) : (
          <Trans>We can’t start your purchase right now</Trans>
        )
      }
    />
  );
};

export const PurchaseCancelled = ({ actor }: PurchaseProps): ReactElement => {
  const purchase = usePurchase(actor);
  return (
    <Message
      level={1}
      heading={isGift(purchase) ? <Trans>Your gift hasn’t been sent</Trans> : <Trans>Purchase cancelled</Trans>}
      actions={<NextActions actor={actor}>{isGift(purchase) ? <Trans>Try again</Trans> : <Trans>Start over</Trans>}</NextActions>}
    >
      {isGift(purchase) ? (
        <Trans>You haven’t been charged. What you’ve written is still there.</Trans>
      ) : isCartPurchase(purchase) ? (
        <Trans>You haven’t been charged. Your cart is as it was.</Trans>
      ) : (
        <Trans>You haven’t been charged.</Trans>
      )}
    </Message>
  );
};

export const PriceChanged = ({ actor }: PurchaseProps): ReactElement => {
  const purchase = usePurchase(actor);
  const isCart = isCartPurchase(purchase);
  return (
    <Message
      role="alert"
      level={1}
      heading={isCart ? <Trans>Your cart has changed</Trans> : <Trans>The price has changed</Trans>}
      actions={
        <NextActions actor={actor}>{isCart ? <Trans>See the new total</Trans> : <Trans>See the new price</Trans>}</NextActions>
      }
    >
      {isCart && isGift(purchase) ? (
        <Trans>A price or the contents of your cart have changed. You haven’t been charged. Please check before you pay.</Trans>
      ) : isCart ? (
        <Trans>
          A price has changed, or a title is already in your library. You haven’t been charged. Please check before you pay.
        </Trans>
      ) : (
        <Trans>You haven’t been charged. Please check the new price before you pay.</Trans>
      )}
    </Message>
  );
};

/** If the purchase's title, cart or plan is unknown after a return, it cannot be started again. */
export const PaymentNotFound = ({ actor }: PurchaseProps): ReactElement => {
  const cannotStartOver = hasNoGoods(usePurchase(actor));
  return (
    <Message
      level={1}
      failure
      heading={<Trans>We couldn’t find this payment</Trans>}
      actions={
        cannotStartOver ? (
          <Back actor={actor} />
        ) : (
          <NextActions actor={actor}>
            <Trans>Start over</Trans>
          </NextActions>
        )
      }
    >
      <Trans>The link may be wrong, or it’s someone else’s payment. You haven’t been charged.</Trans>
    </Message>
  );
};

/**
 * Shown until the receipt opens. A subscription's receipt is a new page, which may not open
 * automatically.
 */
export const PurchaseSucceeded = ({ actor }: PurchaseProps): ReactElement => {
  const { of } = usePurchase(actor);
  return of === 'subscription' ? (
    <Message
      level={1}
      heading={<Trans>You’re subscribed.</Trans>}
      actions={
        <EventButton actor={actor} event={{ type: 'continue.pressed' }}>
          <Trans>Continue</Trans>
        </EventButton>
      }
    />
  ) : (
    <Loading>
      <Trans>Thank you! Preparing your receipt…</Trans>
    </Loading>
  );
};

const Subscribed = (): ReactElement => (
  <Message level={1} heading={<Trans>You’re already subscribed</Trans>} actions={<SubscriberLinks />}>
    <Trans>You haven’t been charged.</Trans>
  </Message>
);

export const AlreadyOwned = ({ actor }: PurchaseProps): ReactElement => {
  const { readsHere } = useBrand();
  const { t } = useLingui();
  const { of, title } = usePurchase(actor);
  const name = title?.name ?? '';
  if (of === 'subscription') return <Subscribed />;
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
          <ButtonLink href={libraryPath()} look="outline">
            <Trans>My Library</Trans>
          </ButtonLink>
        </>
      }
    >
      {t`“${name}” is in your library. There’s nothing to pay.`}
    </Message>
  );
};

export const NotOffered = ({ actor }: PurchaseProps): ReactElement => {
  const { of } = usePurchase(actor);
  if (of === 'subscription') return <NoSuchPlan />;
  return (
    <Message level={1} heading={<Trans>This shop doesn’t offer gifts</Trans>} actions={<Back actor={actor} />}>
      <Trans>Titles can’t be given as gifts in this shop.</Trans>
    </Message>
  );
};

export const NotForSale = ({ actor }: PurchaseProps): ReactElement => {
  const { t } = useLingui();
  const purchase = usePurchase(actor);
  const name = purchase.title?.name ?? '';
  if (isCartPurchase(purchase))
    return (
      <Message
        level={1}
        heading={isGift(purchase) ? <Trans>There’s nothing to give</Trans> : <Trans>There’s nothing to pay</Trans>}
        actions={<Back actor={actor} />}
      >
        {isGift(purchase) ? (
          <Trans>Your cart is empty, or what’s in it isn’t for sale or is in your library already.</Trans>
        ) : (
          <Trans>Your cart is empty, or what’s in it isn’t for sale.</Trans>
        )}
      </Message>
    );
  return (
    <Message level={1} heading={<Trans>Not for sale right now</Trans>} actions={<Back actor={actor} />}>
      {isGift(purchase) ? t`“${name}” can’t be given as a gift right now.` : t`“${name}” isn’t available to buy right now.`}
    </Message>
  );
};

export const NotFound = ({ actor }: PurchaseProps): ReactElement => {
  const { of } = usePurchase(actor);
  if (of === 'subscription') return <NoSuchPlan />;
  return (
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
};
