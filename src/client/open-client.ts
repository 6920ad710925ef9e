import { clearSession, token } from '../storage/session-storage.ts';
import { loadConfig } from './config.ts';
import { readPageData } from './page-data.ts';
import { createShopClient } from './shop-client.ts';

/** What came with this page. */
export const pageData = readPageData(globalThis.document?.querySelector('#store')?.textContent ?? '');

/** The browser's own client. */
export const browserClient = createShopClient({
  loadConfig: () => loadConfig(pageData.config),
  send: async (request) => pageData.answer(request) ?? globalThis.fetch(request),
  token,
  clearSession,
  spokenLanguage: () => document.documentElement.lang,
  report: (text) => console.info(text),
});

export const { api, asVisitor, onRefused, spokenLanguage } = browserClient;
