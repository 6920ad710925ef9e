import { useLingui } from '@lingui/react';
import { quoteCart, type CartEntry, type CartQuote } from '../../../machines/model/buying/cart.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';

/** The quote of the cart's lines, with the total, for this customer's language and country. */
export const useQuote = (entries: readonly CartEntry[]): CartQuote => {
  const { i18n } = useLingui();
  const { store } = useBrand();
  return quoteCart(entries, { locale: i18n.locale, countries: store.purchaseCountries, sellsNone: !store.showBuyTitle });
};
