import { problemOf, type Problem } from '../../machines/model/problem.ts';
import { clearSession, token } from '../storage/session-storage.ts';
import { createApi, type Api } from './client.ts';
import { loadConfig } from './config.ts';
import { answerInPage } from './page-data.ts';

/** What an answer can refuse beyond its own call: the session, which has ended, or the store, which is unknown. */
export type Refused = 'session' | 'store';

type Listener = (refused: Refused, call: string) => void;

const listeners = new Set<Listener>();

/** Calls the listener when the answer to a call refuses the session or the store, before the call itself fails. @returns how to unsubscribe. */
export const onRefused = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Every call that the server refuses comes here, and ends the session. Only the token that was refused goes: another tab may
 * have a newer one. (A token that is found at the start is asked about first: `src/shell/session.ts`.)
 */
const onProblem = ({ kind }: Problem, used: string | null, call: string): void => {
  if (kind === 'invalidStore') for (const listener of listeners) listener('store', call);
  if (kind !== 'unauthorized' || used === null || used !== token()) return;
  clearSession();
  for (const listener of listeners) listener('session', call);
};

/** The language that the shop speaks, which is not always the browser's. */
export const spokenLanguage = (): string => document.documentElement.lang;

/** Problems that are ignored on purpose are still logged. */
const report = (call: string, problem: Problem) => {
  const what = problem.kind === 'malformed' ? `, ${problem.field}: ${problem.message}` : '';
  console.info(`${call}: ${problem.kind}${what}`);
};

let asked = '';

/** From now on the store's own words are asked for in this language, which the page is about to speak. */
export const askIn = (language: string): void => void (asked = language);

const open = async (tokenNow: () => string | null): Promise<Api> =>
  createApi({
    config: await loadConfig(),
    token: tokenNow,
    newKey: () => crypto.randomUUID(),
    fetch: async (request) => {
      // For the store's own words, and the gateway's page.
      request.headers.set('Accept-Language', asked || spokenLanguage());
      return answerInPage(request) ?? globalThis.fetch(request);
    },
    report,
    onProblem,
  });

let opened: Promise<Api> | null = null;

/** The API of this page's store; a configuration that could not be loaded is asked for again the next time. */
export const api = (): Promise<Api> => {
  opened ??= open(token).catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
};

/** What asking again without the token cannot change: there is no such store, or no answer at all. */
const lasting = new Set<Problem['kind']>(['invalidStore', 'timeout']);

/**
 * Makes a call that everybody may make. One that fails with a token is made again without: not every server says in words that
 * a token has died, and nobody shall find the shop closed for it.
 */
export const asVisitor = async <Answer>(call: (api: Api) => Promise<Answer>): Promise<Answer> => {
  const hadToken = token() !== null;
  try {
    return await call(await api());
  } catch (error) {
    if (!hadToken || lasting.has(problemOf(error).kind)) throw error;
    return call(await open(() => null));
  }
};
