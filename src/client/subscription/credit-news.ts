import { acrossTabs } from '../world/across-tabs.ts';
import { grants } from '../library/grants.ts';
import { createNews, type News } from '../world/news.ts';
import type { Own } from '../world/own.ts';

/** A world's news of the customer's credits. */
export const creditNews = ({ own }: Own<object>): News => {
  const news = createNews();
  const { onChanged, tellOtherTabs } = acrossTabs('colophon.credits');
  return {
    /** Said by every port that hears that there are more or fewer of them. Other tabs hear of it, too. */
    tell: () => {
      news.tell();
      tellOtherTabs();
    },
    /**
     * Calls the listener when credits may have been given or taken, here or in another tab, when the network is back, and when
     * the tab is looked at again: a subscription may have been renewed meanwhile.
     */
    on: (listener) => {
      const looked = () => {
        if (document.visibilityState === 'visible') listener();
      };
      const stops = [
        news.on(listener),
        onChanged(listener),
        // Perhaps for credits, and then other tabs show too many.
        own(grants).on(() => {
          listener();
          tellOtherTabs();
        }),
      ];
      document.addEventListener('visibilitychange', looked);
      return () => {
        for (const stop of stops) stop();
        document.removeEventListener('visibilitychange', looked);
      };
    },
  };
};
