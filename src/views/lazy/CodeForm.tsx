import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import { RedeemForm } from '../../../machines/model/buying/redeem.ts';
import type { FieldProblems } from '../../../machines/model/account/session.ts';
import { chakra } from '../../ui/chakra.ts';
import { SubmitButton } from '../../ui/SubmitButton.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { formatProblem } from '../problem-text.ts';
import { createSubmitHandler } from '../submit-form.ts';
import { keepFocusInScreen } from '../../ui/keep-focus.ts';
import { formatFieldProblem } from './field-problem-text.tsx';

/** Why a code is refused, by the server's error code. */
const reasonTexts: Record<string, ReactElement> = {
  not_found: <Trans>We don’t recognise this code. Please check that you typed it correctly.</Trans>,
  code_unknown: <Trans>We don’t recognise this code. Please check that you typed it correctly.</Trans>,
  code_used: <Trans>This code has already been used.</Trans>,
  code_expired: <Trans>This code has expired.</Trans>,
  code_withdrawn: <Trans>This code is no longer valid.</Trans>,
  code_elsewhere: <Trans>This code is for another shop.</Trans>,
  title_codes_off: <Trans>This shop doesn’t accept codes for titles.</Trans>,
};

/** Refusals of a valid code that does not apply here. */
const misfitCodes = new Set(['code_misfit', 'already_subscribed', 'subscription_codes_off']);

const formatReason = (problem: Problem, misfitText: ReactElement): ReactElement => {
  if (problem.kind !== 'refused') return formatProblem(problem);
  return misfitCodes.has(problem.code) ? misfitText : (reasonTexts[problem.code] ?? formatProblem(problem));
};

type Props = {
  actor: Parameters<typeof createSubmitHandler>[0];
  fields: FieldProblems;
  /** Why the last typed code was refused. */
  problem: Problem | null;
  /** The text for a code that is valid for other goods. */
  misfitText: ReactElement;
  busy: boolean;
};

/** The field for a discount code. */
export const CodeForm = ({ actor, fields, problem, misfitText, busy }: Props): ReactElement => {
  const { t } = useLingui();
  return (
    <chakra.form
      noValidate
      onSubmit={createSubmitHandler(actor, 'code', RedeemForm, busy)}
      display="flex"
      flexWrap="wrap"
      gap={3}
      alignItems="end"
      aria-busy={busy}
    >
      {problem === null ? null : (
        <chakra.div flex="1 1 100%">
          <ProblemNotice problem={problem}>{formatReason(problem, misfitText)}</ProblemNotice>
        </chakra.div>
      )}
      <chakra.div flex="1 1 14rem">
        <TextField
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          label={t`Discount code (optional)`}
          problem={formatFieldProblem(fields['code'])}
        />
      </chakra.div>
      <SubmitButton look="outline" event="code.submitted" busy={busy} busyText={t`Checking…`}>
        <Trans>Apply</Trans>
      </SubmitButton>
      <span hidden ref={keepFocusInScreen} />
    </chakra.form>
  );
};
