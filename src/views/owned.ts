import { useSelector } from '@xstate/react';
import { use } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { frameMachine } from '../../machines/app/frame.ts';
import { AppActorContext } from './app-actor.ts';

type Frame = ActorRefFrom<typeof frameMachine>;
type Children = ReturnType<Frame['getSnapshot']>['children'];

/** What the frame runs by that name: undefined until the frame has come, and outside the shop. */
export const useFrameChild = <Name extends keyof Children>(name: Name): Children[Name] | undefined => {
  const app = use(AppActorContext) ?? undefined;
  const frame = useSelector(app, (snapshot) => snapshot?.children['frame'] as Frame | undefined);
  return useSelector(frame, (snapshot) => snapshot?.children[name]);
};

/** Whether a title is known to be the customer's: false until that is known, for visitors, and outside the shop. */
export const useIsOwned = (titleId: string): boolean =>
  useSelector(
    useFrameChild('ownedTitles'),
    (snapshot) => snapshot !== undefined && Object.hasOwn(snapshot.context.copies, titleId),
  );
