import { Trans } from '@lingui/react/macro';
import type { ComponentProps, ReactElement } from 'react';
import type { Context } from '../../../machines/buying/purchase/context.ts';
import { isOfCart } from '../../../machines/buying/purchase/offer.ts';
import { cartPath, plansPath, titlePath } from '../../../machines/model/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { usePurchase, type PurchaseProps } from './props.ts';

/** Where the customer has come from, and what a link there says. */
const backFrom = ({ of, title, titleId }: Context): [path: string, text: ReactElement] => {
  const id = title?.id ?? titleId;
  if (isOfCart({ of })) return [cartPath, <Trans key="cart">Back to your cart</Trans>];
  if (of === 'subscription') return [plansPath, <Trans key="plans">See subscriptions</Trans>];
  if (id === '') return ['/', <Trans key="shop">Back to the shop</Trans>];
  return [titlePath(id, title?.name ?? ''), <Trans key="title">Back to the title</Trans>];
};

/** Back to the title, the cart or the plans; to the shop's front where the title is not known. */
export const Back = ({ actor, ...look }: PurchaseProps & Omit<ComponentProps<typeof ButtonLink>, 'href'>): ReactElement => {
  const [path, text] = backFrom(usePurchase(actor));
  return (
    <ButtonLink href={path} look="outline" {...look}>
      {text}
    </ButtonLink>
  );
};
