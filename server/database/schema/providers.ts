import type { ColumnType } from 'kysely';
import type { Generated, JsonWithDefault, Moment } from './columns.ts';

/** The settings of a provider beside its secret, by kind. */
export type ProviderSettings = {
  /** for `oidc`: the issuer, whose discovery document describes the provider */
  issuer?: string;
  /** for `oidc` and `facebook`: the store's client id */
  clientId?: string;
  /** for `facebook`, where they differ from Facebook's own */
  authorizeUrl?: string;
  tokenUrl?: string;
  profileUrl?: string;
  /** for `phone`: the country (ISO 3166-1) of numbers that are typed without a country code */
  country?: string;
};

export type ProvidersTable = {
  store_id: string;
  id: string;
  kind: 'oidc' | 'facebook' | 'phone';
  /** its own name, which buttons show */
  name: string;
  settings: JsonWithDefault<ProviderSettings>;
  secret: string | null;
  position: number;
};

/** A customer's identity at a provider. */
export type IdentitiesTable = { store_id: string; issuer: string; subject: string; user_id: string; created_at: Moment };

export type ProviderSignInsTable = {
  state_hash: string;
  store_id: string;
  provider_id: string;
  /** PKCE verifier (RFC 7636) */
  verifier: string;
  nonce: string;
  /** the redirect URL that was sent to the provider */
  return_url: string;
  /** the customer who links the provider to their account; null for a sign-in */
  user_id: string | null;
  /** the hash of that customer's access token; null for a sign-in */
  token_hash: string | null;
  expires_at: ColumnType<Date, Date, Date>;
};

export type PhoneCodesTable = {
  /** hash of the id that the requesting browser keeps */
  request_hash: string;
  store_id: string;
  /** in E.164 */
  phone: string;
  code_hash: string;
  tries: Generated<number>;
  expires_at: ColumnType<Date, Date, Date>;
};

/** The newest code that all browsers share for a number that is over its limits. */
export type SharedPhoneCodesTable = {
  store_id: string;
  /** in E.164 */
  phone: string;
  code_hash: string;
  sent_at: ColumnType<Date, Date, Date>;
  expires_at: ColumnType<Date, Date, Date>;
};
