import { cartPath } from '../../../machines/model/purchase-paths.ts';
import { useLingui } from '@lingui/react';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { getCartCount } from '../../../machines/app/cart.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { translateRouteName } from '../../../machines/flows/routes.ts';
import { BarLink } from '../../ui/BarButton.ts';
import { chakra } from '../../ui/chakra.ts';
import { Icon } from '../../ui/Icon.tsx';
import { useFrameChild } from '../../views/ownership.ts';

const Count = chakra('span', {
  base: {
    position: 'absolute',
    top: 1,
    right: 0.5,
    minWidth: 5,
    height: 5,
    px: 1,
    borderRadius: 'full',
    bg: 'accent',
    color: 'accentText',
    fontSize: 'xs',
    lineHeight: '1.25rem',
    textAlign: 'center',
    fontVariantNumeric: 'tabular-nums',
  },
});

/** A link to the cart with its number of titles; null for an empty cart where no title is sold. */
export const CartLink = (): ReactElement | null => {
  const { i18n } = useLingui();
  const { sellsTitles } = useBrand();
  const count = useSelector(useFrameChild('cartLines'), (snapshot) => (snapshot ? getCartCount(snapshot.context) : 0));
  if (!sellsTitles && count === 0) return null;
  const number = i18n.number(count);
  return (
    <BarLink
      href={cartPath}
      aria-label={`${translateRouteName(i18n, cartPath) ?? ''} ${number}`}
      data-count={count}
      position="relative"
    >
      <Icon name="bag" />
      {count === 0 ? null : <Count aria-hidden>{number}</Count>}
    </BarLink>
  );
};
