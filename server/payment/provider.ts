import { check, optional, pipe, string } from 'valibot';
import type { Variable } from '../settings/variable.ts';
import type { Gateway } from './gateway.ts';
import type { GatewayNames } from './gateway-names.ts';

/** Patterns of a key whose prefix names its mode. */
type KeyForms = { live: RegExp; test: RegExp };

/** An environment variable of a provider; not set in shops with another provider. */
export type ProviderVariable = Variable & {
  schema: { type: 'optional' };
  /** required by the provider */
  isNeeded?: true;
  /** must match the shop's mode */
  forms?: KeyForms;
};

/** The schema of a key that names its mode. @param prefix of the key, before the mode */
export const createKeySchema = (prefix: string) => {
  const forms = { live: new RegExp(`^${prefix}_live_\\w+$`), test: new RegExp(`^${prefix}_test_\\w+$`) };
  const isKey = (key: string): boolean => forms.live.test(key) || forms.test.test(key);
  const shown = prefix.replace(/\[(\w)\w*\]/, '$1');
  return {
    schema: optional(pipe(string(), check(isKey, `must be a key like ${shown}_live_… or ${shown}_test_…`))),
    forms,
    // A publishable key is not secret, but an operator may have set the secret one by mistake.
    isSecret: true as const,
  };
};

/** A provider with its keys. */
export type ConfiguredProvider = {
  /** the key that is sent to pages; empty if they need none */
  publicKey: string;
  /** @param timeout of a request, in ms */
  make: (timeout: number, names: GatewayNames) => Gateway;
};

/** A payment provider as it registers itself in `providers.ts`. */
export type PaymentProvider<Name extends string = string> = {
  /** its name in PAYMENT_PROVIDER, and in transactions */
  name: string;
  /** its environment variables, which are refused with another provider */
  variables: Readonly<Record<Name, ProviderVariable>>;
  /** @param values of its variables, checked against the shop's mode; empty if not set */
  readSettings(values: Readonly<Record<Name, string>>): ConfiguredProvider;
};
