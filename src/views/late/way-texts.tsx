import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import type { Order } from '../../../machines/buying/payment-setup.ts';
import { costsNothing, type Context } from '../../../machines/buying/purchase/context.ts';
import { isGift } from '../../../machines/buying/purchase/offer.ts';
import { money } from '../../brand/format.ts';
import { Spinner } from '../../ui/Loading.tsx';
import { Empty } from '../../ui/Message.tsx';
import { useChosenCredits } from './credits-text.ts';

/** The names of the ways to pay beside cards and credits. */
export const methodNames: Record<string, ReactElement> = {
  wallet: <Trans>Digital wallet</Trans>,
  // A name of its own in every language.
  upi: <>UPI</>,
  netbanking: <Trans>Net banking</Trans>,
};

/** A kept card pays. The price of a plan may not be known. */
const paysByCard = ({ of, cardId, price }: Context): boolean => cardId !== null && (price !== null || of === 'subscription');

/** The text of the one button that starts a payment: the way to pay, and the amount. */
export const PayText = ({ purchase }: { purchase: Context }): ReactElement => {
  const { t, i18n } = useLingui();
  const inCredits = useChosenCredits(purchase);
  const { of, price, tax } = purchase;
  if (costsNothing(purchase)) return isGift(purchase) ? <Trans>Send the gift</Trans> : <Trans>Get it for free</Trans>;
  if (inCredits !== null) return <>{isGift(purchase) ? t`Give it for ${inCredits}` : t`Get it for ${inCredits}`}</>;
  if (!paysByCard(purchase)) return <Trans>Continue to payment</Trans>;
  if (of === 'subscription' || price === null) return <Trans>Subscribe</Trans>;
  const amount = money(tax === null ? price : { ...price, amount: tax.priceWithTax }, i18n.locale);
  return <Trans>Pay {amount}</Trans>;
};

/** When and where what was chosen is charged. */
export const PaymentNote = ({ purchase }: { purchase: Context }): ReactElement => {
  const { t } = useLingui();
  const inCredits = useChosenCredits(purchase);
  if (inCredits !== null) return <>{t`We’ll take ${inCredits} from your balance as soon as you press the button.`}</>;
  if (paysByCard(purchase) && (purchase.plan?.trialDays ?? 0) > 0)
    return (
      <Trans>
        If your first days are free, we’ll charge your card after them; otherwise as soon as you press the button. This shop never
        sees your card details.
      </Trans>
    );
  if (paysByCard(purchase))
    return <Trans>We’ll charge your card as soon as you press the button. This shop never sees your card details.</Trans>;
  return purchase.method === null ? (
    <Trans>You’ll pay by card on our payment provider’s secure page. This shop never sees your card details.</Trans>
  ) : (
    <Trans>You’ll pay on our payment provider’s secure page.</Trans>
  );
};

export const Wait = ({ heading, children }: { heading: ReactNode; children: ReactNode }): ReactElement => (
  <Empty level={1} picture={<Spinner aria-hidden color="accentInk" fontSize="2xl" />} heading={heading}>
    {children}
  </Empty>
);

/** A kept card is charged. */
export const Charging = (): ReactElement => (
  <Wait heading={<Trans>Paying…</Trans>}>
    <Trans>This takes a few seconds. You won’t be charged twice, even if you close this page.</Trans>
  </Wait>
);

/** The wait while a payment begins. */
export const Beginning = ({ order: { free, cardId, credits, gift } }: { order: Order }): ReactElement => {
  if (cardId !== null) return <Charging />;
  if (free && gift !== null)
    return (
      <Wait heading={<Trans>Sending your gift…</Trans>}>
        <Trans>There’s nothing to pay.</Trans>
      </Wait>
    );
  if (credits !== null)
    return (
      <Wait heading={gift === null ? <Trans>Adding the title to your library…</Trans> : <Trans>Sending your gift…</Trans>}>
        <Trans>This takes a few seconds. Your credits won’t be taken twice, even if you close this page.</Trans>
      </Wait>
    );
  return free ? (
    <Wait heading={<Trans>Adding the title to your library…</Trans>}>
      <Trans>There’s nothing to pay.</Trans>
    </Wait>
  ) : (
    <Wait heading={<Trans>Taking you to the payment page…</Trans>}>
      <Trans>You won’t be charged until you confirm.</Trans>
    </Wait>
  );
};
