import { useLingui } from '@lingui/react/macro';
import type { Card } from '../../../machines/model/buying/card.ts';

/**
 * Returns a function for a card's name, as in “Visa ending in 4242”; the shop never has the full
 * number.
 */
export const useCardName = (): ((card: Card) => string) => {
  const { t } = useLingui();
  return ({ pii: { brand, last4 } }) => {
    const kind = brand === '' ? t`Card` : brand;
    return last4 === '' ? kind : t`${kind} ending in ${last4}`;
  };
};
