import * as v from 'valibot';
import { throwProblem, offlineProblem } from './problem.ts';

/** The configuration that the server serves with the page: API, store and options of the server. */
const Config = v.object({
  apiBase: v.string(),
  storeAddress: v.optional(v.string(), ''),
  storeId: v.string(),
  storeParameter: v.optional(v.string(), 'shelfid'),
  appId: v.optional(v.string(), ''),
  /** False where payments are in test mode; absent where the server does not say. */
  paymentLiveMode: v.optional(v.boolean()),
  paymentPublicKey: v.optional(v.string(), ''),
  paymentMethods: v.optional(v.array(v.string()), []),
  /** The wallets among the payment methods, as gateways name them. */
  wallets: v.optional(v.array(v.string()), []),
  mapsKey: v.optional(v.string(), ''),
  appStoreUrls: v.optional(v.array(v.object({ type: v.picklist(['GooglePlay', 'Apple']), url: v.string() }))),
  helpUrl: v.optional(v.string(), ''),
  coralHost: v.optional(v.string(), ''),
  providers: v.optional(v.array(v.unknown()), []),
  additions: v.optional(v.array(v.string()), []),
  clockAhead: v.optional(v.number(), 0),
});
export type Config = v.InferOutput<typeof Config>;

/** Timeout in milliseconds, as for any read-only call. */
const timeoutMs = 15_000;

const fetchConfig = async (): Promise<unknown> => {
  const response = await fetch('/config.json', { signal: AbortSignal.timeout(timeoutMs) }).catch(() =>
    throwProblem(offlineProblem()),
  );
  // No store has this host.
  if (response.status === 404) return throwProblem({ kind: 'invalidStore' });
  return response.ok ? response.json().catch(() => null) : null;
};

/**
 * @param inPage the configuration embedded in the page, or null.
 * @throws Problem `offline` when the server cannot be reached in time, `invalidStore` at a host
 * without a store, `malformed` when the file is invalid.
 */
export const loadConfig = async (inPage: unknown): Promise<Config> => {
  const result = v.safeParse(Config, inPage ?? (await fetchConfig()));
  if (result.success) return result.output;
  const field = v.getDotPath(result.issues[0]) ?? '';
  return throwProblem({ kind: 'malformed', call: 'config.json', field, message: result.issues[0].message });
};
