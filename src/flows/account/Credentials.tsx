import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement, ReactNode } from 'react';
import type { GenericSchema } from 'valibot';
import type { ActorRefFrom } from 'xstate';
import type { credentialsMachine } from '../../../machines/account/credentials.ts';
import { ForgotPasswordForm, NewEmailForm, PasswordChangeForm } from '../../../machines/model/account/password.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { forgotPasswordPath } from '../../../machines/model/paths.ts';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Sheet } from '../../ui/Page.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { AddressField } from '../../views/lazy/EmailField.tsx';
import { formatFieldProblem } from '../../views/lazy/field-problem-text.tsx';
import type { Screens } from '../../views/FlowScreen.tsx';
import { formatProblem } from '../../views/problem-text.ts';
import { NewPasswordField } from '../../views/lazy/NewPasswordField.tsx';
import { MachineForm } from '../../views/MachineForm.tsx';
import { keepFocusWithin } from '../../views/keep-focus-within.ts';
import { Refused } from './Refused.tsx';
import { FormAnswers } from './FormAnswers.tsx';
import { Section } from './Section.tsx';
import { useSignedInEmail } from './use-own-email.ts';

type Props = { actor: ActorRefFrom<typeof credentialsMachine> };

const changedTexts: Record<'email' | 'password', ReactElement> = {
  email: <Trans>Your email address has been changed.</Trans>,
  password: <Trans>Your password has been changed. You’ve been signed out everywhere else.</Trans>,
};

const formatRefusal = (problem: Problem): ReactElement => {
  const code = problem.kind === 'refused' ? problem.code : '';
  if (code === 'wrong_password') return <Trans>Your current password is incorrect. Please try again.</Trans>;
  if (code === 'no_password')
    return <Trans>Your account has no password yet. Set one with “Forgot your password?” where you sign in.</Trans>;
  return formatProblem(problem);
};

const signInAgain = (
  <Trans>
    To change your email address, please sign in again first. This keeps others who use this device out of your account.
  </Trans>
);

/** Shown for an account without a password: how to set a first one. */
const Passwordless = (): ReactElement =>
  useSignedInEmail() === '' ? (
    <p>
      <Trans>Your account has no password. To set one, add an email address to your account first.</Trans>
    </p>
  ) : (
    <p>
      <Trans>
        Your account has no password. <TextLink href={forgotPasswordPath}>Set one with a link we’ll email you</TextLink>
      </Trans>
    </p>
  );

const Closed = ({ actor }: Props): ReactElement => {
  const hasPassword = useSelector(actor, ({ context }) => context.hasPassword);
  return (
    <chakra.div display="grid" gap={4} justifyItems="start">
      <chakra.div display="flex" flexWrap="wrap" gap={3}>
        <EventButton actor={actor} event={{ type: 'changeEmail.pressed' }} look="outline">
          <Trans>Change email address…</Trans>
        </EventButton>
        {hasPassword ? (
          <EventButton actor={actor} event={{ type: 'changePassword.pressed' }} look="outline">
            <Trans>Change password…</Trans>
          </EventButton>
        ) : null}
      </chakra.div>
      {hasPassword ? null : <Passwordless />}
      <span hidden ref={keepFocusWithin} />
    </chakra.div>
  );
};

type ChangeFormProps = Props & { name: 'email' | 'password'; form: GenericSchema; children: ReactNode };

/** The new value, then the current password if the account has one. */
const ChangeForm = ({ actor, name, form, children }: ChangeFormProps): ReactElement => {
  const { t } = useLingui();
  const { hasPassword, fields, problem } = useSelector(actor, ({ context }) => context);
  return (
    <Sheet display="grid" gap={5}>
      <Refused problem={problem} signInAgain={signInAgain} reason={formatRefusal} />
      <MachineForm actor={actor} name={name} form={form} maxWidth="26rem">
        {children}
        {hasPassword ? (
          <PasswordField
            name="current"
            autoComplete="current-password"
            label={t`Your current password`}
            problem={formatFieldProblem(fields['current'])}
          />
        ) : null}
        <FormAnswers actor={actor} event={`${name}.submitted`} busyText={t`Saving…`}>
          <Trans>Save</Trans>
        </FormAnswers>
      </MachineForm>
      <span hidden ref={keepFocusWithin} />
    </Sheet>
  );
};

const EmailForm = ({ actor }: Props): ReactElement => {
  const { t } = useLingui();
  const { fields, hasPassword } = useSelector(actor, ({ context }) => context);
  return (
    <ChangeForm actor={actor} name="email" form={hasPassword ? NewEmailForm : ForgotPasswordForm}>
      <AddressField autoComplete="email" label={t`New email address`} fields={fields} />
    </ChangeForm>
  );
};

const PasswordForm = ({ actor }: Props): ReactElement => {
  const { t } = useLingui();
  const fields = useSelector(actor, ({ context }) => context.fields);
  return (
    <ChangeForm actor={actor} name="password" form={PasswordChangeForm}>
      <NewPasswordField name="password" fields={fields} label={t`New password`} hint={t`At least 8 characters`} />
      <NewPasswordField name="again" fields={fields} label={t`New password again`} />
    </ChangeForm>
  );
};

const Changed = ({ actor }: Props): ReactElement => {
  const changedCredential = useSelector(actor, ({ context }) => context.changed);
  return (
    <Notice tone="success" width="fit-content" mb={4}>
      {changedCredential === null ? null : changedTexts[changedCredential]}
    </Notice>
  );
};

const screens: Screens<typeof credentialsMachine> = {
  loading: Closed,
  closed: Closed,
  askingEmail: EmailForm,
  savingEmail: EmailForm,
  askingPassword: PasswordForm,
  savingPassword: PasswordForm,
};

/** The customer's e-mail and password. */
export const Credentials = ({ actor }: Props): ReactElement => (
  <Section
    flow="credentials"
    actor={actor}
    screens={screens}
    heading={<Trans>Email and password</Trans>}
    above={<Changed actor={actor} />}
  />
);
