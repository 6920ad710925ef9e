import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { pageMachine } from '../../../machines/browsing/page.ts';
import { contentScreens } from './content-screens.tsx';

/** A page that the store has written. */
export const ContentPageView = ({ actor }: { actor: ActorRefFrom<typeof pageMachine> }): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = contentScreens[value];
  return (
    <div data-flow="page" data-state={JSON.stringify(value)}>
      <Screen actor={actor} />
    </div>
  );
};
