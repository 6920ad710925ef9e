import { loadConfig } from '../../client/wire/config.ts';
import { owning } from '../../client/world/own.ts';
import { readPageData } from '../../client/wire/page-data.ts';
import { createShopClient } from '../../client/wire/shop-client.ts';
import { browserScrolling } from '../../history/scroll-position.ts';
import { expireSession, token } from '../../storage/session-storage.ts';
import { categoryTreeOf } from '../navigation/category-tree.ts';
import type { World, WorldParts } from './world.ts';

const showIcon = (href: string): void => {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (icon && icon.href !== new URL(href, location.href).href) icon.href = href;
};

/** The world of a page in a browser; whoever draws it says when its first screen stands. */
export const createBrowserWorld = (stands: Promise<void>): World => {
  /** What came with this page. */
  const page = readPageData(document.querySelector('#store')?.textContent ?? '');
  const client = createShopClient({
    loadConfig: () => loadConfig(page.config),
    send: async (request) => page.answer(request) ?? fetch(request),
    token,
    expireSession,
    spokenLanguage: () => document.documentElement.lang,
    report: (text) => console.info(text),
  });
  return owning<WorldParts>({
    ...client,
    ...categoryTreeOf(client),
    address: () => location,
    showIcon,
    declareLanguage: (language) => void (document.documentElement.lang = language),
    scrolling: browserScrolling,
    stands,
  });
};
