import { sharedSignal } from '../library/shared-signal.ts';
import { createTabChannel } from '../environment/across-tabs.ts';
import type { Signal } from '../environment/signal.ts';
import type { Scoped } from '../environment/scope.ts';

/** A signal that the customer's credits have changed; emitted by every port that changes them. */
export const creditsChanged = (environment: Scoped<object>): Signal => {
  const { emit, subscribe } = sharedSignal(createTabChannel('colophon.credits'), environment);
  return {
    emit,
    // A subscription may have been renewed while the tab was in the background.
    subscribe: (listener) => {
      const looked = () => {
        if (document.visibilityState === 'visible') listener();
      };
      const stop = subscribe(listener);
      document.addEventListener('visibilitychange', looked);
      return () => {
        stop();
        document.removeEventListener('visibilitychange', looked);
      };
    },
  };
};
