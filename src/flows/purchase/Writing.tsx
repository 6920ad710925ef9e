import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { giftForm, longestMessage } from '../../../machines/model/buying/gift.ts';
import { chakra } from '../../ui/chakra.ts';
import { Sheet } from '../../ui/Page.tsx';
import { SubmitButton } from '../../ui/SubmitButton.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { fieldProblemText } from '../../views/late/field-problem-text.tsx';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { submitForm } from '../../views/submit-form.ts';
import { passFocus } from '../../ui/pass-focus.ts';
import { Back } from './Back.tsx';
import { Goods } from './Goods.tsx';
import { usePurchase, type PurchaseProps } from './props.ts';
import { reason } from './reason.tsx';

/** Whom the gift is for, what is said to them, and when it goes out. */
export const Writing = ({ actor }: PurchaseProps): ReactElement | null => {
  const { t } = useLingui();
  const { of, days, fields, problem, pii } = usePurchase(actor);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  if (days === null) return null;
  const written = pii.gift;
  return (
    <>
      <chakra.h1 fontSize="3xl" textAlign="center" mb={6}>
        <Trans>Give as a gift</Trans>
      </chakra.h1>
      <Sheet display="grid" gap={6}>
        <Goods actor={actor} />
        {problem === null ? null : <ProblemNotice problem={problem}>{reason(problem, of)}</ProblemNotice>}
        <chakra.form
          noValidate
          onSubmit={submitForm(actor, 'gift', giftForm(days), busy)}
          display="grid"
          gap={5}
          aria-busy={busy}
        >
          <TextField
            name="name"
            autoComplete="off"
            label={t`Recipient’s name`}
            defaultValue={written?.name}
            problem={fieldProblemText(fields['name'])}
          />
          <TextField
            name="email"
            type="email"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            label={t`Recipient’s email address`}
            hint={t`The gift goes there, with a link that opens it.`}
            defaultValue={written?.email}
            problem={fieldProblemText(fields['email'])}
          />
          <TextArea
            name="message"
            rows={4}
            maxLength={longestMessage}
            label={t`Your message (optional)`}
            defaultValue={written?.message}
            problem={fieldProblemText(fields['message'])}
          />
          <TextField
            name="day"
            type="date"
            min={days.today}
            max={days.lastDay}
            label={t`Day to send it (optional)`}
            hint={t`Leave it empty to send the gift as soon as it’s paid for. On a later day, it goes out in the morning.`}
            defaultValue={written?.day}
            problem={fieldProblemText(fields['day'])}
          />
          <SubmitButton size="lg" wide event="gift.submitted" busy={busy} waits={t`Preparing the preview…`}>
            <Trans>Preview the email</Trans>
          </SubmitButton>
          <Back actor={actor} look="quiet" wide />
        </chakra.form>
      </Sheet>
      <span hidden ref={passFocus} />
    </>
  );
};
