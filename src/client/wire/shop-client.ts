import { toProblem, type Problem } from '../../../machines/model/problem.ts';
import { createApi, type Api } from './client.ts';
import type { Config } from './config.ts';

/**
 * Reasons for a refusal that concern more than the call: the session has ended, or the store is
 * unknown.
 */
export type RefusalKind = 'session' | 'store';

type Listener = (kind: RefusalKind, call: string) => void;

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
  /** Resolves when no call is pending and no answer is being read; null if that is so now. */
  calls: () => Promise<void> | null;
};

/** Problems that a retry without the token cannot solve: an unknown store, or a timeout. */
const finalKinds: ReadonlySet<Problem['kind']> = new Set<Problem['kind']>(['invalidStore', 'timeout']);

/** Details of a Problem for the log, beside its kind. */
const formatDetail = (problem: Problem): string => {
  if (problem.kind === 'malformed') return `, ${problem.field}: ${problem.message}`;
  if (problem.kind === 'http') return `, ${problem.message}`;
  return problem.kind === 'refused' ? `, ${problem.code}` : '';
};

export const createShopClient = (options: ShopClientOptions): ShopClient => {
  const { token, spokenLanguage } = options;
  const listeners = new Set<Listener>();
  let contentLanguage = '';
  let apiPromise: Promise<Api> | null = null;
  let pendingCalls = 0;
  let allEnded = Promise.withResolvers<void>();

  const notify = (kind: RefusalKind, call: string): void => {
    for (const listener of listeners) listener(kind, call);
  };

  /**
   * Handles every refused call and ends the session on a 401. Removes only the refused token:
   * another tab may have a newer one. (A token that is found at the start is validated first:
   * `src/shell/ports/session.ts`.)
   */
  const onProblem = ({ kind }: Problem, usedToken: string | null, call: string): void => {
    if (kind === 'invalidStore') notify('store', call);
    if (kind !== 'unauthorized' || usedToken === null || usedToken !== token()) return;
    options.expireSession();
    notify('session', call);
  };

  /** Logs a Problem, also one that the shop ignores on purpose. */
  const report = (call: string, problem: Problem): void => {
    options.report(`${call}: ${problem.kind}${formatDetail(problem)}`);
  };

  const countCalls = (api: Api): Api => ({
    ...api,
    runCall: async (...call) => {
      if (pendingCalls === 0) allEnded = Promise.withResolvers();
      pendingCalls += 1;
      try {
        return await api.runCall(...call);
      } finally {
        pendingCalls -= 1;
        if (pendingCalls === 0) allEnded.resolve();
      }
    },
  });

  const open = async (getToken: () => string | null): Promise<Api> => {
    const api = createApi({
      config: await options.loadConfig(),
      ...(options.origin === undefined ? {} : { origin: options.origin }),
      token: getToken,
      newKey: () => crypto.randomUUID(),
      fetch: (request) => {
        // Selects the language of the store's texts and of the gateway's page.
        request.headers.set('Accept-Language', contentLanguage || spokenLanguage());
        return options.send(request);
      },
      report,
      onProblem,
    });
    return countCalls(api);
  };

  const api = (): Promise<Api> => {
    apiPromise ??= open(token).catch((error: unknown) => {
      apiPromise = null;
      throw error;
    });
    return apiPromise;
  };

  return {
    api,
    config: options.loadConfig,
    asVisitor: async (call) => {
      const hadToken = Boolean(token());
      try {
        return await call(await api());
      } catch (error) {
        if (!hadToken || finalKinds.has(toProblem(error).kind)) throw error;
        return call(await open(() => null));
      }
    },
    onRefused: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setContentLanguage: (language) => void (contentLanguage = language),
    spokenLanguage,
    token,
    calls: () => (pendingCalls === 0 ? null : allEnded.promise),
  };
};
