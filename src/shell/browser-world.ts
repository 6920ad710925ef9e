import { browserClient } from '../client/open-client.ts';
import { browserScrolling } from '../history/scroll-position.ts';
import { categoryTreeOf } from './category-tree.ts';
import type { World } from './world.ts';

const showIcon = (href: string): void => {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (icon && icon.href !== new URL(href, location.href).href) icon.href = href;
};

/** The world of a page in a browser; whoever draws it says when its first screen stands. */
export const createBrowserWorld = (stands: Promise<void>): World => ({
  ...browserClient,
  ...categoryTreeOf(browserClient),
  address: () => location,
  showIcon,
  declareLanguage: (language) => void (document.documentElement.lang = language),
  scrolling: browserScrolling,
  stands,
});
