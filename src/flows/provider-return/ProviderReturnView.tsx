import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { providerReturnMachine } from '../../../machines/account/provider-return.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Failed, Message } from '../../ui/Message.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { formatProblem } from '../../views/problem-text.ts';

type Props = { actor: ActorRefFrom<typeof providerReturnMachine> };

const Finishing = (): ReactElement => (
  <Loading>
    <Trans>Signing you in…</Trans>
  </Loading>
);

const Welcomed = (): ReactElement => (
  <Loading>
    <Trans>You’re signed in. One moment…</Trans>
  </Loading>
);

const BackToSignIn = ({ actor }: Props): ReactElement => (
  <EventButton actor={actor} event={{ type: 'again.pressed' }}>
    <Trans>Back to sign in</Trans>
  </EventButton>
);

const Cancelled = ({ actor }: Props): ReactElement => (
  <Message level={1} heading={<Trans>You’re not signed in</Trans>} actions={<BackToSignIn actor={actor} />}>
    <Trans>The sign-in was cancelled. You can try again, or sign in with your password.</Trans>
  </Message>
);

const Over = ({ actor }: Props): ReactElement => (
  <Message level={1} failure heading={<Trans>This sign-in is no longer valid</Trans>} actions={<BackToSignIn actor={actor} />}>
    <Trans>It has been used, took longer than ten minutes, or was started in another window. Please start again.</Trans>
  </Message>
);

const PasswordNeeded = ({ actor }: Props): ReactElement => (
  <Message
    level={1}
    heading={<Trans>Please sign in with your password</Trans>}
    actions={
      <EventButton actor={actor} event={{ type: 'again.pressed' }}>
        <Trans>Sign in with a password</Trans>
      </EventButton>
    }
  >
    <Trans>
      There’s already an account with your email address, and the service you used hasn’t confirmed that the address is yours.
    </Trans>
  </Message>
);

const formatReason = (problem: Problem): ReactElement => {
  if (problem.kind === 'refused' && problem.code === 'provider_unreachable')
    return (
      <Trans>The service you wanted to sign in with isn’t responding. Try again later, or sign in with your password.</Trans>
    );
  if (problem.kind === 'refused' && problem.code === 'provider_refused')
    return (
      <Trans>
        The service you wanted to sign in with couldn’t confirm who you are. Try again, or sign in with your password.
      </Trans>
    );
  return formatProblem(problem);
};

const NotFinished = ({ actor }: Props): ReactElement => {
  const problem = useSelector(actor, ({ context }) => context.problem);
  return (
    <Failed level={1} heading={<Trans>We couldn’t sign you in</Trans>} actions={<BackToSignIn actor={actor} />}>
      {problem === null ? null : formatReason(problem)}
    </Failed>
  );
};

const Joining = (): ReactElement => (
  <Loading>
    <Trans>Connecting…</Trans>
  </Loading>
);

const joinFailureTexts: Record<string, ReactElement> = {
  provider_cancelled: <Trans>You cancelled it, so nothing has changed.</Trans>,
  sign_in_over: (
    <Trans>It has been used, took longer than ten minutes, or was started in another window. Please start again.</Trans>
  ),
  provider_taken: (
    <Trans>
      That sign-in is already linked to another account in this shop. To use it here, sign in with it, remove it from that
      account, and connect it again.
    </Trans>
  ),
  provider_unreachable: <Trans>That service isn’t responding. Please try again later.</Trans>,
  provider_refused: <Trans>That service didn’t confirm who you are. Please try again.</Trans>,
};

const NotJoined = ({ actor }: Props): ReactElement => {
  const problem = useSelector(actor, ({ context }) => context.problem);
  return (
    <Failed
      level={1}
      heading={<Trans>Nothing was connected</Trans>}
      actions={
        <EventButton actor={actor} event={{ type: 'again.pressed' }}>
          <Trans>Back to your account</Trans>
        </EventButton>
      }
    >
      {problem === null
        ? null
        : ((problem.kind === 'refused' ? joinFailureTexts[problem.code] : undefined) ?? formatProblem(problem))}
    </Failed>
  );
};

const screens: Screens<typeof providerReturnMachine> = {
  taking: Finishing,
  finishing: Finishing,
  joining: Joining,
  notJoined: NotJoined,
  welcomed: Welcomed,
  cancelled: Cancelled,
  over: Over,
  passwordNeeded: PasswordNeeded,
  failed: NotFinished,
};

/** The return from a provider's sign-in page. */
export const ProviderReturnView = ({ actor }: Props): ReactElement => (
  <FlowScreen flow="providerReturn" actor={actor} screens={screens} />
);
