import { useSyncExternalStore } from 'react';

const never = (): (() => void) => () => {};

/** Whether this render is one that the server makes, or the browser's first one of what the server has made: nothing may come later. */
export const usePainted = (): boolean =>
  useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
