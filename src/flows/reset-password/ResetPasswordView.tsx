import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { resetPasswordMachine } from '../../../machines/account/reset-password.ts';
import { NewPasswordForm } from '../../../machines/model/password.ts';
import { forgotPasswordPath, signInPath } from '../../../machines/model/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { SubmitButton } from '../../ui/SubmitButton.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Message } from '../../ui/Message.tsx';
import { Page, Sheet } from '../../ui/Page.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { fieldProblemText } from '../../views/late/field-problem-text.tsx';
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

/** The new password, typed twice; it stays as typed while it is saved. */
const PasswordForm = ({ actor }: Props): ReactElement => {
  const { t } = useLingui();
  const { fields, problem } = useSelector(actor, ({ context }) => context);
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
          onSubmit={submitForm(actor, 'password', NewPasswordForm, busy)}
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
          <SubmitButton size="lg" wide event="password.submitted" busy={busy} waits={t`Saving…`}>
            <Trans>Save</Trans>
          </SubmitButton>
        </chakra.form>
      </Sheet>
    </chakra.div>
  );
};

const Saved = (): ReactElement => (
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
    <Trans>You’ve been signed out on all devices. Sign in with your new password.</Trans>
  </Message>
);

const Over = (): ReactElement => (
  <Message
    level={1}
    failure
    heading={<Trans>This link no longer works</Trans>}
    actions={
      <ButtonLink href={forgotPasswordPath}>
        <Trans>Get a new link</Trans>
      </ButtonLink>
    }
  >
    <Trans>It has been used, or is older than an hour.</Trans>
  </Message>
);

const NotChecked = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} heading={<Trans>We couldn’t check your link</Trans>} />
);

const screens: Record<StateValueFrom<typeof resetPasswordMachine>, (props: Props) => ReactElement> = {
  loading: Checking,
  asking: PasswordForm,
  saving: PasswordForm,
  saved: Saved,
  over: Over,
  failed: NotChecked,
};

/** Setting a new password by the link of a letter. */
export const ResetPasswordView = ({ actor }: Props): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = screens[value];
  return (
    <chakra.div data-flow="resetPassword" data-state={JSON.stringify(value)}>
      <Page width="narrow">
        <Screen actor={actor} />
      </Page>
    </chakra.div>
  );
};
