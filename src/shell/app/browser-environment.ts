import { loadConfig } from '../../client/wire/config.ts';
import { createScope } from '../../client/environment/scope.ts';
import { readPageData } from '../../client/wire/page-data.ts';
import { createShopClient } from '../../client/wire/shop-client.ts';
import { browserScrolling } from '../../history/scroll-position.ts';
import { expireSession, token } from '../../storage/session-storage.ts';
import { createCategoryTree } from '../navigation/category-tree.ts';
import type { AppEnvironment, EnvironmentParts } from './environment.ts';

const showIcon = (href: string): void => {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (icon && icon.href !== new URL(href, location.href).href) icon.href = href;
};

/**
 * The environment of a page in a browser; the caller resolves `firstScreenReady` when the first
 * screen is shown.
 */
export const createBrowserEnvironment = (firstScreenReady: Promise<void>): AppEnvironment => {
  const pageData = readPageData(document.querySelector('#store')?.textContent ?? '');
  const client = createShopClient({
    loadConfig: () => loadConfig(pageData.config),
    send: async (request) => pageData.takeResponse(request) ?? fetch(request),
    token,
    expireSession,
    spokenLanguage: () => document.documentElement.lang,
    report: (text) => console.info(text),
  });
  return createScope<EnvironmentParts>({
    ...client,
    ...createCategoryTree(client),
    address: () => location,
    showIcon,
    declareLanguage: (language) => void (document.documentElement.lang = language),
    scrolling: browserScrolling,
    firstScreenReady,
  });
};
