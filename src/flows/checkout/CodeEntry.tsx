import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import { RedeemForm } from '../../../machines/model/redeem.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { SubmitButton } from '../../ui/SubmitButton.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { fieldProblemText } from '../../views/late/field-problem-text.tsx';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { problemText } from '../../views/problem-text.ts';
import { submitForm } from '../../views/submit-form.ts';
import { passFocus } from '../../views/take-focus.ts';
import type { CheckoutProps } from './outcome-screens.tsx';

/** Why a code takes nothing off, by the server's word. */
const reasons: Record<string, ReactElement> = {
  not_found: <Trans>We don’t know this code. Please check that it’s typed correctly.</Trans>,
  code_used: <Trans>This code has already been used.</Trans>,
  code_expired: <Trans>This code has expired.</Trans>,
  code_misfit: <Trans>This code takes nothing off this title.</Trans>,
  code_elsewhere: <Trans>This code is for another shop.</Trans>,
};

const reasonOf = (problem: Problem): ReactElement =>
  problem.kind === 'refused' ? (reasons[problem.code] ?? problemText(problem)) : problemText(problem);

const CodeForm = ({ actor }: CheckoutProps): ReactElement => {
  const { t } = useLingui();
  const { codeProblem = null, fields = {} } = useSelector(actor, ({ context }) => context);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  return (
    <chakra.details css={{ '& summary': { cursor: 'pointer', minHeight: 12, alignContent: 'center', fontWeight: 600 } }}>
      <summary>
        <Trans>Have a code?</Trans>
      </summary>
      <chakra.form
        noValidate
        onSubmit={submitForm(actor, 'code', RedeemForm, busy)}
        aria-busy={busy}
        display="grid"
        gap={3}
        pt={2}
      >
        <TextField
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          label={t`Code`}
          problem={fieldProblemText(fields['code'])}
        />
        {codeProblem === null ? null : <ProblemNotice problem={codeProblem}>{reasonOf(codeProblem)}</ProblemNotice>}
        <SubmitButton look="outline" event="code.submitted" busy={busy} waits={t`Checking…`}>
          <Trans>Apply</Trans>
        </SubmitButton>
      </chakra.form>
      <span hidden ref={passFocus} />
    </chakra.details>
  );
};

/** A code that takes something off the price: typed here, or taken back. */
export const CodeEntry = ({ actor }: CheckoutProps): ReactElement | null => {
  const { enableWebTitleRedeem } = useBrand().store;
  const { isReduced, withCredits } = useSelector(actor, ({ context }) => context);
  if (withCredits === true) return null;
  if (isReduced === true)
    return (
      <div>
        <EventButton actor={actor} event={{ type: 'code.removed' }} look="quiet" size="sm">
          <Trans>Remove the code</Trans>
        </EventButton>
        <span hidden ref={passFocus} />
      </div>
    );
  return enableWebTitleRedeem ? <CodeForm actor={actor} /> : null;
};
