import type { acrossTabs } from '../world/across-tabs.ts';
import { createNews, type News } from '../world/news.ts';
import type { Own } from '../world/own.ts';
import { grants } from './grants.ts';

type Tabs = Pick<ReturnType<typeof acrossTabs>, 'onChanged' | 'tellOtherTabs'>;

/**
 * News of something that all tabs of a browser show, and that a granted title may change: a
 * purchase empties the cart, and takes credits.
 */
export const sharedNews = ({ onChanged, tellOtherTabs }: Tabs, { own }: Own<object>): News => {
  const news = createNews();
  return {
    /** Tells this tab and the others. */
    tell: () => {
      news.tell();
      tellOtherTabs();
    },
    /**
     * Calls the listener when it has changed, in this tab or in another, when a title was granted
     * here, which the other tabs hear, too, and when the network is back.
     * @returns how to unsubscribe
     */
    on: (listener) => {
      const stops = [
        news.on(listener),
        onChanged(listener),
        own(grants).on(() => {
          listener();
          tellOtherTabs();
        }),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
};
