import { Plural, Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { type Plan, getTrial } from '../../../machines/model/buying/subscription.ts';
import { chakra } from '../../ui/chakra.ts';
import { PlanPrice } from '../../views/lazy/PlanPrice.tsx';

type Props = {
  plan: Plan;
  /** Whether the trial comes from a code. */
  byCode: boolean;
};

/**
 * The trial days; if the server does not report whether they apply, with the condition for them.
 */
const Trial = ({ plan, byCode }: Props): ReactElement | null => {
  const { trialDays } = plan;
  const trial = getTrial(plan, byCode);
  if (trial === 'none') return null;
  if (byCode)
    return (
      <p>
        <Plural
          value={trialDays}
          one="With your code, the first day is free."
          other="With your code, the first # days are free."
        />
      </p>
    );
  return (
    <p>
      {trial === 'certain' ? (
        <Plural value={trialDays} one="The first day is free." other="The first # days are free." />
      ) : (
        <Plural
          value={trialDays}
          one="If this is your first subscription here, the first day is free."
          other="If this is your first subscription here, the first # days are free."
        />
      )}
    </p>
  );
};

/** The plan, its price, and how it is renewed. */
export const PlanSummary = ({ plan, byCode }: Props): ReactElement => (
  <chakra.div display="grid" gap={3}>
    <chakra.h2 fontSize="xl" overflowWrap="anywhere">
      {plan.name}
    </chakra.h2>
    <chakra.p fontSize="lg" fontWeight={600}>
      <PlanPrice price={plan.price} interval={plan.interval} />
    </chakra.p>
    <Trial plan={plan} byCode={byCode} />
    <p>
      <Trans>It’s renewed until you cancel it. You can do that in your account at any time.</Trans>
    </p>
  </chakra.div>
);
