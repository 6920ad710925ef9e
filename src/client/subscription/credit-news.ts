import { sharedSignal } from '../library/shared-news.ts';
import { createTabChannel } from '../world/across-tabs.ts';
import type { Signal } from '../world/news.ts';
import type { Scoped } from '../world/own.ts';

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
