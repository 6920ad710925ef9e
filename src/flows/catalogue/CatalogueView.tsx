import { useSelector } from '@xstate/react';
import type { ComponentType, ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { Page } from '../../ui/Page.tsx';
import { stateName, type StateName } from '../../views/state-name.ts';
import { ListHead } from './ListHead.tsx';
import { ListLoading } from './ListLoading.tsx';
import { ListShown } from './ListShown.tsx';
import { ListEmpty, ListFailed, ListNotFound } from './ListWithout.tsx';

type Actor = ActorRefFrom<typeof catalogueMachine>;

export const catalogueScreens: Record<StateName<StateValueFrom<typeof catalogueMachine>>, ComponentType<{ actor: Actor }>> = {
  loading: ListLoading,
  shown: ListShown,
  leading: ListLoading,
  empty: ListEmpty,
  notFound: ListNotFound,
  failed: ListFailed,
};

/** A list of titles: all, of a kind, of a category, or found. */
export const CatalogueView = ({ actor }: { actor: Actor }): ReactElement => {
  const value = useSelector(actor, (snapshot) => snapshot.value);
  const state = stateName(value);
  const Screen = catalogueScreens[state];
  return (
    <Page data-flow="catalogue" data-state={JSON.stringify(value)}>
      {/* One head through all states: what was typed or chosen in it, and the focus, stay. */}
      {state === 'notFound' ? null : <ListHead actor={actor} />}
      <Screen actor={actor} />
    </Page>
  );
};
