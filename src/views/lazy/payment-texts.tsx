import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import type { Order } from '../../../machines/buying/payment-setup.ts';
import { isFreeTitle, type Context } from '../../../machines/buying/purchase/context.ts';
import { getTrial } from '../../../machines/model/buying/subscription.ts';
import { isGift } from '../../../machines/buying/purchase/offer.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { formatMoney, joinNames } from '../../brand/format.ts';
import { Spinner } from '../../ui/Loading.tsx';
import { Empty } from '../../ui/Message.tsx';
import { useChosenCredits } from './credits-text.ts';

/** Proper names, the same in every language, by the gateways' identifiers. */
const brands: Readonly<Record<string, string>> = { paypal: 'PayPal', amazon_pay: 'Amazon Pay', link: 'Link' };

/**
 * The name of the payment method “wallet”, with the names of the wallets that the payment page
 * accepts, if known.
 */
const Wallet = (): ReactElement => {
  const { i18n } = useLingui();
  const { wallets } = useBrand().store;
  if (wallets.includes('test')) return <Trans>Test wallet</Trans>;
  const walletNames = wallets.flatMap((each) => brands[each] ?? []);
  const list = joinNames(walletNames, i18n.locale);
  return walletNames.length === 0 ? <Trans>Digital wallet</Trans> : <Trans>Digital wallet: {list}</Trans>;
};

/** The names of the payment methods besides cards and credits. */
export const methodNames: Record<string, ReactElement> = {
  wallet: <Wallet />,
  // A proper name, the same in every language.
  upi: <>UPI</>,
  netbanking: <Trans>Net banking</Trans>,
};

/** Whether a saved card is charged. Only the price of a plan may be unknown. */
const isPaidByCard = ({ of, cardId, price }: Context): boolean => cardId !== null && (price !== null || of === 'subscription');

/**
 * The text of the one button that starts a payment: its effect, and the amount if a saved card or
 * credits are charged at once.
 */
export const PayText = ({ purchase }: { purchase: Context }): ReactElement => {
  const { t, i18n } = useLingui();
  const inCredits = useChosenCredits(purchase);
  const { of, price, tax } = purchase;
  if (isFreeTitle(purchase)) return isGift(purchase) ? <Trans>Send the gift</Trans> : <Trans>Get it for free</Trans>;
  if (inCredits !== null) return <>{isGift(purchase) ? t`Give it for ${inCredits}` : t`Get it for ${inCredits}`}</>;
  if (!isPaidByCard(purchase)) return <Trans>Continue to payment</Trans>;
  if (of === 'subscription' || price === null) return <Trans>Subscribe</Trans>;
  const amount = formatMoney(tax === null ? price : { ...price, amount: tax.priceWithTax }, i18n.locale);
  return <Trans>Pay {amount}</Trans>;
};

/** When and where the chosen payment is charged. */
export const PaymentNote = ({ purchase }: { purchase: Context }): ReactElement => {
  const { t } = useLingui();
  const inCredits = useChosenCredits(purchase);
  if (inCredits !== null) return <>{t`We’ll take ${inCredits} from your balance as soon as you press the button.`}</>;
  const { plan, isReduced } = purchase;
  const trial = plan === null ? 'none' : getTrial(plan, isReduced);
  if (isPaidByCard(purchase) && trial === 'certain')
    return <Trans>We’ll charge your card when your free days are over. This shop never sees your card details.</Trans>;
  if (isPaidByCard(purchase) && trial === 'unknown')
    return (
      <Trans>
        If your first days are free, we’ll charge your card after them; otherwise as soon as you press the button. This shop never
        sees your card details.
      </Trans>
    );
  if (isPaidByCard(purchase))
    return <Trans>We’ll charge your card as soon as you press the button. This shop never sees your card details.</Trans>;
  return purchase.method === null ? (
    <Trans>You’ll pay by card on our payment provider’s secure page. This shop never sees your card details.</Trans>
  ) : (
    <Trans>You’ll pay on our payment provider’s secure page.</Trans>
  );
};

export const PaymentWait = ({ heading, children }: { heading: ReactNode; children: ReactNode }): ReactElement => (
  <Empty level={1} picture={<Spinner aria-hidden color="accentInk" fontSize="2xl" />} heading={heading}>
    {children}
  </Empty>
);

/** The message while a saved card is charged. */
export const Charging = (): ReactElement => (
  <PaymentWait heading={<Trans>Paying…</Trans>}>
    <Trans>This takes a few seconds. You won’t be charged twice, even if you close this page.</Trans>
  </PaymentWait>
);

/** The message while a payment starts. */
export const PaymentStarting = ({ order: { free, cardId, credits, gift } }: { order: Order }): ReactElement => {
  if (cardId !== null) return <Charging />;
  if (free && gift !== null)
    return (
      <PaymentWait heading={<Trans>Sending your gift…</Trans>}>
        <Trans>There’s nothing to pay.</Trans>
      </PaymentWait>
    );
  if (credits !== null)
    return (
      <PaymentWait heading={gift === null ? <Trans>Adding the title to your library…</Trans> : <Trans>Sending your gift…</Trans>}>
        <Trans>This takes a few seconds. Your credits won’t be taken twice, even if you close this page.</Trans>
      </PaymentWait>
    );
  return free ? (
    <PaymentWait heading={<Trans>Adding the title to your library…</Trans>}>
      <Trans>There’s nothing to pay.</Trans>
    </PaymentWait>
  ) : (
    <PaymentWait heading={<Trans>Taking you to the payment page…</Trans>}>
      <Trans>You won’t be charged until you confirm.</Trans>
    </PaymentWait>
  );
};
