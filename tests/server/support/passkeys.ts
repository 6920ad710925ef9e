import { Authenticator, type CredentialDeviation } from './authenticator.ts';
import type { Customer } from './customers.ts';
import { openShop, type Shop } from './shop.ts';

export type Creation = Parameters<Authenticator['create']>[0] & {
  rp: { name: string };
  user: { name: string };
  excludeCredentials: { id: string }[];
  authenticatorSelection: object;
};
export type Request = Parameters<Authenticator['get']>[0] & { allowCredentials?: object[]; userVerification: string };
export type ListedPasskey = { passkeyId: string; name: string; addedAt: string; lastUsedAt?: string };
export type Session = { IdToken: string; UserId: string; EmailId: string };
export type Caller = Pick<Customer, 'query'>;

/** The passkey calls of a shop. */
export function passkeyCalls(shop: Shop) {
  const start = ({ query }: Caller) => shop.ask('startPasskey', '/user/passkeys/start', { query, method: 'POST' });
  const creationFor = async (customer: Caller) => ((await start(customer)).value as { options: Creation }).options;
  const add = ({ query }: Caller, credential: object, name = 'Chrome, Linux') =>
    shop.ask('addPasskey', '/user/passkeys/add', { query, body: { name, credential } });
  const startSignIn = (shelfid: string) =>
    shop.ask('startPasskeySignIn', '/user/passkey/start', { query: { shelfid, appid: 'web' }, method: 'POST' });
  const request = async (shelfid: string) => ((await startSignIn(shelfid)).value as { options: Request }).options;
  const signIn = (shelfid: string, credential: object, query: object = {}) =>
    shop.ask('signInByPasskey', '/user/passkey/signin', {
      query: { shelfid, appid: 'web', ...query },
      body: { credential },
    });

  return {
    start,
    creationFor,
    add,
    startSignIn,
    request,
    signIn,
    list: async ({ query }: Caller) =>
      ((await shop.ask('passkeys', '/user/passkeys', { query })).value as { passkeys: ListedPasskey[] }).passkeys,
    rename: ({ query }: Caller, passkeyId: string, name: string) =>
      shop.ask('renamePasskey', '/user/passkeys/rename', { query, body: { passkeyId, name } }),
    remove: ({ query }: Caller, passkeyId: string) =>
      shop.ask('removePasskey', '/user/passkeys/remove', { query, body: { passkeyId } }),
    /** Adds a passkey to the customer's account. @returns its device */
    async addDevice(customer: Caller, name?: string): Promise<Authenticator> {
      const device = new Authenticator();
      const { status, text } = await add(customer, device.create(await creationFor(customer)), name);
      if (status !== 200) throw new Error(`No passkey added: ${text}`);
      return device;
    },
    /** Signs in with a device in a store, as a browser does. */
    signInWith: async (device: Authenticator, shelfid: string, slip?: CredentialDeviation) =>
      signIn(shelfid, device.get(await request(shelfid), slip)),
    /** Audit log of an account. */
    auditKinds: async ({ id }: Pick<Customer, 'id'>) =>
      (await shop.db.selectFrom('audit_log').select('kind').where('user_id', '=', id).orderBy('id').execute()).map(
        ({ kind }) => kind,
      ),
  };
}

export type PasskeyCalls = ReturnType<typeof passkeyCalls>;

/** A shop with the calls for passkeys. */
export async function openPasskeyShop() {
  const shop = await openShop();
  return { shop, ...passkeyCalls(shop), close: () => shop.close() };
}

export type PasskeyShop = Awaited<ReturnType<typeof openPasskeyShop>>;

export const jsonRefusal = (code: string) => ({ status: 409, value: { code } });
export const xmlRefusal = (Code: string) => ({ status: 409, value: { Code } });
