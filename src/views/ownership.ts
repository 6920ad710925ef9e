import { useSelector } from '@xstate/react';
import { use } from 'react';
import type { ActorRefFrom } from 'xstate';
import { isSignedIn } from '../../machines/app/app.ts';
import type { frameMachine } from '../../machines/app/frame.ts';
import { ANY_TITLE } from '../../machines/app/owned-titles.ts';
import { AppActorContext } from './app-actor.ts';

type Frame = ActorRefFrom<typeof frameMachine>;
type Children = ReturnType<Frame['getSnapshot']>['children'];

/**
 * The frame's child actor with that name; undefined until the frame has loaded, and outside the
 * shop.
 */
export const useFrameChild = <Name extends keyof Children>(name: Name): Children[Name] | undefined => {
  const app = use(AppActorContext) ?? undefined;
  const frame = useSelector(app, (snapshot) => snapshot?.children['frame'] as Frame | undefined);
  return useSelector(frame, (snapshot) => snapshot?.children[name]);
};

export type Ownership = 'owned' | 'withSubscription' | 'notOwned' | 'unknown';

/**
 * The ownership of a title: `withSubscription` where the customer’s subscription opens it,
 * `unknown` while a customer's titles are loading; `notOwned` for visitors, and outside the shop.
 */
export const useOwnership = (titleId: string): Ownership => {
  const app = use(AppActorContext) ?? undefined;
  const signedIn = useSelector(app, (snapshot) => snapshot !== undefined && isSignedIn(snapshot.context.session));
  return useSelector(useFrameChild('ownedTitles'), (snapshot) => {
    // The frame loads after the first screen.
    if (snapshot === undefined) return signedIn ? 'unknown' : 'notOwned';
    const { copies } = snapshot.context;
    const copy = Object.hasOwn(copies, titleId) ? copies[titleId] : copies[ANY_TITLE];
    if (copy !== undefined) return copy === 'own' ? 'owned' : 'withSubscription';
    const isLoading = snapshot.matches({ customer: 'asking' }) && Object.keys(copies).length === 0;
    return isLoading ? 'unknown' : 'notOwned';
  });
};

/** Whether the customer is known to own a title. */
export const useIsOwned = (titleId: string): boolean => useOwnership(titleId) === 'owned';
