import { useSelector } from '@xstate/react';
import { use } from 'react';
import type { ActorRefFrom } from 'xstate';
import { isSignedIn } from '../../machines/app/app.ts';
import type { frameMachine } from '../../machines/app/frame.ts';
import { everyTitle } from '../../machines/app/owned-titles.ts';
import { AppActorContext } from './app-actor.ts';

type Frame = ActorRefFrom<typeof frameMachine>;
type Children = ReturnType<Frame['getSnapshot']>['children'];

/** What the frame runs by that name: undefined until the frame has come, and outside the shop. */
export const useFrameChild = <Name extends keyof Children>(name: Name): Children[Name] | undefined => {
  const app = use(AppActorContext) ?? undefined;
  const frame = useSelector(app, (snapshot) => snapshot?.children['frame'] as Frame | undefined);
  return useSelector(frame, (snapshot) => snapshot?.children[name]);
};

export type Ownership = 'owned' | 'withSubscription' | 'notOwned' | 'unknown';

/** Whose a title is: `withSubscription` where the customer’s opens it, `unknown` for a customer whose titles are still asked for; nobody's for visitors, and outside the shop. */
export const useOwnership = (titleId: string): Ownership => {
  const app = use(AppActorContext) ?? undefined;
  const signedIn = useSelector(app, (snapshot) => snapshot !== undefined && isSignedIn(snapshot.context.session));
  return useSelector(useFrameChild('ownedTitles'), (snapshot) => {
    // The frame comes after the first screen.
    if (snapshot === undefined) return signedIn ? 'unknown' : 'notOwned';
    const { copies } = snapshot.context;
    const has = Object.hasOwn(copies, titleId) ? copies[titleId] : copies[everyTitle];
    if (has !== undefined) return has === 'own' ? 'owned' : 'withSubscription';
    const isAsked = snapshot.matches({ customer: 'asking' }) && Object.keys(copies).length === 0;
    return isAsked ? 'unknown' : 'notOwned';
  });
};

/** Whether a title is known to be the customer's. */
export const useIsOwned = (titleId: string): boolean => useOwnership(titleId) === 'owned';
