import { Plural, Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { isGift } from '../../../machines/buying/purchase/offer.ts';
import type { CartQuote } from '../../../machines/model/buying/cart.ts';
import { chakra } from '../../ui/chakra.ts';
import { CartSummary } from '../../views/lazy/CartSummary.tsx';
import { GiftTitle } from './GiftTitle.tsx';
import { PlanSummary } from './PlanSummary.tsx';
import { usePurchase, type PurchaseProps } from './props.ts';

/** A note about the cart lines that are not paid for now; null if all are. */
const UnpaidLines = ({ quote: { lines } }: { quote: CartQuote }): ReactElement | null => {
  const unpaidCount = lines.filter(({ state }) => state !== 'payable' && state !== 'reward').length;
  const owned = lines.filter(({ state }) => state === 'owned').length;
  return unpaidCount === 0 ? null : (
    <chakra.p fontSize="sm" color="inkMuted">
      {owned === 0 ? null : (
        <Plural
          value={owned}
          one="# title in your cart is already in your library: you won’t pay for it again."
          other="# titles in your cart are already in your library: you won’t pay for them again."
        />
      )}{' '}
      {unpaidCount === owned ? null : <Trans>Your cart says why the rest isn’t part of this payment.</Trans>}
    </chakra.p>
  );
};

/**
 * The goods of a purchase: a plan, a title as a gift, or the payable lines of the cart. A title for
 * the customer's own library is shown by `SummaryCard`.
 */
export const Goods = ({ actor }: PurchaseProps): ReactElement | null => {
  const purchase = usePurchase(actor);
  const { title, cart, plan, price, credits, addsTax, isReduced } = purchase;
  if (plan !== null) return <PlanSummary plan={plan} byCode={isReduced} />;
  if (cart === null) return title === null ? null : <GiftTitle title={title} price={price} credits={credits} />;
  return (
    <>
      <CartSummary quote={cart} hasTotal={!addsTax} />
      {isGift(purchase) ? null : <UnpaidLines quote={cart} />}
    </>
  );
};
