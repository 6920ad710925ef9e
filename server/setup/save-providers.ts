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

/** An invalid provider; the message names the field and the expected value. */
export class BadProvider extends Error {}

const ID_PATTERN = /^[a-z0-9][a-z0-9-]{0,39}$/;
const MAX_TEXT_CHARS = 500;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_CHARS;

const isLoopbackHost = (hostname: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** Whether secrets may be sent to a URL: over an encrypted connection, or within the machine. */
export const isSecureUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));

/** Parses the fields of a provider; `subject` names it in errors. */
function createFieldReader(subject: string, fields: Record<string, unknown>) {
  const readText = (name: string): string => {
    const value = fields[name];
    if (!isText(value)) throw new BadProvider(`The ${name} of ${subject} must be a text of 1 to ${MAX_TEXT_CHARS} characters.`);
    return value;
  };
  const readAddress = (name: string): string => {
    const value = readText(name);
    const url = URL.parse(value);
    if (url === null || !isSecureUrl(url)) throw new BadProvider(`The ${name} of ${subject} must be an https address.`);
    return value;
  };
  return { readText, readAddress, hasField: (name: string) => fields[name] !== undefined };
}

type Row = Omit<ProvidersTable, 'store_id' | 'position' | 'settings'> & { settings: ProviderSettings };

const FIELDS_BY_KIND: Record<NewProvider['kind'], readonly string[]> = {
  oidc: ['kind', 'id', 'name', 'issuer', 'clientId', 'clientSecret'],
  facebook: ['kind', 'id', 'name', 'appId', 'appSecret', 'authorizeUrl', 'tokenUrl', 'profileUrl'],
  phone: ['kind', 'id', 'name', 'country'],
};

const findKind = (fields: Record<string, unknown>): NewProvider['kind'] | undefined =>
  (Object.keys(FIELDS_BY_KIND) as NewProvider['kind'][]).find((kind) => kind === fields['kind']);

function toRow(provider: unknown, position: number): Row {
  const subject = `Provider ${position + 1}`;
  if (typeof provider !== 'object' || provider === null) throw new BadProvider(`${subject} must be an object.`);
  const fields = provider as Record<string, unknown>;
  const kind = findKind(fields);
  if (kind === undefined) throw new BadProvider(`${subject} needs a kind: ${Object.keys(FIELDS_BY_KIND).join(' or ')}.`);
  const unknownField = Object.keys(fields).find((name) => !FIELDS_BY_KIND[kind].includes(name));
  if (unknownField !== undefined)
    throw new BadProvider(`${subject} has the unknown field “${unknownField}”: expected ${FIELDS_BY_KIND[kind].join(', ')}.`);
  const { readText, readAddress, hasField } = createFieldReader(subject, fields);
  const id = kind === 'oidc' || hasField('id') ? readText('id') : kind;
  if (!ID_PATTERN.test(id))
    throw new BadProvider(`The id of ${subject} must be lower-case letters, digits and dashes, not “${id}”.`);
  if (kind === 'oidc') {
    const settings = { issuer: readAddress('issuer'), clientId: readText('clientId') };
    return { id, kind, name: readText('name'), settings, secret: readText('clientSecret') };
  }
  if (kind === 'phone') {
    const country = hasField('country') ? readText('country') : undefined;
    if (country !== undefined && !isSupportedCountry(country))
      throw new BadProvider(`The country of ${subject} must be an alpha-2 code of ISO 3166-1, like GB, not “${country}”.`);
    return { id, kind, name: hasField('name') ? readText('name') : 'Phone', settings: country ? { country } : {}, secret: null };
  }
  const urlNames = (['authorizeUrl', 'tokenUrl', 'profileUrl'] as const).filter(hasField);
  return {
    id,
    kind,
    name: hasField('name') ? readText('name') : 'Facebook',
    settings: { clientId: readText('appId'), ...Object.fromEntries(urlNames.map((name) => [name, readAddress(name)])) },
    secret: readText('appSecret'),
  };
}

/**
 * Replaces the providers of a store, in this order. Customers of a removed provider keep their
 * account, and can sign in again when it is added again.
 * @throws BadProvider
 */
export async function saveProviders(db: Database, storeId: string, providers: readonly unknown[]): Promise<void> {
  const rows = providers.map(toRow);
  const ids = rows.map(({ id }) => id);
  const repeatedId = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeatedId !== undefined) throw new BadProvider(`Two providers have the id “${repeatedId}”.`);
  await inTransaction(db, async (trx) => {
    // Rows are updated rather than replaced, so that sign-ins in progress continue.
    const deletion = trx.deleteFrom('providers').where('store_id', '=', storeId);
    await (ids.length === 0 ? deletion : deletion.where('id', 'not in', ids)).execute();
    for (const [position, { settings, ...row }] of rows.entries()) {
      const columns = { ...row, settings: JSON.stringify(settings), position };
      await trx
        .insertInto('providers')
        .values({ ...columns, store_id: storeId })
        .onConflict((conflict) => conflict.columns(['store_id', 'id']).doUpdateSet(columns))
        .execute();
    }
  });
}
