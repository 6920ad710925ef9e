import * as v from 'valibot';
import { raise, unreached } from './problem.ts';

/** The configuration that the server serves with the page: where the API is and which store this is. */
const Config = v.object({
  apiBase: v.string(),
  storeAddress: v.optional(v.string(), ''),
  storeId: v.string(),
  storeParameter: v.optional(v.string(), 'shelfid'),
  appId: v.optional(v.string(), ''),
  /** False where payments charge nothing; left out, the server does not say. */
  paymentLiveMode: v.optional(v.boolean()),
  paymentPublicKey: v.optional(v.string(), ''),
  paymentMethods: v.optional(v.array(v.string()), []),
  mapsKey: v.optional(v.string(), ''),
  appStoreUrls: v.optional(v.array(v.object({ type: v.picklist(['GooglePlay', 'Apple']), url: v.string() }))),
  helpUrl: v.optional(v.string(), ''),
  coralHost: v.optional(v.string(), ''),
  providers: v.optional(v.array(v.unknown()), []),
  additions: v.optional(v.array(v.string()), []),
  clockAhead: v.optional(v.number(), 0),
});
export type Config = v.InferOutput<typeof Config>;

/** Milliseconds, as for any call that reads. */
const limit = 15_000;

const fetchedConfig = async (): Promise<unknown> => {
  const response = await fetch('/config.json', { signal: AbortSignal.timeout(limit) }).catch(() => raise(unreached()));
  // No store claims this host.
  if (response.status === 404) return raise({ kind: 'invalidStore' });
  return response.ok ? response.json().catch(() => null) : null;
};

/** @param inPage the one that came with the page, or null. @throws Problem `offline` when the server cannot be reached, `invalidStore` at a host that is no store's, `malformed` when the file is not what it should be. */
export const loadConfig = async (inPage: unknown): Promise<Config> => {
  const result = v.safeParse(Config, inPage ?? (await fetchedConfig()));
  if (result.success) return result.output;
  const field = v.getDotPath(result.issues[0]) ?? '';
  return raise({ kind: 'malformed', call: 'config.json', field, message: result.issues[0].message });
};
