import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import type { FieldProblems } from '../../../machines/model/account/session.ts';
import type { createSubmitHandler } from '../submit-form.ts';
import { AppliedCode } from './AppliedCode.tsx';
import { CodeForm } from './CodeForm.tsx';

type Props = {
  actor: Parameters<typeof createSubmitHandler>[0];
  /** Whether a code reduces the cart's price. */
  isReduced: boolean;
  fields: FieldProblems;
  problem: Problem | null;
  busy: boolean;
};

/** The field for a discount code for the cart, or the button that removes the applied code. */
export const CartCode = ({ actor, isReduced, fields, problem, busy }: Props): ReactElement => (
  <AppliedCode actor={actor} isReduced={isReduced} problem={problem}>
    <CodeForm
      actor={actor}
      fields={fields}
      problem={problem}
      misfitText={<Trans>This code doesn’t apply to any title in your cart.</Trans>}
      busy={busy}
    />
  </AppliedCode>
);
