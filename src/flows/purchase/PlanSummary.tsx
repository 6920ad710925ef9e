import { Plural, Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { Plan } from '../../../machines/model/buying/subscription.ts';
import { chakra } from '../../ui/chakra.ts';
import { PlanPrice } from '../../views/late/PlanPrice.tsx';

type Props = {
  plan: Plan;
  /** The free days come from a code. */
  byCode: boolean;
};

/** The plan, its price, and how it is renewed. */
export const PlanSummary = ({ plan: { name, price, interval, trialDays }, byCode }: Props): ReactElement => (
  <chakra.div display="grid" gap={3}>
    <chakra.h2 fontSize="xl" overflowWrap="anywhere">
      {name}
    </chakra.h2>
    <chakra.p fontSize="lg" fontWeight={600}>
      <PlanPrice price={price} interval={interval} />
    </chakra.p>
    {trialDays <= 0 ? null : byCode ? (
      <p>
        <Plural
          value={trialDays}
          one="With your code, the first day is free."
          other="With your code, the first # days are free."
        />
      </p>
    ) : (
      <p>
        <Plural
          value={trialDays}
          one="If this is your first subscription here, the first day is free."
          other="If this is your first subscription here, the first # days are free."
        />
      </p>
    )}
    <p>
      <Trans>It’s renewed until you cancel it. You can do that in your account at any time.</Trans>
    </p>
  </chakra.div>
);
