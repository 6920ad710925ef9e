import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { bootMachine } from '../../../machines/app/boot.ts';
import { Loading } from '../../ui/Loading.tsx';
import { useAppActor } from '../../views/app-actor.ts';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';

type BootActor = ActorRefFrom<typeof bootMachine>;

const Splash = (): ReactElement => (
  <Loading>
    <Trans>Opening the shop…</Trans>
  </Loading>
);

const Unreachable = ({ actor }: { actor: BootActor }): ReactElement => (
  <LoadFailure actor={actor} heading={<Trans>The shop can’t be reached</Trans>} />
);

const screens: Screens<typeof bootMachine> = {
  loading: Splash,
  unreachable: Unreachable,
  valid: Splash,
  invalid: Splash,
};

/** Shown until the store is loaded: it is opening, or its server cannot be reached. */
export const OpeningScreen = (): ReactElement => {
  const boot = useSelector(useAppActor(), ({ children }) => children.boot as BootActor | undefined);
  if (boot === undefined) return <Splash />;
  return (
    <FlowScreen flow="boot" actor={boot} screens={screens}>
      {(screen) => <main>{screen}</main>}
    </FlowScreen>
  );
};
