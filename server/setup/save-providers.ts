import { isSupportedCountry } from 'libphonenumber-js/min';
import { inTransaction, type Database } from '../database/open.ts';
import type { ProviderSettings, ProvidersTable } from '../database/schema/providers.ts';

/** Any provider that speaks OpenID Connect: Google, Auth0, a company's own. */
export type OidcProvider = {
  kind: 'oidc';
  /** a short name in small letters, which stays */
  id: string;
  /** as buttons call it */
  name: string;
  /** where it describes itself, below `/.well-known/openid-configuration` */
  issuer: string;
  clientId: string;
  clientSecret: string;
};

/** Facebook's addresses may be replaced by those of a stand-in. */
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

/** By a code that is sent to a telephone. */
export type PhoneProvider = {
  kind: 'phone';
  id?: string;
  name?: string;
  /** of numbers that are typed without a country's code, by ISO 3166-1, like `GB` */
  country?: string;
};

export type NewProvider = OidcProvider | FacebookProvider | PhoneProvider;

/** A provider that cannot be taken as it is given; the message says what is wrong with it. */
export class BadProvider extends Error {}

const ID = /^[a-z0-9][a-z0-9-]{0,39}$/;
const LONGEST = 500;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= LONGEST;

const isOwnMachine = (hostname: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** Secrets go there: over a line that nobody reads, or within the machine. */
export const mayBeTrusted = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isOwnMachine(hostname));

/** Reads the fields of one provider, by its words for the operator. */
function reader(of: string, given: Record<string, unknown>) {
  const text = (name: string): string => {
    const value = given[name];
    if (!isText(value)) throw new BadProvider(`${of} needs a text as its ${name}.`);
    return value;
  };
  const address = (name: string): string => {
    const value = text(name);
    const url = URL.parse(value);
    if (url === null || !mayBeTrusted(url)) throw new BadProvider(`The ${name} of ${of} must be an https address.`);
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

const kindOf = (given: Record<string, unknown>): NewProvider['kind'] | undefined =>
  (Object.keys(fields) as NewProvider['kind'][]).find((kind) => kind === given['kind']);

function rowOf(given: unknown, position: number): Row {
  const which = `Provider ${position + 1}`;
  if (typeof given !== 'object' || given === null) throw new BadProvider(`${which} must be an object.`);
  const all = given as Record<string, unknown>;
  const kind = kindOf(all);
  if (kind === undefined) throw new BadProvider(`${which} needs a kind: ${Object.keys(fields).join(' or ')}.`);
  const unknown = Object.keys(all).find((name) => !fields[kind].includes(name));
  if (unknown !== undefined) throw new BadProvider(`${which} has “${unknown}”, which no provider of its kind has.`);
  const { text, address, has } = reader(which, all);
  const id = kind === 'oidc' || has('id') ? text('id') : kind;
  if (!ID.test(id)) throw new BadProvider(`The id of ${which} must be small letters, digits and dashes, not “${id}”.`);
  if (kind === 'oidc') {
    const settings = { issuer: address('issuer'), clientId: text('clientId') };
    return { id, kind, name: text('name'), settings, secret: text('clientSecret') };
  }
  if (kind === 'phone') {
    const country = has('country') ? text('country') : undefined;
    if (country !== undefined && !isSupportedCountry(country))
      throw new BadProvider(`The country of ${which} must be two letters of ISO 3166-1, like GB, not “${country}”.`);
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
 * Makes these, in this order, the providers by which a store's customers sign in. Who came by one that is left out keeps the
 * account, and finds the way in again when it is there again.
 * @throws BadProvider
 */
export async function saveProviders(db: Database, storeId: string, given: readonly unknown[]): Promise<void> {
  const rows = given.map(rowOf);
  const ids = rows.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new BadProvider(`Two providers have the id “${twice}”.`);
  await inTransaction(db, async (trx) => {
    // Not all anew: sign-ins that have begun go on.
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
