import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { isFree } from '../../machines/model/catalogue/price.ts';
import type { TitleSummary } from '../../machines/model/catalogue/title.ts';
import { useBrand } from '../brand/BrandProvider.tsx';
import { money } from '../brand/format.ts';
import { chakra } from '../ui/chakra.ts';
import { PriceTag } from '../ui/PriceTag.tsx';
import { usePrice } from './use-price.ts';

type TitlePriceProps = {
  title: Pick<TitleSummary, 'prices' | 'free' | 'forSale'>;
  size?: 'sm' | 'md' | 'lg';
};

/**
 * Keeps the room of a price while it is not known whether there is one to pay: who owns a title is not shown what it costs. A page that came
 * painted has shown it already, and there it would go and come back.
 */
export const UntilKnown = chakra('span', {
  variants: { waits: { true: { visibility: 'hidden', '[data-painted] &': { visibility: 'inherit' } } } },
});

/** What a title costs, as far as the store tells. */
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
  return price === null ? null : <PriceTag size={size}>{money(price, i18n.locale)}</PriceTag>;
};
