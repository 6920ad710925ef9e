import { Authenticator, type CredentialDeviation } from './authenticator.ts';
import type { Customer } from './customers.ts';
import { openShop, type Shop } from './shop.ts';

export type CreationOptions = Parameters<Authenticator['create']>[0] & {
  rp: { name: string };
  user: { name: string };
  excludeCredentials: { id: string }[];
  authenticatorSelection: object;
};
export type RequestOptions = Parameters<Authenticator['get']>[0] & { allowCredentials?: object[]; userVerification: string };
export type ListedPasskey = { passkeyId: string; name: string; addedAt: string; lastUsedAt?: string };
export type Session = { IdToken: string; UserId: string; EmailId: string };
export type Caller = Pick<Customer, 'query'>;

/** Creates functions that call a shop's passkey operations. */
export function createPasskeyCalls(shop: Shop) {
  const start = ({ query }: Caller) => shop.call('startPasskey', '/user/passkeys/start', { query, method: 'POST' });
  const fetchCreationOptions = async (customer: Caller) =>
    ((await start(customer)).value as { options: CreationOptions }).options;
  const add = ({ query }: Caller, credential: object, name = 'Chrome, Linux') =>
    shop.call('addPasskey', '/user/passkeys/add', { query, body: { name, credential } });
  const startSignIn = (shelfid: string) =>
    shop.call('startPasskeySignIn', '/user/passkey/start', { query: { shelfid, appid: 'web' }, method: 'POST' });
  const fetchRequestOptions = async (shelfid: string) =>
    ((await startSignIn(shelfid)).value as { options: RequestOptions }).options;
  const signIn = (shelfid: string, credential: object, query: object = {}) =>
    shop.call('signInByPasskey', '/user/passkey/signin', {
      query: { shelfid, appid: 'web', ...query },
      body: { credential },
    });

  return {
    start,
    fetchCreationOptions,
    add,
    startSignIn,
    fetchRequestOptions,
    signIn,
    list: async ({ query }: Caller) =>
      ((await shop.call('passkeys', '/user/passkeys', { query })).value as { passkeys: ListedPasskey[] }).passkeys,
    rename: ({ query }: Caller, passkeyId: string, name: string) =>
      shop.call('renamePasskey', '/user/passkeys/rename', { query, body: { passkeyId, name } }),
    remove: ({ query }: Caller, passkeyId: string) =>
      shop.call('removePasskey', '/user/passkeys/remove', { query, body: { passkeyId } }),
    /** Adds a passkey to the customer's account. @returns the device that holds the passkey */
    async addDevice(customer: Caller, name?: string): Promise<Authenticator> {
      const device = new Authenticator();
      const { status, text } = await add(customer, device.create(await fetchCreationOptions(customer)), name);
      if (status !== 200) throw new Error(`The passkey was not added: HTTP ${status} ${text}`);
      return device;
    },
    /** Signs in with a device in a store, as a browser does. */
    signInWith: async (device: Authenticator, shelfid: string, deviation?: CredentialDeviation) =>
      signIn(shelfid, device.get(await fetchRequestOptions(shelfid), deviation)),
    /** The kinds of an account's audit log entries, oldest first. */
    readAuditKinds: async ({ id }: Pick<Customer, 'id'>) =>
      (await shop.db.selectFrom('audit_log').select('kind').where('user_id', '=', id).orderBy('id').execute()).map(
        ({ kind }) => kind,
      ),
  };
}

export type PasskeyCalls = ReturnType<typeof createPasskeyCalls>;

/** Opens a shop, with functions that call its passkey operations. */
export async function openPasskeyShop() {
  const shop = await openShop();
  return { shop, ...createPasskeyCalls(shop), close: () => shop.close() };
}

export type PasskeyShop = Awaited<ReturnType<typeof openPasskeyShop>>;

export const jsonRefusal = (code: string) => ({ status: 409, value: { code } });
export const xmlRefusal = (Code: string) => ({ status: 409, value: { Code } });
