import { toProblem, type Problem } from '../../../machines/model/problem.ts';
import { createApi, type Api } from './client.ts';
import type { Config } from './config.ts';

/**
 * Reasons for a refusal that concern more than the call: the session has ended, or the store is
 * unknown.
 */
export type RefusalKind = 'session' | 'store';

type Listener = (refused: RefusalKind, call: string) => void;

/** The client's dependencies outside of the shop. */
export type ShopClientOptions = {
  loadConfig: () => Promise<Config>;
  send: (request: Request) => Promise<Response>;
  /** The signed-in customer's token; null for a visitor. */
  token: () => string | null;
  expireSession: () => void;
  /** The shop's language, which may differ from the browser's. */
  spokenLanguage: () => string;
  report: (text: string) => void;
  /** The origin that the API's base is relative to. */
  origin?: string;
};

/**
 * The client of the store's server, with the session and store refusals of all calls. One per page.
 */
export type ShopClient = {
  /**
   * The API of this page's store; after a failure the configuration is loaded again with the next
   * call.
   */
  api: () => Promise<Api>;
  config: () => Promise<Config>;
  /**
   * Makes a call that needs no sign-in. A call that fails with a token is retried without one: not
   * every server says that a token has expired, and an expired token must not make the store look
   * offline.
   */
  asVisitor: <Answer>(call: (api: Api) => Promise<Answer>) => Promise<Answer>;
  /**
   * Calls the listener when an answer refuses the session or the store, before the call itself
   * rejects.
   * @returns a function that unsubscribes.
   */
  onRefused: (listener: Listener) => () => void;
  /** Sets the language of the store's texts for later calls, before the page switches to it. */
  setContentLanguage: (language: string) => void;
  spokenLanguage: () => string;
  token: () => string | null;
  /** Settles when no call is pending or being read; null when none is. */
  calls: () => Promise<void> | null;
};

/** Problems that a retry without the token cannot solve: an unknown store, or no answer. */
const lastingKinds: ReadonlySet<Problem['kind']> = new Set<Problem['kind']>(['invalidStore', 'timeout']);

/** Details of a Problem for the log, beside its kind. */
const formatDetail = (problem: Problem): string => {
  if (problem.kind === 'malformed') return `, ${problem.field}: ${problem.message}`;
  if (problem.kind === 'http') return `, ${problem.message}`;
  return problem.kind === 'refused' ? `, ${problem.code}` : '';
};

export const createShopClient = (parts: ShopClientOptions): ShopClient => {
  const { token, spokenLanguage } = parts;
  const listeners = new Set<Listener>();
  let asked = '';
  let opened: Promise<Api> | null = null;
  let running = 0;
  let ended = Promise.withResolvers<void>();

  const notify = (refused: RefusalKind, call: string): void => {
    for (const listener of listeners) listener(refused, call);
  };

  /**
   * Handles every refused call and ends the session on a 401. Removes only the refused token:
   * another tab may have a newer one. (A token that is found at the start is validated first:
   * `src/shell/ports/session.ts`.)
   */
  const onProblem = ({ kind }: Problem, used: string | null, call: string): void => {
    if (kind === 'invalidStore') notify('store', call);
    if (kind !== 'unauthorized' || used === null || used !== token()) return;
    parts.expireSession();
    notify('session', call);
  };

  /** Problems that are ignored on purpose are still logged. */
  const report = (call: string, problem: Problem): void => {
    parts.report(`${call}: ${problem.kind}${formatDetail(problem)}`);
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
        // For the store's own texts, and the gateway's page.
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
        if (!hadToken || lastingKinds.has(toProblem(error).kind)) throw error;
        return call(await open(() => null));
      }
    },
    onRefused: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setContentLanguage: (language) => void (asked = language),
    spokenLanguage,
    token,
    calls: () => (running === 0 ? null : ended.promise),
  };
};
