import { Trans } from '@lingui/react/macro';
import type { ComponentProps, ReactElement } from 'react';
import type { Context } from '../../../machines/buying/purchase/context.ts';
import { isCartPurchase } from '../../../machines/buying/purchase/offer.ts';
import { titlePath } from '../../../machines/model/paths.ts';
import { cartPath, plansPath } from '../../../machines/model/purchase-paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { usePurchase, type PurchaseProps } from './props.ts';

/** The path of the page to go back to, and the link's text. */
const getBackLink = ({ of, title, titleId }: Context): [path: string, text: ReactElement] => {
  const id = title?.id ?? titleId;
  if (isCartPurchase({ of })) return [cartPath, <Trans key="cart">Back to your cart</Trans>];
  if (of === 'subscription') return [plansPath, <Trans key="plans">See subscriptions</Trans>];
  if (id === '') return ['/', <Trans key="shop">Back to the shop</Trans>];
  return [titlePath(id, title?.name ?? ''), <Trans key="title">Back to the title</Trans>];
};

/**
 * The link back to the title, the cart or the plans; to the home page if the title is not known.
 */
export const Back = ({ actor, ...linkProps }: PurchaseProps & Omit<ComponentProps<typeof ButtonLink>, 'href'>): ReactElement => {
  const [path, text] = getBackLink(usePurchase(actor));
  return (
    <ButtonLink href={path} look="outline" {...linkProps}>
      {text}
    </ButtonLink>
  );
};
