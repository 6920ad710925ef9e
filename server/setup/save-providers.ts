import { isSupportedCountry } from 'libphonenumber-js/min';
import { inTransaction, type Database } from '../database/open.ts';
import type { ProviderSettings, ProvidersTable } from '../database/schema/providers.ts';

/** A provider with OpenID Connect: Google, Auth0, a company's own. */
export type OidcProvider = {
  kind: 'oidc';
  /** a short permanent name in lower case */
  id: string;
  /** name on buttons */
  name: string;
  /** base URL of its `/.well-known/openid-configuration` */
  issuer: string;
  clientId: string;
  clientSecret: string;
};

/** Facebook's URLs may be replaced by those of a fake. */
export type FacebookProvider = {
  kind: 'facebook';
  id?: string;
  name?: string;
  appId: string;
  appSecret: string;
  authorizeUrl?: string;
  tokenUrl?: string;
  profileUrl?: string;
};

/** Sign-in by a code in a text message. */
export type PhoneProvider = {
  kind: 'phone';
  id?: string;
  name?: string;
  /** country (ISO 3166-1) of numbers that are typed without a country code, like `GB` */
  country?: string;
};

export type NewProvider = OidcProvider | FacebookProvider | PhoneProvider;

/** An invalid provider; the message says what is wrong. */
export class BadProvider extends Error {}

const ID = /^[a-z0-9][a-z0-9-]{0,39}$/;
const MAX_TEXT_CHARS = 500;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_CHARS;

const isOwnMachine = (hostname: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** Whether secrets may be sent there: over an encrypted connection, or within the machine. */
export const isSecureUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isOwnMachine(hostname));

/** Parses the fields of a provider; `of` names it in errors. */
function createFieldReader(of: string, given: Record<string, unknown>) {
  const text = (name: string): string => {
    const value = given[name];
    if (!isText(value)) throw new BadProvider(`${of} needs a text in ${name}.`);
    return value;
  };
  const address = (name: string): string => {
    const value = text(name);
    const url = URL.parse(value);
    if (url === null || !isSecureUrl(url)) throw new BadProvider(`The ${name} of ${of} must be an https address.`);
    return value;
  };
  return { text, address, has: (name: string) => given[name] !== undefined };
}

type Row = Omit<ProvidersTable, 'store_id' | 'position' | 'settings'> & { settings: ProviderSettings };

const fields: Record<NewProvider['kind'], readonly string[]> = {
  oidc: ['kind', 'id', 'name', 'issuer', 'clientId', 'clientSecret'],
  facebook: ['kind', 'id', 'name', 'appId', 'appSecret', 'authorizeUrl', 'tokenUrl', 'profileUrl'],
  phone: ['kind', 'id', 'name', 'country'],
};

const findKind = (given: Record<string, unknown>): NewProvider['kind'] | undefined =>
  (Object.keys(fields) as NewProvider['kind'][]).find((kind) => kind === given['kind']);

function toRow(given: unknown, position: number): Row {
  const which = `Provider ${position + 1}`;
  if (typeof given !== 'object' || given === null) throw new BadProvider(`${which} must be an object.`);
  const all = given as Record<string, unknown>;
  const kind = findKind(all);
  if (kind === undefined) throw new BadProvider(`${which} needs a kind: ${Object.keys(fields).join(' or ')}.`);
  const unknown = Object.keys(all).find((name) => !fields[kind].includes(name));
  if (unknown !== undefined)
    throw new BadProvider(`${which} has the unknown field “${unknown}”: expected ${fields[kind].join(', ')}.`);
  const { text, address, has } = createFieldReader(which, all);
  const id = kind === 'oidc' || has('id') ? text('id') : kind;
  if (!ID.test(id)) throw new BadProvider(`The id of ${which} must be lower-case letters, digits and dashes, not “${id}”.`);
  if (kind === 'oidc') {
    const settings = { issuer: address('issuer'), clientId: text('clientId') };
    return { id, kind, name: text('name'), settings, secret: text('clientSecret') };
  }
  if (kind === 'phone') {
    const country = has('country') ? text('country') : undefined;
    if (country !== undefined && !isSupportedCountry(country))
      throw new BadProvider(`The country of ${which} must be an alpha-2 code of ISO 3166-1, like GB, not “${country}”.`);
    return { id, kind, name: has('name') ? text('name') : 'Phone', settings: country ? { country } : {}, secret: null };
  }
  const own = (['authorizeUrl', 'tokenUrl', 'profileUrl'] as const).filter(has);
  return {
    id,
    kind,
    name: has('name') ? text('name') : 'Facebook',
    settings: { clientId: text('appId'), ...Object.fromEntries(own.map((name) => [name, address(name)])) },
    secret: text('appSecret'),
  };
}

/**
 * Replaces the providers of a store, in this order. Customers of a removed provider keep their
 * account, and can sign in again when it is added again.
 * @throws BadProvider
 */
export async function saveProviders(db: Database, storeId: string, given: readonly unknown[]): Promise<void> {
  const rows = given.map(toRow);
  const ids = rows.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new BadProvider(`Two providers have the id “${twice}”.`);
  await inTransaction(db, async (trx) => {
    // Updated rather than replaced, so that sign-ins in progress continue.
    const gone = trx.deleteFrom('providers').where('store_id', '=', storeId);
    await (ids.length === 0 ? gone : gone.where('id', 'not in', ids)).execute();
    for (const [position, { settings, ...row }] of rows.entries()) {
      const kept = { ...row, settings: JSON.stringify(settings), position };
      await trx
        .insertInto('providers')
        .values({ ...kept, store_id: storeId })
        .onConflict((conflict) => conflict.columns(['store_id', 'id']).doUpdateSet(kept))
        .execute();
    }
  });
}
