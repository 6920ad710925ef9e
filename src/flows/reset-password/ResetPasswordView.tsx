import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { resetPasswordMachine } from '../../../machines/account/reset-password.ts';
import { forgotPasswordPath, signInPath, withQuery } from '../../../machines/model/paths.ts';
import { createResetForm } from '../../../machines/model/account/reset.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { FormPage } from '../../views/lazy/FormPage.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { OtherSignInMethods } from './OtherSignInMethods.tsx';
import { NewPasswordField } from '../../views/lazy/NewPasswordField.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';

type Props = { actor: ActorRefFrom<typeof resetPasswordMachine> };

const Checking = (): ReactElement => (
  <Loading>
    <Trans>Checking your link…</Trans>
  </Loading>
);

/**
 * The new password, typed twice, and the other sign-in methods; all input stays while it is saved.
 */
const PasswordForm = ({ actor }: Props): ReactElement => {
  const { t } = useLingui();
  const { ways: methods, fields, problem } = useSelector(actor, ({ context }) => context);
  return (
    <FormPage
      actor={actor}
      name="password"
      form={createResetForm(methods)}
      heading={<Trans>Set a new password</Trans>}
      problem={problem}
      submitText={<Trans>Save</Trans>}
      busyText={t`Saving…`}
    >
      <NewPasswordField name="password" fields={fields} label={t`New password`} hint={t`At least 8 characters`} />
      <NewPasswordField name="again" fields={fields} label={t`New password, once more`} />
      {methods.length === 0 ? null : <OtherSignInMethods actor={actor} />}
    </FormPage>
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

/** The page for setting a new password with the link from an e-mail. */
export const ResetPasswordView = ({ actor }: Props): ReactElement => (
  <FlowScreen flow="resetPassword" actor={actor} screens={screens}>
    {(screen) => <Page width="narrow">{screen}</Page>}
  </FlowScreen>
);
