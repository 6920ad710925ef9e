import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Credits } from '../../../machines/model/subscription.ts';
import { ownCurrency } from '../../brand/credits.ts';
import { count } from '../../brand/facts.ts';

/** Writes credits in the store's own word for them, else in the customer's language. */
export const useCreditsText = (): ((credits: Credits) => string) => {
  const { t, i18n } = useLingui();
  return ({ amount, currency }) => {
    const own = ownCurrency({ creditCurrency: currency });
    return own === '' ? t`${plural(amount, { one: '# credit', other: '# credits' })}` : `${count(amount, i18n.locale)} ${own}`;
  };
};
