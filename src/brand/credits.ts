import type { StoreProperties } from '../../machines/model/store/store.ts';

/** What the store calls its credits; empty where that is the usual English word, which the customer's language has its own for. */
export const ownCurrency = ({ creditCurrency }: Pick<StoreProperties, 'creditCurrency'>): string =>
  /^credits?$/i.test(creditCurrency) ? '' : creditCurrency;
