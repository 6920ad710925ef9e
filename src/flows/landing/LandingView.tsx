import { useSelector } from '@xstate/react';
import type { ComponentType, ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { landingMachine } from '../../../machines/browsing/landing.ts';
import { LandingLoading } from './LandingLoading.tsx';
import { LandingShelves } from './LandingShelves.tsx';
import { LandingEmpty, LandingFailed } from './LandingWithout.tsx';

type Actor = ActorRefFrom<typeof landingMachine>;

export const landingScreens: Record<StateValueFrom<typeof landingMachine>, ComponentType<{ actor: Actor }>> = {
  loading: LandingLoading,
  shown: LandingShelves,
  empty: LandingEmpty,
  failed: LandingFailed,
};

/** The shop window. */
export const LandingView = ({ actor }: { actor: Actor }): ReactElement => {
  const value = useSelector(actor, (snapshot) => snapshot.value);
  const Screen = landingScreens[value];
  return (
    <div data-flow="landing" data-state={JSON.stringify(value)}>
      <Screen actor={actor} />
    </div>
  );
};
