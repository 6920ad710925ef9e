import { DomainError } from '../kernel/errors.ts';
import type { PaymentPort } from './port.ts';

/** The calls about kept cards, of a provider that keeps none. */
export const withoutCards: Pick<PaymentPort, 'startSetup' | 'claimSetup' | 'forgetCard'> = {
  startSetup: () => Promise.reject(new DomainError('not_implemented', 'Cards can’t be saved in this shop.')),
  claimSetup: async () => undefined,
  forgetCard: async () => {},
};
