import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { TitleSummary } from '../../machines/model/title.ts';
import { useBrand } from '../brand/BrandProvider.tsx';
import { priceText } from '../brand/format.ts';
import { PriceTag } from '../ui/PriceTag.tsx';

type TitlePriceProps = {
  title: Pick<TitleSummary, 'prices' | 'free' | 'forSale'>;
  size?: 'sm' | 'md' | 'lg';
  /** Every currency instead of the first alone. */
  all?: boolean;
};

/** What a title costs, as far as the store tells. */
export const TitlePrice = ({ title, size = 'md', all = false }: TitlePriceProps): ReactElement | null => {
  const { t, i18n } = useLingui();
  const { showsPrices } = useBrand();
  if (!showsPrices) return null;
  if (!title.forSale) {
    return (
      <PriceTag size={size === 'lg' ? 'md' : size} tone="muted">
        <Trans>Not for sale</Trans>
      </PriceTag>
    );
  }
  if (title.free) {
    return (
      <PriceTag size={size} tone="free">
        <Trans>Free</Trans>
      </PriceTag>
    );
  }
  const shown = all ? title.prices : title.prices.slice(0, 1);
  if (shown.length === 0) return null;
  return <PriceTag size={size}>{shown.map((price) => priceText(price, i18n.locale, t`Free`)).join(' · ')}</PriceTag>;
};
