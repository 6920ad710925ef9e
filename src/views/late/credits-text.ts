import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Credits } from '../../../machines/model/subscription.ts';
import { ownCurrency } from '../../brand/credits.ts';
import { count } from '../../brand/facts.ts';

/**
 * Writes credits in the store's own word for them, else in the customer's language. It belongs into texts of `t`: in a `Trans`, a tag
 * in the store's word would be taken for one of the message's.
 */
export const useCreditsText = (): ((credits: Credits) => string) => {
  const { t, i18n } = useLingui();
  return ({ amount, currency }) => {
    const own = ownCurrency({ creditCurrency: currency });
    return own === '' ? t`${plural(amount, { one: '# credit', other: '# credits' })}` : `${count(amount, i18n.locale)} ${own}`;
  };
};
