import { useSelector } from '@xstate/react';
import type { ComponentType, ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { informationMachine } from '../../../machines/browsing/static-pages.ts';
import { InformationPage } from './InformationPage.tsx';

type Actor = ActorRefFrom<typeof informationMachine>;

const screens: Record<StateValueFrom<typeof informationMachine>, ComponentType<{ actor: Actor }>> = {
  shown: InformationPage,
};

/** About, terms and privacy. */
export const InformationView = ({ actor }: { actor: Actor }): ReactElement => {
  const value = useSelector(actor, (snapshot) => snapshot.value);
  const Screen = screens[value];
  return (
    <div data-flow="information" data-state={JSON.stringify(value)}>
      <Screen actor={actor} />
    </div>
  );
};
