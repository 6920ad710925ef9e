import type { Selectable } from 'kysely';
import type { Database } from '../database/open.ts';
import type { ProvidersTable } from '../database/schema/providers.ts';
import { DomainError } from '../kernel/errors.ts';

/** An identity provider of a store, with its secret. */
export type Provider = Selectable<ProvidersTable>;

/** A provider's statement about a person who has just authenticated. */
export type Person = {
  /** the issuer, unique among providers */
  issuer: string;
  /** the issuer's permanent id of the person */
  subject: string;
  /** empty where the issuer knows no address, or does not disclose it */
  email: string;
  /** whether the issuer has verified that the address is the person's own */
  emailVerified: boolean;
  name: string;
};

/** A started sign-in: the values that its end is checked against. */
export type StartedSignIn = { state: string; verifier: string; nonce: string; returnUrl: string };

/** Parameters that a provider has sent its customer back with. */
export type ProviderReturn = { code: string; issuer: string | undefined };

export const FACEBOOK_ISSUER = 'https://www.facebook.com';

/** A person has a different id in each app, so the app is part of the issuer. */
export const toFacebookIssuer = ({ clientId = '' }: Provider['settings']): string => `${FACEBOOK_ISSUER}/${clientId}`;

/** The issuer of sign-ins by telephone: the number is the subject. */
export const PHONE_ISSUER = 'phone';

/** An issuer without its trailing slash, which settings and providers write or omit. */
const normalizeIssuer = (issuer: string): string => issuer.replace(/\/+$/, '');

/** Whether an identity is one of this provider. */
export function isIssuerOf({ kind, settings }: Pick<Provider, 'kind' | 'settings'>, { issuer }: Pick<Person, 'issuer'>): boolean {
  if (kind === 'phone') return issuer === PHONE_ISSUER;
  return kind === 'facebook'
    ? issuer === toFacebookIssuer(settings)
    : normalizeIssuer(issuer) === normalizeIssuer(settings.issuer ?? '');
}

export const findProvider = (db: Database, storeId: string, id: string): Promise<Provider | undefined> =>
  db.selectFrom('providers').selectAll().where('store_id', '=', storeId).where('id', '=', id).executeTakeFirst();

/** The provider cannot be reached, or its answer is invalid; nothing was changed. */
export const unreachableError = (): DomainError =>
  new DomainError('payment_unknown', 'The service that you wanted to sign in with does not answer.', {
    code: 'provider_unreachable',
  });

/** The provider does not confirm the parameters that the browser came back with. */
export const notConfirmedError = (): DomainError =>
  new DomainError('conflict', 'The service that you wanted to sign in with did not confirm it.', { code: 'provider_refused' });
