import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { CreditBalance, Credits } from '../../../machines/model/buying/subscription.ts';
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
    return own === '' ? t`${plural(amount, { one: '# Credit', other: '# Credits' })}` : `${count(amount, i18n.locale)} ${own}`;
  };
};

type Chosen = { withCredits: boolean; credits: number | null; balance: CreditBalance | null };

/** What is paid in credits, in words; null where money pays. */
export const useChosenCredits = ({ withCredits, credits, balance }: Chosen): string | null => {
  const text = useCreditsText();
  return withCredits && credits !== null ? text({ amount: credits, currency: balance?.currency ?? '' }) : null;
};
