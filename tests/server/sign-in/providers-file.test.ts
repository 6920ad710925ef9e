import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadProviders } from '../../../server/setup/providers-file.ts';
import { BadProvider } from '../../../server/setup/save-providers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const oidc = {
  kind: 'oidc',
  id: 'google',
  name: 'Google',
  issuer: 'https://accounts.google.com',
  clientId: 'the shop',
  clientSecret: 'between us',
};
const facebook = { kind: 'facebook', appId: '123', appSecret: 'between us, too' };

const load = async (content: unknown) => {
  const file = join(shop.folder, 'providers.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return loadProviders(shop.db, file);
};
const listed = async () =>
  (await shop.ask('providers', '/user/providers', { query: { shelfid: store } })).value as { Provider: { Id: string }[] };

test('the file says who is offered, in which order; a later one replaces it', async () => {
  await load({ [store]: [facebook, oidc] });
  expect(await listed()).toEqual({
    Provider: [
      { Id: 'facebook', Kind: 'facebook', Name: 'Facebook' },
      { Id: 'google', Kind: 'oidc', Name: 'Google' },
    ],
  });
  await load({ [store]: [{ ...oidc, name: 'Google Workspace' }] });
  expect(await listed()).toEqual({ Provider: [{ Id: 'google', Kind: 'oidc', Name: 'Google Workspace' }] });
  await load({ [store]: [] });
  expect(await listed()).toEqual({ Provider: [] });
});

test('a sign-in that has begun outlives another start with the same file', async () => {
  await load({ [store]: [oidc] });
  const begun = { verifier: 'v', nonce: 'n', return_url: 'http://localhost/auth0loginCallback' };
  const row = { ...begun, state_hash: 'h', store_id: store, provider_id: 'google', expires_at: new Date(Date.now() + 60_000) };
  await shop.db.insertInto('provider_sign_ins').values(row).execute();
  await load({ [store]: [oidc] });
  expect(await shop.db.selectFrom('provider_sign_ins').selectAll().where('store_id', '=', store).execute()).toHaveLength(1);
});

test.each([
  ['no JSON', '{"harbour": [{"clientSecret": "between us"', 'JSON'],
  ['a list of providers for no store', [oidc], 'each store'],
  ['a store that there is not', { nowhere: [oidc] }, 'nowhere'],
  ['providers that are no list', () => ({ [store]: oidc }), 'list'],
  ['something that is no provider', () => ({ [store]: ['google'] }), 'object'],
  ['a kind that there is not', () => ({ [store]: [{ ...oidc, kind: 'saml' }] }), 'kind'],
  ['a provider without a secret', () => ({ [store]: [{ ...oidc, clientSecret: undefined }] }), 'clientSecret'],
  ['a name of the wrong type', () => ({ [store]: [{ ...oidc, name: 5 }] }), 'name'],
  ['an id that is no short name', () => ({ [store]: [{ ...oidc, id: 'My Google' }] }), 'id'],
  ['two of one id', () => ({ [store]: [oidc, oidc] }), 'google'],
  ['a line that anybody may read', () => ({ [store]: [{ ...oidc, issuer: 'http://accounts.example' }] }), 'issuer'],
  ['an issuer that is no address', () => ({ [store]: [{ ...oidc, issuer: 'accounts.google.com' }] }), 'issuer'],
  ['a country that there is not', () => ({ [store]: [{ kind: 'phone', country: 'Britain' }] }), 'Britain'],
  ['a field that is spelt wrong', () => ({ [store]: [{ ...facebook, appsecret: 'x' }] }), 'appsecret'],
])('%s is refused, and says what is wrong without a secret', async (_what, content, named) => {
  await load({ [store]: [oidc] });
  const error = await load(typeof content === 'function' ? content() : content).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BadProvider);
  expect((error as Error).message).toContain(named);
  expect((error as Error).message).not.toContain('between us');
  expect((await listed()).Provider.map(({ Id }) => Id)).toEqual(['google']);
});
