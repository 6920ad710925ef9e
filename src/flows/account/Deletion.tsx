import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { creditsMachine } from '../../../machines/account/credits.ts';
import type { deletionMachine } from '../../../machines/account/deletion.ts';
import type { ownSubscriptionMachine } from '../../../machines/account/own-subscription.ts';
import { EmptyForm, OwnPasswordForm } from '../../../machines/model/account/password.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { isRunning } from '../../../machines/model/buying/subscription.ts';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Sheet } from '../../ui/Page.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { formatFieldProblem } from '../../views/lazy/field-problem-text.tsx';
import type { Screens } from '../../views/FlowScreen.tsx';
import { formatProblem } from '../../views/problem-text.ts';
import { MachineForm } from '../../views/MachineForm.tsx';
import { keepFocusWithin } from '../../views/keep-focus-within.ts';
import { Refused } from './Refused.tsx';
import { FormAnswers } from './FormAnswers.tsx';
import { Section } from './Section.tsx';

type ScreenProps = { actor: ActorRefFrom<typeof deletionMachine> };

/** Other panels, which know whether a subscription or credits are lost with the account. */
type SiblingPanels = {
  subscription?: ActorRefFrom<typeof ownSubscriptionMachine> | undefined;
  credits?: ActorRefFrom<typeof creditsMachine> | undefined;
};

type Props = ScreenProps & SiblingPanels;

/** The text for a refusal; here `unauthorized` means that the typed password is wrong. */
const formatRefusal = (problem: Problem): ReactElement => {
  if (problem.kind === 'unauthorized') return <Trans>That password is incorrect. Please try again.</Trans>;
  if (problem.kind === 'refused' && problem.code === 'payment_open')
    return <Trans>One of your payments is still being processed. Please try again in a few minutes.</Trans>;
  return formatProblem(problem);
};

const signInAgain = (
  <Trans>To delete your account, please sign in again first. This keeps others who use this device from doing it.</Trans>
);

const Closed = ({ actor }: ScreenProps): ReactElement => (
  <>
    <EventButton actor={actor} event={{ type: 'delete.pressed' }} look="outline">
      <Trans>Delete account…</Trans>
    </EventButton>
    <span hidden ref={keepFocusWithin} />
  </>
);

/** The consequences, and the password field if the account has a password. */
const DeletionForm = ({ actor, subscription, credits }: Props): ReactElement => {
  const { t } = useLingui();
  const isSubscribed = useSelector(subscription, (state) => isRunning(state?.context.held ?? null));
  const hasCredits = useSelector(credits, (state) => (state?.context.credits?.balance ?? 0) > 0);
  const { hasPassword, fields, problem } = useSelector(actor, ({ context }) => context);
  return (
    <Sheet display="grid" gap={5} tabIndex={-1} data-focus="" outline="none">
      <p>
        <Trans>This can’t be undone:</Trans>
      </p>
      <chakra.ul listStyleType="disc" paddingLeft={5} display="grid" gap={1}>
        <li>
          <Trans>You’ll lose every title in your library, including those you’ve paid for.</Trans>
        </li>
        {isSubscribed ? (
          <li>
            <Trans>
              Your subscription ends immediately, including any time you’ve already paid for. You won’t be charged again.
            </Trans>
          </li>
        ) : null}
        {hasCredits ? (
          <li>
            <Trans>You’ll lose your credits.</Trans>
          </li>
        ) : null}
        <li>
          <Trans>Your wish list and your places in books are deleted.</Trans>
        </li>
        <li>
          <Trans>You’re signed out on all devices.</Trans>
        </li>
        <li>
          <Trans>Records of your purchases are kept without your name, as the law requires.</Trans>
        </li>
      </chakra.ul>
      <Refused problem={problem} signInAgain={signInAgain} reason={formatRefusal} />
      <MachineForm actor={actor} name="deletion" form={hasPassword ? OwnPasswordForm : EmptyForm}>
        {hasPassword ? (
          <PasswordField
            name="password"
            autoComplete="current-password"
            label={t`Your password`}
            problem={formatFieldProblem(fields['password'])}
          />
        ) : null}
        <FormAnswers actor={actor} look="danger" event="deletion.submitted" busyText={t`Deleting…`}>
          <Trans>Delete my account for good</Trans>
        </FormAnswers>
      </MachineForm>
      <span hidden ref={keepFocusWithin} />
    </Sheet>
  );
};

/** The confirmation. Only a customer with a password is sure to have received an e-mail. */
const Deleted = ({ actor }: ScreenProps): ReactElement => {
  const isDeleted = useSelector(actor, (state) => state.matches('gone'));
  const hasPassword = useSelector(actor, ({ context }) => context.hasPassword);
  const text = hasPassword ? (
    <Trans>Your account has been deleted. We’ve sent you an email to confirm it.</Trans>
  ) : (
    <Trans>Your account has been deleted.</Trans>
  );
  return (
    <Notice tone="success" width="fit-content" mb={5}>
      {isDeleted ? text : null}
    </Notice>
  );
};

const LeaveButton = ({ actor }: ScreenProps): ReactElement => (
  <EventButton actor={actor} event={{ type: 'leave.pressed' }}>
    <Trans>Back to Home</Trans>
  </EventButton>
);

const screens: Screens<typeof deletionMachine, SiblingPanels> = {
  closed: Closed,
  looking: Closed,
  asking: DeletionForm,
  deleting: DeletionForm,
  gone: LeaveButton,
};

/** Deletion of the account. */
export const Deletion = ({ actor, subscription, credits }: Props): ReactElement => (
  <Section
    flow="deletion"
    actor={actor}
    screens={screens}
    heading={<Trans>Delete account</Trans>}
    props={{ subscription, credits }}
    above={<Deleted actor={actor} />}
  />
);
