import type { Selectable } from 'kysely';
import type { Database } from '../database/open.ts';
import type { ProvidersTable } from '../database/schema/providers.ts';
import { DomainError } from '../kernel/errors.ts';

/** Whom customers may sign in by, with its secret. */
export type Provider = Selectable<ProvidersTable>;

/** What a provider says of somebody who has just shown it who they are. */
export type Person = {
  /** who says so; no two providers are called alike */
  issuer: string;
  /** by which the issuer knows the person, always */
  subject: string;
  /** empty where the issuer knows or tells none */
  email: string;
  /** the issuer has seen that the address is the person's own */
  emailVerified: boolean;
  name: string;
};

/** A sign-in that has begun: what its end is compared with. */
export type Begun = { state: string; verifier: string; nonce: string; returnUrl: string };

/** What a provider sent its customer back with. */
export type Returned = { code: string; issuer: string | undefined };

export const FACEBOOK_ISSUER = 'https://www.facebook.com';

/** The same person has another id in another app. */
export const facebookIssuer = ({ clientId = '' }: Provider['settings']): string => `${FACEBOOK_ISSUER}/${clientId}`;

/** What stands in the place of an issuer for who signs in by telephone: the number is its subject. */
export const PHONE_ISSUER = 'phone';

/** With or without the slash at its end, as settings have it or the provider writes it. */
const normal = (issuer: string): string => issuer.replace(/\/+$/, '');

/** Whether an identity is one that this provider vouches for. */
export function vouchesFor({ kind, settings }: Pick<Provider, 'kind' | 'settings'>, { issuer }: Pick<Person, 'issuer'>): boolean {
  if (kind === 'phone') return issuer === PHONE_ISSUER;
  return kind === 'facebook' ? issuer === facebookIssuer(settings) : normal(issuer) === normal(settings.issuer ?? '');
}

export const findProvider = (db: Database, storeId: string, id: string): Promise<Provider | undefined> =>
  db.selectFrom('providers').selectAll().where('store_id', '=', storeId).where('id', '=', id).executeTakeFirst();

/** The provider cannot be reached, or says what no provider should; nothing has happened. */
export const unreachable = (): DomainError =>
  new DomainError('payment_unknown', 'The service that you wanted to sign in with does not answer.', {
    code: 'provider_unreachable',
  });

/** The provider does not confirm what the browser came back with. */
export const notConfirmed = (): DomainError =>
  new DomainError('conflict', 'The service that you wanted to sign in with did not confirm it.', { code: 'provider_refused' });
