import { useLingui } from '@lingui/react';
import { choosePrice } from '../../machines/model/catalogue/price.ts';
import type { Price } from '../../machines/model/catalogue/title.ts';
import { useBrand } from '../brand/BrandProvider.tsx';

/** The price that this customer sees and pays, of a title's prices; null without a price. */
export const usePrice = (prices: readonly Price[]): Price | null => {
  const { i18n } = useLingui();
  const { store } = useBrand();
  return choosePrice(prices, { locale: i18n.locale, countries: store.purchaseCountries });
};
