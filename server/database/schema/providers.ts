import type { ColumnType } from 'kysely';
import type { Generated, JsonWithDefault, Moment } from './columns.ts';

/** What a provider is known by, beside its secret; each kind has its own. */
export type ProviderSettings = {
  /** of `oidc`: where the provider describes itself */
  issuer?: string;
  /** of `oidc` and `facebook`: what the provider calls the store */
  clientId?: string;
  /** of `facebook`, where they are not Facebook's own */
  authorizeUrl?: string;
  tokenUrl?: string;
  profileUrl?: string;
  /** of `phone`: the country of numbers that are typed without one's code, by ISO 3166-1 */
  country?: string;
};

export type ProvidersTable = {
  store_id: string;
  id: string;
  kind: 'oidc' | 'facebook' | 'phone';
  /** as it calls itself, and buttons call it */
  name: string;
  settings: JsonWithDefault<ProviderSettings>;
  secret: string | null;
  position: number;
};

/** A customer as a provider knows one. */
export type IdentitiesTable = { store_id: string; issuer: string; subject: string; user_id: string; created_at: Moment };

export type ProviderSignInsTable = {
  state_hash: string;
  store_id: string;
  provider_id: string;
  /** of PKCE (RFC 7636) */
  verifier: string;
  nonce: string;
  /** where the provider was told to lead back to */
  return_url: string;
  /** who joins the provider to their account, and the hash of the token that asked; null where somebody signs in */
  user_id: string | null;
  token_hash: string | null;
  expires_at: ColumnType<Date, Date, Date>;
};

export type PhoneCodesTable = {
  /** of the id that the browser which asked for the code keeps */
  request_hash: string;
  store_id: string;
  /** in E.164 */
  phone: string;
  code_hash: string;
  tries: Generated<number>;
  expires_at: ColumnType<Date, Date, Date>;
};

/** The newest code that all browsers share which ask for a number, once it is over its limits. */
export type SharedPhoneCodesTable = {
  store_id: string;
  /** in E.164 */
  phone: string;
  code_hash: string;
  sent_at: ColumnType<Date, Date, Date>;
  expires_at: ColumnType<Date, Date, Date>;
};
