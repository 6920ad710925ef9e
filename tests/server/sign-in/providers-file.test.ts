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

const loadFile = async (content: unknown) => {
  const file = join(shop.folder, 'providers.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return loadProviders(shop.db, file);
};
const readProviders = async () =>
  (await shop.call('providers', '/user/providers', { query: { shelfid: store } })).value as { Provider: { Id: string }[] };

test('the providers file sets the providers and their order; a later file replaces them', async () => {
  await loadFile({ [store]: [facebook, oidc] });
  expect(await readProviders()).toEqual({
    Provider: [
      { Id: 'facebook', Kind: 'facebook', Name: 'Facebook' },
      { Id: 'google', Kind: 'oidc', Name: 'Google' },
    ],
  });
  await loadFile({ [store]: [{ ...oidc, name: 'Google Workspace' }] });
  expect(await readProviders()).toEqual({ Provider: [{ Id: 'google', Kind: 'oidc', Name: 'Google Workspace' }] });
  await loadFile({ [store]: [] });
  expect(await readProviders()).toEqual({ Provider: [] });
});

test('a started sign-in survives a restart with the same file', async () => {
  await loadFile({ [store]: [oidc] });
  const signIn = { verifier: 'v', nonce: 'n', return_url: 'http://localhost/auth0loginCallback' };
  const row = { ...signIn, state_hash: 'h', store_id: store, provider_id: 'google', expires_at: new Date(Date.now() + 60_000) };
  await shop.db.insertInto('provider_sign_ins').values(row).execute();
  await loadFile({ [store]: [oidc] });
  expect(await shop.db.selectFrom('provider_sign_ins').selectAll().where('store_id', '=', store).execute()).toHaveLength(1);
});

test.each([
  ['invalid JSON', '{"harbour": [{"clientSecret": "between us"', 'JSON'],
  ['a list of providers for no store', [oidc], 'each store'],
  ['an unknown store', { nowhere: [oidc] }, 'nowhere'],
  ['providers that are not a list', () => ({ [store]: oidc }), 'list'],
  ['a provider that is not an object', () => ({ [store]: ['google'] }), 'object'],
  ['an unknown kind', () => ({ [store]: [{ ...oidc, kind: 'saml' }] }), 'kind'],
  ['a provider without a secret', () => ({ [store]: [{ ...oidc, clientSecret: undefined }] }), 'clientSecret'],
  ['a name of the wrong type', () => ({ [store]: [{ ...oidc, name: 5 }] }), 'name'],
  ['an id that is not a short name', () => ({ [store]: [{ ...oidc, id: 'My Google' }] }), 'id'],
  ['two providers with one id', () => ({ [store]: [oidc, oidc] }), 'google'],
  ['an unencrypted issuer', () => ({ [store]: [{ ...oidc, issuer: 'http://accounts.example' }] }), 'issuer'],
  ['an issuer that is not an address', () => ({ [store]: [{ ...oidc, issuer: 'accounts.google.com' }] }), 'issuer'],
  ['an unknown country', () => ({ [store]: [{ kind: 'phone', country: 'Britain' }] }), 'Britain'],
  ['a misspelt field', () => ({ [store]: [{ ...facebook, appsecret: 'x' }] }), 'appsecret'],
])('a providers file with %s is refused, with a message that contains no secret', async (_case, content, expectedWord) => {
  await loadFile({ [store]: [oidc] });
  const error = await loadFile(typeof content === 'function' ? content() : content).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BadProvider);
  expect((error as Error).message).toContain(expectedWord);
  expect((error as Error).message).not.toContain('between us');
  expect((await readProviders()).Provider.map(({ Id }) => Id)).toEqual(['google']);
});
