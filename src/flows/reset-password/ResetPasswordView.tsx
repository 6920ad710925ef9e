import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { resetPasswordMachine } from '../../../machines/account/reset-password.ts';
import { forgotPasswordPath, signInPath, withQuery } from '../../../machines/model/paths.ts';
import { resetForm } from '../../../machines/model/reset.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { SubmitButton } from '../../ui/SubmitButton.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Message } from '../../ui/Message.tsx';
import { Page, Sheet } from '../../ui/Page.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { fieldProblemText } from '../../views/late/field-problem-text.tsx';
import { OtherWays } from './OtherWays.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { problemText } from '../../views/problem-text.ts';
import { submitForm } from '../../views/submit-form.ts';

type Props = { actor: ActorRefFrom<typeof resetPasswordMachine> };

const Checking = (): ReactElement => (
  <Loading>
    <Trans>Checking your link…</Trans>
  </Loading>
);

/**
 * The new password, typed twice, and the other ways into the account; all stays as typed and ticked
 * while it is saved.
 */
const PasswordForm = ({ actor }: Props): ReactElement => {
  const { t } = useLingui();
  const { ways, fields, problem } = useSelector(actor, ({ context }) => context);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  return (
    <chakra.div display="grid" gap={6}>
      <chakra.h1 fontSize="3xl" textAlign="center">
        <Trans>Set a new password</Trans>
      </chakra.h1>
      {problem === null ? null : <ProblemNotice problem={problem}>{problemText(problem)}</ProblemNotice>}
      <Sheet>
        <chakra.form
          noValidate
          onSubmit={submitForm(actor, 'password', resetForm(ways), busy)}
          display="grid"
          gap={5}
          aria-busy={busy}
        >
          <PasswordField
            name="password"
            autoComplete="new-password"
            label={t`New password`}
            hint={t`At least 8 characters`}
            problem={fieldProblemText(fields['password'])}
          />
          <PasswordField
            name="again"
            autoComplete="new-password"
            label={t`New password, once more`}
            problem={fieldProblemText(fields['again'])}
          />
          {ways.length === 0 ? null : <OtherWays actor={actor} />}
          <SubmitButton size="lg" wide event="password.submitted" busy={busy} waits={t`Saving…`}>
            <Trans>Save</Trans>
          </SubmitButton>
        </chakra.form>
      </Sheet>
    </chakra.div>
  );
};

const Saved = ({ actor }: Props): ReactElement => {
  const count = useSelector(actor, ({ context }) => context.removedCount);
  return (
    <Message
      level={1}
      role="status"
      heading={<Trans>Your password has been changed</Trans>}
      actions={
        <ButtonLink href={signInPath()}>
          <Trans>Sign in</Trans>
        </ButtonLink>
      }
    >
      <p>
        <Trans>You’ve been signed out on all devices. Sign in with your new password.</Trans>
      </p>
      {count === 0 ? null : (
        <p>
          <Plural value={count} one="The item you ticked has been removed." other="The # items you ticked have been removed." />
        </p>
      )}
    </Message>
  );
};

const Over = ({ actor }: Props): ReactElement => {
  const isNotMe = useSelector(actor, ({ context }) => context.isNotMe);
  return (
    <Message
      level={1}
      failure
      heading={<Trans>This link no longer works</Trans>}
      actions={
        <ButtonLink href={withQuery(forgotPasswordPath, isNotMe ? { notme: '1' } : {})}>
          <Trans>Get a new link</Trans>
        </ButtonLink>
      }
    >
      <Trans>It has been used, or is older than an hour.</Trans>
    </Message>
  );
};

const NotChecked = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} heading={<Trans>We couldn’t check your link</Trans>} />
);

const screens: Screens<typeof resetPasswordMachine> = {
  loading: Checking,
  loadingWays: Checking,
  asking: PasswordForm,
  saving: PasswordForm,
  saved: Saved,
  over: Over,
  failed: NotChecked,
};

/** Setting a new password by the link of a letter. */
export const ResetPasswordView = ({ actor }: Props): ReactElement => (
  <FlowScreen flow="resetPassword" actor={actor} screens={screens}>
    {(screen) => <Page width="narrow">{screen}</Page>}
  </FlowScreen>
);
