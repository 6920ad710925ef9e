import { useLingui } from '@lingui/react';
import { quoteCart, type CartEntry, type CartQuote } from '../../../machines/model/buying/cart.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';

/** The cart's lines as this customer sees them, with the total. */
export const useQuote = (entries: readonly CartEntry[]): CartQuote => {
  const { i18n } = useLingui();
  const { store } = useBrand();
  return quoteCart(entries, { locale: i18n.locale, countries: store.purchaseCountries, sellsNone: !store.showBuyTitle });
};
