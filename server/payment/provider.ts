import { check, optional, pipe, string } from 'valibot';
import type { Variable } from '../settings/variable.ts';
import type { Gateway } from './gateway.ts';
import type { GatewayNames } from './gateway-names.ts';

/** Forms of a key that says itself whether it takes real money. */
type KeyForms = { live: RegExp; test: RegExp };

/** A variable of a provider, which is left out in shops with other providers. */
export type ProviderVariable = Variable & {
  schema: { type: 'optional' };
  /** the provider cannot be used without it */
  isNeeded?: true;
  /** it has to be of the shop's mode */
  forms?: KeyForms;
};

/** The schema of a key that names its mode. @param prefix of the key, before the mode */
export const keyOf = (prefix: string) => {
  const forms = { live: new RegExp(`^${prefix}_live_\\w+$`), test: new RegExp(`^${prefix}_test_\\w+$`) };
  const isKey = (key: string): boolean => forms.live.test(key) || forms.test.test(key);
  const shown = prefix.replace(/\[(\w)\w*\]/, '$1');
  return {
    schema: optional(pipe(string(), check(isKey, `must be a key like ${shown}_live_… or ${shown}_test_…`))),
    forms,
    // A publishable key is no secret, but an operator may have typed the secret one in its place.
    isSecret: true as const,
  };
};

/** A provider whose keys have been read. */
export type ReadProvider = {
  /** the key that pages may know; empty where they need none */
  publicKey: string;
  /** @param timeout milliseconds after which an answer counts as lost */
  make: (timeout: number, names: GatewayNames) => Gateway;
};

/** A payment provider as it registers itself in `providers.ts`. */
export type PaymentProvider<Name extends string = string> = {
  /** its name in PAYMENT_PROVIDER, and in transactions */
  name: string;
  /** its variables, which are refused where another provider is chosen */
  variables: Readonly<Record<Name, ProviderVariable>>;
  /** @param values of its variables, of the shop's mode; empty where one is left out */
  readSettings(values: Readonly<Record<Name, string>>): ReadProvider;
};
