import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { forgotPasswordMachine } from '../../../machines/account/forgot-password.ts';
import { ForgotPasswordForm } from '../../../machines/model/account/password.ts';
import { signInPath } from '../../../machines/model/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { FormPage } from '../../views/lazy/FormPage.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { EmailField } from '../../views/lazy/EmailField.tsx';

type Props = { actor: ActorRefFrom<typeof forgotPasswordMachine> };

/**
 * The form for the e-mail address of the account; the typed address stays while the request is
 * sent.
 */
const RequestForm = ({ actor }: Props): ReactElement => {
  const { t } = useLingui();
  const context = useSelector(actor, (state) => state.context);
  const { isNotMe, problem } = context;
  return (
    <FormPage
      actor={actor}
      name="request"
      form={ForgotPasswordForm}
      heading={isNotMe ? <Trans>Secure your account</Trans> : <Trans>Forgot your password?</Trans>}
      above={
        <p>
          <Trans>Enter the email address of your account, and we’ll send you a link to set a new password.</Trans>
          {isNotMe ? (
            <>
              {' '}
              <Trans>
                With the link you can also remove passkeys, devices and other ways to sign in that you don’t recognise.
              </Trans>
            </>
          ) : null}
        </p>
      }
      problem={problem}
      submitText={<Trans>Send request</Trans>}
      busyText={t`Sending…`}
      below={
        <chakra.p textAlign="center">
          <TextLink href={signInPath()}>
            <Trans>Back to sign in</Trans>
          </TextLink>
        </chakra.p>
      }
    >
      <EmailField actor={actor} context={context} />
    </FormPage>
  );
};

const Sent = ({ actor }: Props): ReactElement => (
  <Message
    level={1}
    role="status"
    heading={<Trans>Check your email</Trans>}
    actions={
      <>
        <ButtonLink href={signInPath()}>
          <Trans>Back to sign in</Trans>
        </ButtonLink>
        <EventButton actor={actor} event={{ type: 'again.pressed' }} look="outline">
          <Trans>Send another</Trans>
        </EventButton>
      </>
    }
  >
    <Trans>
      If there’s an account with that address, a link to set a new password is on its way. It’s valid for one hour. If nothing
      arrives, look in your spam folder, or check the address.
    </Trans>
  </Message>
);

const screens: Screens<typeof forgotPasswordMachine> = {
  asking: RequestForm,
  sending: RequestForm,
  sent: Sent,
};

/** Requesting a link for a new password. */
export const ForgotPasswordView = ({ actor }: Props): ReactElement => (
  <FlowScreen flow="forgotPassword" actor={actor} screens={screens}>
    {(screen) => <Page width="narrow">{screen}</Page>}
  </FlowScreen>
);
