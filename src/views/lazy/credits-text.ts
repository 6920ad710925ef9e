import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { CreditBalance, Credits } from '../../../machines/model/buying/subscription.ts';
import { customCreditName } from '../../brand/credits.ts';
import { formatCount } from '../../brand/facts.ts';

/**
 * Formats credits in the store's own word for them, else in the customer's language. Use it in
 * texts of `t`: in a `Trans`, a tag in the store's text would be parsed as one of the message's.
 */
export const useCreditsText = (): ((credits: Credits) => string) => {
  const { t, i18n } = useLingui();
  return ({ amount, currency }) => {
    const own = customCreditName({ creditCurrency: currency });
    return own === ''
      ? t`${plural(amount, { one: '# Credit', other: '# Credits' })}`
      : `${formatCount(amount, i18n.locale)} ${own}`;
  };
};

type CreditsChoice = { withCredits: boolean; credits: number | null; balance: CreditBalance | null };

/** The amount that is paid in credits, as text; null where money pays. */
export const useChosenCredits = ({ withCredits, credits, balance }: CreditsChoice): string | null => {
  const text = useCreditsText();
  return withCredits && credits !== null ? text({ amount: credits, currency: balance?.currency ?? '' }) : null;
};
