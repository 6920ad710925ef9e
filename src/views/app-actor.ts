import { useSelector } from '@xstate/react';
import { createContext, use } from 'react';
import type { BaseLocationHook, BaseSearchHook } from 'wouter';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import { type appMachine, isSignedIn } from '../../machines/app/app.ts';
import type { screenMachine } from '../../machines/app/screen.ts';

export type AppActor = ActorRefFrom<typeof appMachine>;
export type AppContext = SnapshotFrom<typeof appMachine>['context'];

export const AppActorContext = createContext<AppActor | null>(null);

/**
 * Whether this is the first screen of a server-rendered page, which must render all of its parts at
 * once.
 */
export const ServerRenderedContext = createContext(false);

/** @throws Error outside the `App` component */
export const useAppActor = (): AppActor => {
  const actor = use(AppActorContext);
  if (actor === null) throw new Error('useAppActor must be called within the App component.');
  return actor;
};

export const useApp = <Part>(select: (context: AppContext) => Part): Part =>
  useSelector(useAppActor(), ({ context }) => select(context));

export const useIsSignedIn = (): boolean => useApp(({ session }) => isSignedIn(session));

/** Whether the server supports a call beyond the specification. */
export const useHasAddition = (call: string): boolean => useApp(({ store }) => store?.additions.includes(call) === true);

/**
 * Whether the visitor or customer can have a wish list: a visitor's is stored in the browser, a
 * customer's requires an addition of the server.
 */
export const useHasWishList = (): boolean => {
  const isSupported = useHasAddition('user/wishlist');
  return !useIsSignedIn() || isSupported;
};

export type ScreenActor = ActorRefFrom<typeof screenMachine>;

/** The screen's machine, a child of the app's; undefined while the shop is not open. */
export const useScreenActor = (): ScreenActor | undefined =>
  useSelector(useAppActor(), ({ children }) => children.screen as ScreenActor | undefined);

const splitPath = (path: string): [pathname: string, search: string] => {
  const [pathname = '/', search = ''] = path.split('?', 2);
  return [pathname, search];
};

/**
 * The router's location hook. The app's machine owns the current path: links send their target to
 * it and read the path from it.
 */
export const useMachineLocation: BaseLocationHook = () => {
  const actor = useAppActor();
  const pathname = useApp(({ route }) => splitPath(route?.path ?? '/')[0]);
  const navigate = (to: string, { replace = false }: { replace?: boolean } = {}): void => {
    actor.send({ type: 'go', to, replace });
  };
  return [pathname, navigate];
};

export const useMachineSearch: BaseSearchHook = () => useApp(({ route }) => splitPath(route?.path ?? '/')[1]);
