import { createSharedSignal } from '../library/shared-signal.ts';
import { createTabChannel } from '../environment/across-tabs.ts';
import type { Signal } from '../environment/signal.ts';
import type { Scoped } from '../environment/scope.ts';

/**
 * A signal that the customer's credits may have changed. It is emitted by ports that change them
 * without granting a title; `ownershipChanged` calls its listeners as well.
 */
export const creditsChanged = (environment: Scoped<object>): Signal => {
  const { emit, subscribe } = createSharedSignal(createTabChannel('colophon.credits'), environment);
  return {
    emit,
    // A subscription may have been renewed while the tab was in the background.
    subscribe: (listener) => {
      const onVisible = () => {
        if (document.visibilityState === 'visible') listener();
      };
      const unsubscribe = subscribe(listener);
      document.addEventListener('visibilitychange', onVisible);
      return () => {
        unsubscribe();
        document.removeEventListener('visibilitychange', onVisible);
      };
    },
  };
};
