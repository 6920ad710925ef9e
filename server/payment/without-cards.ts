import { DomainError } from '../kernel/errors.ts';
import type { PaymentPort } from './port.ts';

/** The card calls of a provider that cannot save cards. */
export const withoutCards: Pick<PaymentPort, 'startSetup' | 'claimSetup' | 'forgetCard'> = {
  startSetup: () => Promise.reject(new DomainError('not_implemented', 'Cards can’t be saved in this shop.')),
  claimSetup: async () => undefined,
  forgetCard: async () => {},
};
