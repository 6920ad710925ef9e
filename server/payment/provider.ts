import type { Gateway } from './gateway.ts';
import type { GatewayNames } from './gateway-names.ts';

/** Forms of a key that says itself whether it takes real money. */
export type KeyForms = { live: RegExp; test: RegExp };

/** Reads the variables of a provider. */
export type ProviderSettings = {
  /** @throws BadSetting where it is missing */
  needed: (name: string) => string;
  /**
   * A key of the shop's mode. @throws BadSetting where it is missing, malformed, or of the other
   * mode
   */
  neededKey: (name: string, forms: KeyForms) => string;
  /** The same; empty where it is left out. */
  key: (name: string, forms: KeyForms) => string;
};

/** A provider whose keys have been read. */
export type ReadProvider = {
  /** the key that pages may know; empty where they need none */
  publicKey: string;
  /** @param timeout milliseconds after which an answer counts as lost */
  make: (timeout: number, names: GatewayNames) => Gateway;
};

/** A payment provider as it registers itself in `providers.ts`. */
export type PaymentProvider = {
  /** its name in PAYMENT_PROVIDER, and in transactions */
  name: string;
  /** its variables, which are refused where another provider is chosen */
  variables: readonly string[];
  /** @throws BadSetting */
  readSettings: (settings: ProviderSettings) => ReadProvider;
};
