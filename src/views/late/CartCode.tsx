import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import type { FieldProblems } from '../../../machines/model/account/session.ts';
import { chakra } from '../../ui/chakra.ts';
import { Status } from '../../ui/Status.tsx';
import type { submitForm } from '../submit-form.ts';
import { CodeForm } from './CodeForm.tsx';
import { RemoveCode } from './RemoveCode.tsx';

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
  <chakra.div display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap={3} data-code>
    <Status fontWeight={600} color="success">
      {isOff ? <Trans>Your code is taken off.</Trans> : null}
    </Status>
    {isOff ? (
      <RemoveCode actor={actor} problem={problem} look="outline" />
    ) : (
      <chakra.div flex="1 1 100%">
        <CodeForm
          actor={actor}
          fields={fields}
          problem={problem}
          misfit={<Trans>This code takes nothing off the titles in your cart.</Trans>}
          busy={busy}
        />
      </chakra.div>
    )}
  </chakra.div>
);
