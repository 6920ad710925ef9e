import { problemOf, type Problem } from '../../../machines/model/problem.ts';
import { createApi, type Api } from './client.ts';
import type { Config } from './config.ts';

/** What an answer can refuse beyond its own call: the session, which has ended, or the store, which is unknown. */
export type Refused = 'session' | 'store';

type Listener = (refused: Refused, call: string) => void;

/** What a client reaches outside of the shop. */
export type ClientParts = {
  loadConfig: () => Promise<Config>;
  send: (request: Request) => Promise<Response>;
  /** Of the customer who is signed in; null a visitor's. */
  token: () => string | null;
  expireSession: () => void;
  /** The language that the shop speaks, which is not always the browser's. */
  spokenLanguage: () => string;
  report: (text: string) => void;
  /** The origin that the API's base is relative to. */
  origin?: string;
};

/** The calls to the store's server, and what all of them hear of session and store. One for a page. */
export type ShopClient = {
  /** The API of this page's store; a configuration that could not be loaded is asked for again the next time. */
  api: () => Promise<Api>;
  config: () => Promise<Config>;
  /**
   * Makes a call that everybody may make. One that fails with a token is made again without: not every server says in words that
   * a token has died, and nobody shall find the shop closed for it.
   */
  asVisitor: <Answer>(call: (api: Api) => Promise<Answer>) => Promise<Answer>;
  /** Calls the listener when the answer to a call refuses the session or the store, before the call itself fails. @returns how to unsubscribe. */
  onRefused: (listener: Listener) => () => void;
  /** From now on the store's own words are asked for in this language, which the page is about to speak. */
  askIn: (language: string) => void;
  spokenLanguage: () => string;
  token: () => string | null;
  /** Settles when no call is on its way, or being read; null when none is. */
  calls: () => Promise<void> | null;
};

/** What asking again without the token cannot change: there is no such store, or no answer at all. */
const lasting: ReadonlySet<Problem['kind']> = new Set<Problem['kind']>(['invalidStore', 'timeout']);

/** The words of the log for a Problem, beside its kind. */
const detailOf = (problem: Problem): string => {
  if (problem.kind === 'malformed') return `, ${problem.field}: ${problem.message}`;
  if (problem.kind === 'http') return `, ${problem.message}`;
  return problem.kind === 'refused' ? `, ${problem.code}` : '';
};

export const createShopClient = (parts: ClientParts): ShopClient => {
  const { token, spokenLanguage } = parts;
  const listeners = new Set<Listener>();
  let asked = '';
  let opened: Promise<Api> | null = null;
  let running = 0;
  let ended = Promise.withResolvers<void>();

  const tell = (refused: Refused, call: string): void => {
    for (const listener of listeners) listener(refused, call);
  };

  /**
   * Every call that the server refuses comes here, and ends the session. Only the token that was refused goes: another tab may
   * have a newer one. (A token that is found at the start is asked about first:
   * `src/shell/ports/session.ts`.)
   */
  const onProblem = ({ kind }: Problem, used: string | null, call: string): void => {
    if (kind === 'invalidStore') tell('store', call);
    if (kind !== 'unauthorized' || used === null || used !== token()) return;
    parts.expireSession();
    tell('session', call);
  };

  /** Problems that are ignored on purpose are still logged. */
  const report = (call: string, problem: Problem): void => {
    parts.report(`${call}: ${problem.kind}${detailOf(problem)}`);
  };

  const counted = (api: Api): Api => ({
    ...api,
    runCall: async (...call) => {
      if (running === 0) ended = Promise.withResolvers();
      running += 1;
      try {
        return await api.runCall(...call);
      } finally {
        running -= 1;
        if (running === 0) ended.resolve();
      }
    },
  });

  const open = async (tokenNow: () => string | null): Promise<Api> => {
    const api = createApi({
      config: await parts.loadConfig(),
      ...(parts.origin === undefined ? {} : { origin: parts.origin }),
      token: tokenNow,
      newKey: () => crypto.randomUUID(),
      fetch: (request) => {
        // For the store's own words, and the gateway's page.
        request.headers.set('Accept-Language', asked || spokenLanguage());
        return parts.send(request);
      },
      report,
      onProblem,
    });
    return counted(api);
  };

  const api = (): Promise<Api> => {
    opened ??= open(token).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };

  return {
    api,
    config: parts.loadConfig,
    asVisitor: async (call) => {
      const hadToken = Boolean(token());
      try {
        return await call(await api());
      } catch (error) {
        if (!hadToken || lasting.has(problemOf(error).kind)) throw error;
        return call(await open(() => null));
      }
    },
    onRefused: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    askIn: (language) => void (asked = language),
    spokenLanguage,
    token,
    calls: () => (running === 0 ? null : ended.promise),
  };
};
