import { useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { PlanInterval } from '../../../machines/model/subscription.ts';
import type { Price } from '../../../machines/model/title.ts';
import { priceText } from '../../brand/format.ts';

/** What a subscription costs, and how often. */
export const PlanPrice = ({ price, interval }: { price: Price; interval: PlanInterval }): ReactElement => {
  const { t, i18n } = useLingui();
  const amount = priceText(price, i18n.locale, t`Free`);
  if (price.amount === 0) return <>{amount}</>;
  const texts: Record<PlanInterval, string> = {
    week: t`${amount} a week`,
    month: t`${amount} a month`,
    quarter: t`${amount} every three months`,
    year: t`${amount} a year`,
  };
  return <>{texts[interval]}</>;
};
