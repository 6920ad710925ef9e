import type { StoreProperties } from '../../machines/model/store/store.ts';

/**
 * The store's own name for credits; empty where it is the usual English word, which is translated.
 */
export const getCustomCreditName = ({ creditCurrency }: Pick<StoreProperties, 'creditCurrency'>): string =>
  /^credits?$/i.test(creditCurrency) ? '' : creditCurrency;
