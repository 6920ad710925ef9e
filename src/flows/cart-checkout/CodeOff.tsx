import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import { RedeemForm } from '../../../machines/model/redeem.ts';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { SubmitButton } from '../../ui/SubmitButton.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { fieldProblemText } from '../../views/late/field-problem-text.tsx';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { problemText } from '../../views/problem-text.ts';
import { submitForm } from '../../views/submit-form.ts';
import { passFocus } from '../../views/take-focus.ts';
import type { CartCheckoutProps } from './outcome-screens.tsx';

/** Why a code takes nothing off, by the server's word. */
const reasons: Record<string, ReactElement> = {
  code_unknown: <Trans>We don’t know this code. Please check that it’s typed correctly.</Trans>,
  code_used: <Trans>This code has already been used.</Trans>,
  code_expired: <Trans>This code has expired.</Trans>,
  code_elsewhere: <Trans>This code is for another shop.</Trans>,
  code_misfit: <Trans>This code takes nothing off the titles in your cart.</Trans>,
  title_codes_off: <Trans>This shop doesn’t accept codes for titles.</Trans>,
};

const reasonOf = (problem: Problem): ReactElement =>
  problem.kind === 'refused' ? (reasons[problem.code] ?? problemText(problem)) : problemText(problem);

/** A code that makes the cart cheaper: the field for it, or that it is taken off and how to do without. */
export const CodeOff = ({ actor }: CartCheckoutProps): ReactElement => {
  const { t } = useLingui();
  const { quote, fields, problem } = useSelector(actor, ({ context }) => context);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  return (
    <chakra.div display="grid" gap={3} data-code>
      {problem === null ? null : <ProblemNotice problem={problem}>{reasonOf(problem)}</ProblemNotice>}
      {quote?.off === undefined ? (
        <chakra.form
          noValidate
          onSubmit={submitForm(actor, 'code', RedeemForm, busy)}
          display="flex"
          flexWrap="wrap"
          gap={3}
          alignItems="end"
          aria-busy={busy}
        >
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
      ) : (
        <chakra.div display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap={3}>
          <chakra.p role="status" fontWeight={600} color="success">
            <Trans>Your code is taken off.</Trans>
          </chakra.p>
          <EventButton actor={actor} event={{ type: 'code.removed' }} look="outline" size="sm">
            <Trans>Remove the code</Trans>
          </EventButton>
          <span hidden ref={passFocus} />
        </chakra.div>
      )}
    </chakra.div>
  );
};
