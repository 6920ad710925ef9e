import type { Problem } from '../../machines/model/problem.ts';
import { createApi, type Api } from './client.ts';
import { loadConfig } from './config.ts';
import { answerInPage } from './page-data.ts';
import { token } from '../storage/session-storage.ts';

/** Problems that are swallowed on purpose still have to be found by whoever looks for them. */
const report = (call: string, problem: Problem) => console.info(`${call}: ${problem.kind}`);

const open = async (): Promise<Api> =>
  createApi({
    config: await loadConfig(),
    token,
    newKey: () => crypto.randomUUID(),
    fetch: async (request) => {
      // The language chosen in the shop, for the gateway's page, is not always the browser's.
      request.headers.set('Accept-Language', document.documentElement.lang);
      return answerInPage(request) ?? globalThis.fetch(request);
    },
    report,
  });

let opened: Promise<Api> | null = null;

/** The API of this page's store; a configuration that could not be loaded is asked for again the next time. */
export const api = (): Promise<Api> => {
  opened ??= open().catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
};
