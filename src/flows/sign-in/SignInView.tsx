import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { signInMachine } from '../../../machines/account/sign-in.ts';
import { chakra } from '../../ui/chakra.ts';
import { Page } from '../../ui/Page.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { SignInFormView } from './SignInFormView.tsx';

type Actor = ActorRefFrom<typeof signInMachine>;

const Welcomed = (): ReactElement => (
  <Loading>
    <Trans>You are signed in. One moment…</Trans>
  </Loading>
);

const screens: Record<StateValueFrom<typeof signInMachine>, (props: { actor: Actor }) => ReactElement> = {
  asking: SignInFormView,
  checking: SignInFormView,
  welcomed: Welcomed,
};

/** Signing in with an e-mail address and a password. */
export const SignInView = ({ actor }: { actor: Actor }): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = screens[value];
  return (
    <chakra.div data-flow="signIn" data-state={JSON.stringify(value)}>
      <Page width="narrow">
        <Screen actor={actor} />
      </Page>
    </chakra.div>
  );
};
