import { useSelector } from '@xstate/react';
import { use } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { frameMachine } from '../../machines/app/frame.ts';
import type { ownedTitlesMachine } from '../../machines/app/owned-titles.ts';
import { AppActorContext } from './app-actor.ts';

/** Whether a title is known to be the customer's: false until that is known, for visitors, and outside the shop. */
export const useIsOwned = (titleId: string): boolean => {
  const app = use(AppActorContext) ?? undefined;
  const frame = useSelector(app, (snapshot) => snapshot?.children['frame'] as ActorRefFrom<typeof frameMachine> | undefined);
  const owned = useSelector(
    frame,
    (snapshot) => snapshot?.children.ownedTitles as ActorRefFrom<typeof ownedTitlesMachine> | undefined,
  );
  return useSelector(owned, (snapshot) => snapshot !== undefined && Object.hasOwn(snapshot.context.copies, titleId));
};
