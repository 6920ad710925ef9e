import { useSelector } from '@xstate/react';
import { createContext, use } from 'react';
import type { BaseLocationHook, BaseSearchHook } from 'wouter';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import { type appMachine } from '../../machines/app/app.ts';
import { isSignedIn } from '../../machines/app/app.ts';
import type { screenMachine } from '../../machines/app/screen.ts';

export type AppActor = ActorRefFrom<typeof appMachine>;
export type AppContext = SnapshotFrom<typeof appMachine>['context'];

export const AppActorContext = createContext<AppActor | null>(null);

/** Whether this is the first screen of a page that the server has painted: nothing of it may come later. */
export const IsPaintedScreen = createContext(false);

/** @throws Error outside the shop. */
export const useAppActor = (): AppActor => {
  const actor = use(AppActorContext);
  if (actor === null) throw new Error('There is no App above.');
  return actor;
};

export const useApp = <Part>(select: (context: AppContext) => Part): Part =>
  useSelector(useAppActor(), ({ context }) => select(context));

export const useIsSignedIn = (): boolean => useApp(({ session }) => isSignedIn(session));

/** Whether the server names a call beyond the specification as one of its own. */
export const useHasAddition = (call: string): boolean => useApp(({ store }) => store?.additions.includes(call) === true);

/** A visitor's wish list is kept by the browser; a customer's needs a call of the server. */
export const useHasWishList = (): boolean => {
  const isKept = useHasAddition('user/wishlist');
  return !useIsSignedIn() || isKept;
};

export type ScreenActor = ActorRefFrom<typeof screenMachine>;

/** The machine of what is seen in the frame; undefined while the shop is not open. */
export const useScreenActor = (): ScreenActor | undefined =>
  useSelector(useAppActor(), ({ children }) => children.screen as ScreenActor | undefined);

const parts = (path: string): [pathname: string, search: string] => {
  const [pathname = '/', search = ''] = path.split('?', 2);
  return [pathname, search];
};

/** The machine owns the address: links tell it where to go, and read from it where they are. */
export const useMachineLocation: BaseLocationHook = () => {
  const actor = useAppActor();
  const pathname = useApp(({ route }) => parts(route?.path ?? '/')[0]);
  const navigate = (to: string, { replace = false }: { replace?: boolean } = {}): void => {
    actor.send({ type: 'go', to, replace });
  };
  return [pathname, navigate];
};

export const useMachineSearch: BaseSearchHook = () => useApp(({ route }) => parts(route?.path ?? '/')[1]);
