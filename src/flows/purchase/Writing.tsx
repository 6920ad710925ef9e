import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { createGiftForm, MAX_MESSAGE_CHARS } from '../../../machines/model/buying/gift.ts';
import { chakra } from '../../ui/chakra.ts';
import { Sheet } from '../../ui/Page.tsx';
import { SubmitButton } from '../../ui/SubmitButton.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { formatFieldProblem } from '../../views/lazy/field-problem-text.tsx';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { createSubmitHandler } from '../../views/submit-form.ts';
import { keepFocusInScreen } from '../../ui/keep-focus.ts';
import { Back } from './Back.tsx';
import { Goods } from './Goods.tsx';
import { usePurchase, type PurchaseProps } from './props.ts';
import { formatReason } from './reason.tsx';

/** The form for the gift's recipient, message and delivery day. */
export const Writing = ({ actor }: PurchaseProps): ReactElement | null => {
  const { t } = useLingui();
  const { of, days, fields, problem, pii } = usePurchase(actor);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  if (days === null) return null;
  const draft = pii.gift;
  return (
    <>
      <chakra.h1 fontSize="3xl" textAlign="center" mb={6}>
        <Trans>Give as a gift</Trans>
      </chakra.h1>
      <Sheet display="grid" gap={6}>
        <Goods actor={actor} />
        {problem === null ? null : <ProblemNotice problem={problem}>{formatReason(problem, of)}</ProblemNotice>}
        <chakra.form
          noValidate
          onSubmit={createSubmitHandler(actor, 'gift', createGiftForm(days), busy)}
          display="grid"
          gap={5}
          aria-busy={busy}
        >
          <TextField
            name="name"
            autoComplete="off"
            label={t`Recipient’s name`}
            defaultValue={draft?.name}
            problem={formatFieldProblem(fields['name'])}
          />
          <TextField
            name="email"
            type="email"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            label={t`Recipient’s email address`}
            hint={t`We’ll send the gift to this address, with a link to open it.`}
            defaultValue={draft?.email}
            problem={formatFieldProblem(fields['email'])}
          />
          <TextArea
            name="message"
            rows={4}
            maxLength={MAX_MESSAGE_CHARS}
            label={t`Your message (optional)`}
            defaultValue={draft?.message}
            problem={formatFieldProblem(fields['message'])}
          />
          <TextField
            name="day"
            type="date"
            min={days.today}
            max={days.lastDay}
            label={t`Delivery date (optional)`}
            hint={t`Leave empty to send the gift as soon as it’s paid for. If you choose a later date, it will be sent that morning.`}
            defaultValue={draft?.day}
            problem={formatFieldProblem(fields['day'])}
          />
          <SubmitButton size="lg" wide event="gift.submitted" busy={busy} busyText={t`Preparing the preview…`}>
            <Trans>Preview the email</Trans>
          </SubmitButton>
          <Back actor={actor} look="quiet" wide />
        </chakra.form>
      </Sheet>
      <span hidden ref={keepFocusInScreen} />
    </>
  );
};
