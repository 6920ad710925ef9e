import { sharedNews } from '../library/shared-news.ts';
import { acrossTabs } from '../world/across-tabs.ts';
import type { News } from '../world/news.ts';
import type { Own } from '../world/own.ts';

/** A world's news of the customer's credits; every port that changes their number tells it. */
export const creditNews = (world: Own<object>): News => {
  const { tell, on } = sharedNews(acrossTabs('colophon.credits'), world);
  return {
    tell,
    // A subscription may have been renewed while the tab was in the background.
    on: (listener) => {
      const looked = () => {
        if (document.visibilityState === 'visible') listener();
      };
      const stop = on(listener);
      document.addEventListener('visibilitychange', looked);
      return () => {
        stop();
        document.removeEventListener('visibilitychange', looked);
      };
    },
  };
};
