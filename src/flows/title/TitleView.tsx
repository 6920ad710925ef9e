import { useSelector } from '@xstate/react';
import type { ComponentType, ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { titleMachine } from '../../../machines/browsing/title.ts';
import { stateName, type StateName } from '../../views/state-name.ts';
import { TitleLoading } from './TitleLoading.tsx';
import { TitlePage } from './TitlePage.tsx';
import { TitleFailed, TitleNotFound } from './TitleWithout.tsx';

type Actor = ActorRefFrom<typeof titleMachine>;

export const titleScreens: Record<StateName<StateValueFrom<typeof titleMachine>>, ComponentType<{ actor: Actor }>> = {
  loading: TitleLoading,
  shown: TitlePage,
  notFound: TitleNotFound,
  failed: TitleFailed,
};

/** A title's own page. */
export const TitleView = ({ actor }: { actor: Actor }): ReactElement => {
  const value = useSelector(actor, (snapshot) => snapshot.value);
  const Screen = titleScreens[stateName(value)];
  return (
    <div data-flow="title" data-state={JSON.stringify(value)}>
      <Screen actor={actor} />
    </div>
  );
};
