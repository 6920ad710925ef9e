import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { signUpMachine } from '../../../machines/account/sign-up.ts';
import { chakra } from '../../ui/chakra.ts';
import { Page } from '../../ui/Page.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { SignUpFormView } from './SignUpFormView.tsx';

type Actor = ActorRefFrom<typeof signUpMachine>;

const Welcomed = (): ReactElement => (
  <Loading>
    <Trans>Your account is ready. One moment…</Trans>
  </Loading>
);

const screens: Record<StateValueFrom<typeof signUpMachine>, (props: { actor: Actor }) => ReactElement> = {
  asking: SignUpFormView,
  checking: SignUpFormView,
  welcomed: Welcomed,
};

/** Creating an account. */
export const SignUpView = ({ actor }: { actor: Actor }): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = screens[value];
  return (
    <chakra.div data-flow="signUp" data-state={JSON.stringify(value)}>
      <Page width="narrow">
        <Screen actor={actor} />
      </Page>
    </chakra.div>
  );
};
