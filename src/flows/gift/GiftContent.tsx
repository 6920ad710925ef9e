import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { CartSummary } from '../../views/late/CartSummary.tsx';
import { GiftTitle } from './GiftTitle.tsx';
import type { GiftProps } from './outcome-screens.tsx';

/** What is given, and what it costs: a title, or all that is paid for of the cart. */
export const GiftContent = ({ actor }: GiftProps): ReactElement | null => {
  const { title, cart, price, credits, addsTax } = useSelector(actor, ({ context }) => context);
  if (cart !== undefined) return <CartSummary quote={cart} hasTotal={addsTax !== true} />;
  return title === null ? null : <GiftTitle title={title} price={price} credits={credits} />;
};
