import { useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { PlanInterval } from '../../../machines/model/buying/subscription.ts';
import type { Price } from '../../../machines/model/catalogue/title.ts';
import { formatPrice } from '../../brand/format.ts';

/** The price of a subscription and its interval, as far as the server reports them. */
export const PlanPrice = ({ price, interval }: { price: Price | null; interval: PlanInterval | null }): ReactElement => {
  const { t, i18n } = useLingui();
  if (price === null) return <>{t`You’ll see the price before you pay.`}</>;
  const amount = formatPrice(price, i18n.locale, t`Free`);
  if (price.amount === 0 || interval === null) return <>{amount}</>;
  const texts: Record<PlanInterval, string> = {
    week: t`${amount} a week`,
    month: t`${amount} a month`,
    quarter: t`${amount} every three months`,
    year: t`${amount} a year`,
  };
  return <>{texts[interval]}</>;
};
