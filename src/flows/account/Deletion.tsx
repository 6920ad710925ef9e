import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { creditsMachine } from '../../../machines/account/credits.ts';
import type { deletionMachine } from '../../../machines/account/deletion.ts';
import type { ownSubscriptionMachine } from '../../../machines/account/own-subscription.ts';
import { NothingForm, OwnPasswordForm } from '../../../machines/model/password.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { runs } from '../../../machines/model/subscription.ts';
import { SubmitButton } from '../../ui/SubmitButton.tsx';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Sheet } from '../../ui/Page.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { fieldProblemText } from '../../views/late/field-problem-text.tsx';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { problemText } from '../../views/problem-text.ts';
import { submitForm } from '../../views/submit-form.ts';
import { passFocusWithin } from '../../views/pass-focus-within.ts';
import { Section } from './Section.tsx';
import { SignInAgain } from './SignInAgain.tsx';

type Props = {
  actor: ActorRefFrom<typeof deletionMachine>;
  /** What else goes with the account, as far as it is known. */
  subscription?: ActorRefFrom<typeof ownSubscriptionMachine> | undefined;
  credits?: ActorRefFrom<typeof creditsMachine> | undefined;
};

/** Here `unauthorized` is about the password that was typed. */
const refusal = (problem: Problem): ReactElement => {
  if (problem.kind === 'unauthorized') return <Trans>That password is incorrect. Please try again.</Trans>;
  if (problem.kind === 'refused' && problem.code === 'payment_open')
    return <Trans>A payment of yours is on its way. Please try again in a few minutes.</Trans>;
  return problemText(problem);
};

const Refused = ({ problem }: { problem: Problem }): ReactElement =>
  problem.kind === 'refused' && problem.code === 'sign_in_again' ? (
    <SignInAgain problem={problem}>
      <Trans>To delete your account, please sign in again first. This keeps others who use this device from doing it.</Trans>
    </SignInAgain>
  ) : (
    <ProblemNotice problem={problem}>{refusal(problem)}</ProblemNotice>
  );

const Closed = ({ actor }: Props): ReactElement => (
  <>
    <EventButton actor={actor} event={{ type: 'delete.pressed' }} look="outline">
      <Trans>Delete account…</Trans>
    </EventButton>
    <span hidden ref={passFocusWithin} />
  </>
);

/** What it means, and the password once more where there is one. */
const Asking = ({ actor, subscription, credits }: Props): ReactElement => {
  const { t } = useLingui();
  const isSubscribed = useSelector(subscription, (state) => runs(state?.context.held ?? null));
  const hasCredits = useSelector(credits, (state) => (state?.context.credits?.balance ?? 0) > 0);
  const { hasPassword, fields, problem } = useSelector(actor, ({ context }) => context);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  return (
    <Sheet display="grid" gap={5} tabIndex={-1} data-focus="" outline="none">
      <p>
        <Trans>This can’t be undone:</Trans>
      </p>
      <chakra.ul listStyleType="disc" paddingLeft={5} display="grid" gap={1}>
        <li>
          <Trans>You lose every title in your library, also those you’ve paid for.</Trans>
        </li>
        {isSubscribed ? (
          <li>
            <Trans>Your subscription ends at once, also what you’ve paid for already. You won’t be charged again.</Trans>
          </li>
        ) : null}
        {hasCredits ? (
          <li>
            <Trans>You lose your credits.</Trans>
          </li>
        ) : null}
        <li>
          <Trans>Your wish list and your places in books are deleted.</Trans>
        </li>
        <li>
          <Trans>You’re signed out on all devices.</Trans>
        </li>
        <li>
          <Trans>Records of your purchases are kept without your name, as the law asks.</Trans>
        </li>
      </chakra.ul>
      {problem === null ? null : <Refused problem={problem} />}
      <chakra.form
        noValidate
        onSubmit={submitForm(actor, 'deletion', hasPassword ? OwnPasswordForm : NothingForm, busy)}
        display="grid"
        gap={5}
        aria-busy={busy}
      >
        {hasPassword ? (
          <PasswordField
            name="password"
            autoComplete="current-password"
            label={t`Your password`}
            problem={fieldProblemText(fields['password'])}
          />
        ) : null}
        <chakra.div display="flex" flexWrap="wrap" gap={3}>
          <SubmitButton look="danger" event="deletion.submitted" busy={busy} waits={t`Deleting…`}>
            <Trans>Delete my account for good</Trans>
          </SubmitButton>
          <EventButton actor={actor} event={{ type: 'cancel.pressed' }} look="outline">
            <Trans>Cancel</Trans>
          </EventButton>
        </chakra.div>
      </chakra.form>
      <span hidden ref={passFocusWithin} />
    </Sheet>
  );
};

/** Only a customer who has a password certainly has an address to write to. */
const deletedText = (hasPassword: boolean): ReactElement =>
  hasPassword ? (
    <Trans>Your account has been deleted. We’ve sent you an email to confirm it.</Trans>
  ) : (
    <Trans>Your account has been deleted.</Trans>
  );

const Gone = ({ actor }: Props): ReactElement => (
  <EventButton actor={actor} event={{ type: 'leave.pressed' }}>
    <Trans>Back to Home</Trans>
  </EventButton>
);

const screens: Record<StateValueFrom<typeof deletionMachine>, (props: Props) => ReactElement> = {
  closed: Closed,
  looking: Closed,
  asking: Asking,
  deleting: Asking,
  gone: Gone,
};

/** The end of the account. */
export const Deletion = ({ actor, ...rest }: Props): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const hasPassword = useSelector(actor, ({ context }) => context.hasPassword);
  const Screen = screens[value];
  return (
    <Section name="deletion" value={value} heading={<Trans>Delete account</Trans>}>
      <Notice tone="success" width="fit-content" mb={5}>
        {value === 'gone' ? deletedText(hasPassword) : null}
      </Notice>
      <Screen actor={actor} {...rest} />
    </Section>
  );
};
