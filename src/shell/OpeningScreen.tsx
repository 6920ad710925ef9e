import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ComponentType, ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { bootMachine } from '../../machines/app/boot.ts';
import { Loading } from '../ui/Loading.tsx';
import { useAppActor } from '../views/app-actor.ts';
import { LoadFailure } from '../views/LoadFailure.tsx';

type BootActor = ActorRefFrom<typeof bootMachine>;

const Splash = (): ReactElement => (
  <Loading>
    <Trans>Opening the shop…</Trans>
  </Loading>
);

const Unreachable = ({ actor }: { actor: BootActor }): ReactElement => (
  <LoadFailure actor={actor} heading={<Trans>The shop can’t be reached</Trans>} />
);

const screens: Record<StateValueFrom<typeof bootMachine>, ComponentType<{ actor: BootActor }>> = {
  loading: Splash,
  unreachable: Unreachable,
  valid: Splash,
  invalid: Splash,
};

const Boot = ({ actor }: { actor: BootActor }): ReactElement => {
  const value = useSelector(actor, (snapshot) => snapshot.value);
  const Screen = screens[value];
  return (
    <main data-flow="boot" data-state={JSON.stringify(value)}>
      <Screen actor={actor} />
    </main>
  );
};

/** Until the store is known: that it is being opened, or that its server cannot be reached. */
export const OpeningScreen = (): ReactElement => {
  const boot = useSelector(useAppActor(), ({ children }) => children.boot as BootActor | undefined);
  return boot === undefined ? <Splash /> : <Boot actor={boot} />;
};
