import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import type { FieldProblems } from '../../../machines/model/account/session.ts';
import type { submitForm } from '../submit-form.ts';
import { AppliedCode } from './AppliedCode.tsx';
import { CodeForm } from './CodeForm.tsx';

type Props = {
  actor: Parameters<typeof submitForm>[0];
  /** A code makes the cart cheaper. */
  isOff: boolean;
  fields: FieldProblems;
  problem: Problem | null;
  busy: boolean;
};

/** A code that makes the cart cheaper: the field for it, or its removal. */
export const CartCode = ({ actor, isOff, fields, problem, busy }: Props): ReactElement => (
  <AppliedCode actor={actor} isOff={isOff} problem={problem}>
    <CodeForm
      actor={actor}
      fields={fields}
      problem={problem}
      misfit={<Trans>This code takes nothing off the titles in your cart.</Trans>}
      busy={busy}
    />
  </AppliedCode>
);
