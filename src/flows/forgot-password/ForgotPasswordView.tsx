import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { forgotPasswordMachine } from '../../../machines/account/forgot-password.ts';
import { ForgotPasswordForm } from '../../../machines/model/password.ts';
import { signInPath } from '../../../machines/model/paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { SubmitButton } from '../../ui/SubmitButton.tsx';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Message } from '../../ui/Message.tsx';
import { Page, Sheet } from '../../ui/Page.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { EmailField } from '../../views/late/EmailField.tsx';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { problemText } from '../../views/problem-text.ts';
import { submitForm } from '../../views/submit-form.ts';

type Props = { actor: ActorRefFrom<typeof forgotPasswordMachine> };

/** The address that a link is to be sent to; it stays as typed while it is sent. */
const RequestForm = ({ actor }: Props): ReactElement => {
  const { t } = useLingui();
  const context = useSelector(actor, (state) => state.context);
  const { isNotMe, problem } = context;
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  return (
    <chakra.div display="grid" gap={6}>
      <chakra.h1 fontSize="3xl" textAlign="center">
        {isNotMe ? <Trans>Secure your account</Trans> : <Trans>Forgot your password?</Trans>}
      </chakra.h1>
      <p>
        <Trans>Enter the email address of your account, and we’ll send you a link to set a new password.</Trans>
        {isNotMe ? (
          <>
            {' '}
            <Trans>
              With it you can also remove passkeys, devices and other ways into your account that you don’t recognise.
            </Trans>
          </>
        ) : null}
      </p>
      {problem === null ? null : <ProblemNotice problem={problem}>{problemText(problem)}</ProblemNotice>}
      <Sheet>
        <chakra.form
          noValidate
          onSubmit={submitForm(actor, 'request', ForgotPasswordForm, busy)}
          display="grid"
          gap={5}
          aria-busy={busy}
        >
          <EmailField actor={actor} context={context} />
          <SubmitButton size="lg" wide event="request.submitted" busy={busy} waits={t`Sending…`}>
            <Trans>Send request</Trans>
          </SubmitButton>
        </chakra.form>
      </Sheet>
      <chakra.p textAlign="center">
        <TextLink href={signInPath()}>
          <Trans>Back to sign in</Trans>
        </TextLink>
      </chakra.p>
    </chakra.div>
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
      If there’s an account with that address, a link to set a new password is on its way. It works for one hour. If nothing
      comes, look in your spam folder, or check the address.
    </Trans>
  </Message>
);

const screens: Screens<typeof forgotPasswordMachine> = {
  asking: RequestForm,
  sending: RequestForm,
  sent: Sent,
};

/** Having a link for a new password sent. */
export const ForgotPasswordView = ({ actor }: Props): ReactElement => (
  <FlowScreen flow="forgotPassword" actor={actor} screens={screens}>
    {(screen) => <Page width="narrow">{screen}</Page>}
  </FlowScreen>
);
