import { use, useSyncExternalStore } from 'react';
import { OverPainted } from './app-actor.ts';

const never = (): (() => void) => () => {};

/** Whether this render is one that the server makes, or the browser's first one of, or in place of, what the server has made: nothing may come later. */
export const usePainted = (): boolean => {
  const isHydrating = useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
  return use(OverPainted) || isHydrating;
};
