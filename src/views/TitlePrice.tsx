import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { isFree } from '../../machines/model/catalogue/price.ts';
import type { TitleSummary } from '../../machines/model/catalogue/title.ts';
import { useBrand } from '../brand/BrandProvider.tsx';
import { formatMoney } from '../brand/format.ts';
import { chakra } from '../ui/chakra.ts';
import { PriceTag } from '../ui/PriceTag.tsx';
import { usePrice } from './use-price.ts';

type TitlePriceProps = {
  title: Pick<TitleSummary, 'prices' | 'free' | 'forSale'>;
  size?: 'sm' | 'md' | 'lg';
};

/**
 * Reserves the space of a price until it is known whether the customer owns the title, since owners
 * see no price. On a server-rendered page, which has shown the price already, it would disappear
 * and reappear.
 */
export const HiddenUntilKnown = chakra('span', {
  variants: { waits: { true: { visibility: 'hidden', '[data-rendered] &': { visibility: 'inherit' } } } },
});

/**
 * A title's price, that it is free, or that it is not for sale; null if the price is unknown or the
 * store shows no prices.
 */
export const TitlePrice = ({ title, size = 'md' }: TitlePriceProps): ReactElement | null => {
  const { i18n } = useLingui();
  const { showsPrices } = useBrand();
  const price = usePrice(title.prices);
  if (!showsPrices) return null;
  if (!title.forSale) {
    return (
      <PriceTag size={size === 'lg' ? 'md' : size} tone="muted">
        <Trans>Not for sale</Trans>
      </PriceTag>
    );
  }
  if (isFree(title)) {
    return (
      <PriceTag size={size} tone="free">
        <Trans>Free</Trans>
      </PriceTag>
    );
  }
  return price === null ? null : <PriceTag size={size}>{formatMoney(price, i18n.locale)}</PriceTag>;
};
