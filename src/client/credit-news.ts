import { acrossTabs } from './across-tabs.ts';
import { onGranted } from './grants.ts';

const listeners = new Set<() => void>();
const { onChanged, tellOtherTabs } = acrossTabs('colophon.credits');

/** Said by every port that hears that the customer's credits have become more or fewer. Other tabs hear of it, too. */
export const tellCreditsChanged = (): void => {
  for (const listener of listeners) listener();
  tellOtherTabs();
};

/**
 * Calls the listener when credits may have been given or taken, here or in another tab, when the network is back, and when the
 * tab is looked at again: a subscription may have been renewed meanwhile. @returns how to unsubscribe
 */
export const onCreditsChanged = (listener: () => void): (() => void) => {
  const looked = () => {
    if (document.visibilityState === 'visible') listener();
  };
  const stops = [
    onChanged(listener),
    // Perhaps for credits, and then other tabs show too many.
    onGranted(() => {
      listener();
      tellOtherTabs();
    }),
  ];
  listeners.add(listener);
  document.addEventListener('visibilitychange', looked);
  return () => {
    for (const stop of stops) stop();
    listeners.delete(listener);
    document.removeEventListener('visibilitychange', looked);
  };
};
