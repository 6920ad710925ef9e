import { check, optional, pipe, string } from 'valibot';
import type { Variable } from '../settings/variable.ts';
import type { Gateway } from './gateway.ts';
import type { GatewayNames } from './gateway-names.ts';

/** Patterns of the live and test keys of a provider whose keys name their mode. */
type KeyPatterns = { live: RegExp; test: RegExp };

/** An environment variable of a provider; refused in shops with another provider. */
export type ProviderVariable = Variable & {
  schema: { type: 'optional' };
  /** the shop does not start without it */
  isRequired?: true;
  /** its patterns by mode: the value must match the one of the shop's mode */
  keyPatterns?: KeyPatterns;
};

/** Creates the schema of a key that names its mode. @param prefix of the key, before the mode */
export const createKeySchema = (prefix: string) => {
  const keyPatterns = { live: new RegExp(`^${prefix}_live_\\w+$`), test: new RegExp(`^${prefix}_test_\\w+$`) };
  const isKey = (key: string): boolean => keyPatterns.live.test(key) || keyPatterns.test.test(key);
  const shownPrefix = prefix.replace(/\[(\w)\w*\]/, '$1');
  return {
    schema: optional(pipe(string(), check(isKey, `must be a key like ${shownPrefix}_live_… or ${shownPrefix}_test_…`))),
    keyPatterns,
    // A publishable key is not secret, but an operator may have set the secret one by mistake.
    isSecret: true as const,
  };
};

/** A provider with the keys of this shop. */
export type ConfiguredProvider = {
  /** the key that is sent to pages; empty if pages need no key */
  publicKey: string;
  /** @param timeout of a request, in ms */
  buildGateway: (timeout: number, names: GatewayNames) => Gateway;
};

/** A payment provider; `providers.ts` lists all. */
export type PaymentProvider<Name extends string = string> = {
  /** its name in PAYMENT_PROVIDER, and in transactions */
  name: string;
  /** its environment variables, which are refused with another provider */
  variables: Readonly<Record<Name, ProviderVariable>>;
  /** @param values of its variables, checked against the shop's mode; empty if not set */
  readSettings(values: Readonly<Record<Name, string>>): ConfiguredProvider;
};
