import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import { RedeemForm } from '../../../machines/model/buying/redeem.ts';
import type { FieldProblems } from '../../../machines/model/account/session.ts';
import { chakra } from '../../ui/chakra.ts';
import { SubmitButton } from '../../ui/SubmitButton.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { problemText } from '../problem-text.ts';
import { submitForm } from '../submit-form.ts';
import { passFocus } from '../../ui/pass-focus.ts';
import { fieldProblemText } from './field-problem-text.tsx';

/** Why a code takes nothing off, by the server's word. */
const reasons: Record<string, ReactElement> = {
  not_found: <Trans>We don’t know this code. Please check that it’s typed correctly.</Trans>,
  code_unknown: <Trans>We don’t know this code. Please check that it’s typed correctly.</Trans>,
  code_used: <Trans>This code has already been used.</Trans>,
  code_expired: <Trans>This code has expired.</Trans>,
  code_withdrawn: <Trans>This code is no longer valid.</Trans>,
  code_elsewhere: <Trans>This code is for another shop.</Trans>,
  title_codes_off: <Trans>This shop doesn’t accept codes for titles.</Trans>,
};

/** Refusals of a code that is good, but not for this. */
const misfits = new Set(['code_misfit', 'already_subscribed', 'subscription_codes_off']);

const reasonOf = (problem: Problem, misfit: ReactElement): ReactElement => {
  if (problem.kind !== 'refused') return problemText(problem);
  return misfits.has(problem.code) ? misfit : (reasons[problem.code] ?? problemText(problem));
};

type Props = {
  actor: Parameters<typeof submitForm>[0];
  fields: FieldProblems;
  /** Why the code that was typed last is not taken. */
  problem: Problem | null;
  /** What is said of a code that is good for something else. */
  misfit: ReactElement;
  busy: boolean;
};

/** The field for a code that makes a purchase cheaper. */
export const CodeForm = ({ actor, fields, problem, misfit, busy }: Props): ReactElement => {
  const { t } = useLingui();
  return (
    <chakra.form
      noValidate
      onSubmit={submitForm(actor, 'code', RedeemForm, busy)}
      display="flex"
      flexWrap="wrap"
      gap={3}
      alignItems="end"
      aria-busy={busy}
    >
      {problem === null ? null : (
        <chakra.div flex="1 1 100%">
          <ProblemNotice problem={problem}>{reasonOf(problem, misfit)}</ProblemNotice>
        </chakra.div>
      )}
      <chakra.div flex="1 1 14rem">
        <TextField
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          label={t`Discount code (optional)`}
          problem={fieldProblemText(fields['code'])}
        />
      </chakra.div>
      <SubmitButton look="outline" event="code.submitted" busy={busy} waits={t`Checking…`}>
        <Trans>Apply</Trans>
      </SubmitButton>
      <span hidden ref={passFocus} />
    </chakra.form>
  );
};
