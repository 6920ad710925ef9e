import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { MouseEvent, ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { passkeySignInMachine } from '../../../machines/account/passkey-sign-in.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { Button } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Spinner } from '../../ui/Loading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { isRemembered } from '../../views/lazy/is-remembered.ts';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { formatProblem } from '../../views/problem-text.ts';

type Props = { actor: ActorRefFrom<typeof passkeySignInMachine> };

const refusalTexts: Record<string, ReactElement> = {
  passkey_refused: (
    <Trans>That passkey doesn’t belong to any account in this shop. It may have been deleted. Sign in another way.</Trans>
  ),
  passkey_over: <Trans>That took too long. Please try again.</Trans>,
  passkey_unsupported: <Trans>Your device couldn’t use a passkey here. Sign in another way.</Trans>,
};

const formatRefusal = (problem: Problem): ReactElement =>
  (problem.kind === 'refused' ? refusalTexts[problem.code] : undefined) ?? formatProblem(problem);

const Offered = ({ actor }: Props): ReactElement => {
  const { problem, cancelled } = useSelector(actor, ({ context }) => context);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  const press = ({ currentTarget }: MouseEvent<HTMLElement>): void =>
    actor.send({ type: 'passkey.pressed', remember: isRemembered(currentTarget) });
  return (
    <chakra.div display="grid" gap={4} aria-busy={busy}>
      <Button look="outline" size="lg" wide data-event="passkey.pressed" disabled={busy} onClick={press}>
        {busy ? <Spinner aria-hidden /> : null}
        {busy ? <Trans>Waiting for your device…</Trans> : <Trans>Sign in with a passkey</Trans>}
      </Button>
      {problem === null ? null : <ProblemNotice problem={problem}>{formatRefusal(problem)}</ProblemNotice>}
      <Notice>{cancelled ? <Trans>No passkey was used. Try again, or sign in another way.</Trans> : null}</Notice>
    </chakra.div>
  );
};

const screens: Screens<typeof passkeySignInMachine> = {
  looking: null,
  none: null,
  offered: Offered,
  waiting: Offered,
  welcomed: Offered,
};

/** The button for signing in with a passkey, below the form. */
export const PasskeyButton = ({ actor }: Props): ReactElement => (
  <FlowScreen flow="passkeySignIn" actor={actor} screens={screens} />
);
