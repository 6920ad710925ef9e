import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { CreditBalance, Credits } from '../../../machines/model/buying/subscription.ts';
import { getCustomCreditName } from '../../brand/credits.ts';
import { formatCount } from '../../brand/facts.ts';

/**
 * Returns a function that formats credits in the store's own word for them, else in the customer's
 * language. Use its result in texts of `t`: in a `Trans`, a tag in the store's text would be parsed
 * as a tag of the message.
 */
export const useCreditsText = (): ((credits: Credits) => string) => {
  const { t, i18n } = useLingui();
  return ({ amount, currency }) => {
    const creditName = getCustomCreditName({ creditCurrency: currency });
    return creditName === ''
      ? t`${plural(amount, { one: '# Credit', other: '# Credits' })}`
      : `${formatCount(amount, i18n.locale)} ${creditName}`;
  };
};

type CreditsChoice = { withCredits: boolean; credits: number | null; balance: CreditBalance | null };

/** The amount that is paid in credits, as text; null if the customer pays with money. */
export const useChosenCredits = ({ withCredits, credits, balance }: CreditsChoice): string | null => {
  const formatCredits = useCreditsText();
  return withCredits && credits !== null ? formatCredits({ amount: credits, currency: balance?.currency ?? '' }) : null;
};
