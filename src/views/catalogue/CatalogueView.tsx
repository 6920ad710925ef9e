import { useSelector } from '@xstate/react';
import type { ComponentType, ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/catalogue.ts';
import { stateName, type StateName } from '../state-name.ts';
import { ListEmpty, ListFailed, ListNotFound } from './ListWithout.tsx';
import { ListLoading } from './ListLoading.tsx';
import { ListShown } from './ListShown.tsx';

type Actor = ActorRefFrom<typeof catalogueMachine>;

export const catalogueScreens: Record<
  StateName<StateValueFrom<typeof catalogueMachine>>,
  ComponentType<{ actor: Actor }>
> = {
  loading: ListLoading,
  shown: ListShown,
  empty: ListEmpty,
  notFound: ListNotFound,
  failed: ListFailed,
};

/** A list of titles: all, of a kind, of a category, or found. */
export const CatalogueView = ({ actor }: { actor: Actor }): ReactElement => {
  const value = useSelector(actor, (snapshot) => snapshot.value);
  const Screen = catalogueScreens[stateName(value)];
  return (
    <div data-flow="catalogue" data-state={JSON.stringify(value)}>
      <Screen actor={actor} />
    </div>
  );
};
