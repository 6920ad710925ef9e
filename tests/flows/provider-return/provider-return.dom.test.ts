import { beforeEach, expect, test, vi } from 'vitest';
import { createActor, setup, type AnyEventObject } from 'xstate';
import { flow as flowIn } from '../../../src/flows/provider-return/ports.ts';
import { createSecretAddresses } from '../../../src/history/secret-addresses.ts';
import { createBrowserEnvironment } from '../../../src/shell/app/browser-environment.ts';
import { saveStartedSignIn, consumeStartedSignIn } from '../../../src/storage/started-sign-in.ts';
import { makeFlowInput } from '../../support/views/flow.ts';

const way = { path: '/title/purchase?titleid=1', action: 'pay' };
const signIn = '<Signin><IdToken>a-token</IdToken><EmailId>a@shop.test</EmailId><UserId>u1</UserId></Signin>';
const config = { apiBase: '/api', storeId: 'demo' };

/** Returns to the shop at this address; every call is answered as a sign-in. */
const returnFromProvider = async (search: string, { signedIn = false, says = signIn } = {}) => {
  history.replaceState(null, '', `/auth0loginCallback${search}`);
  const bodies: string[] = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return Response.json(config);
    bodies.push(await request.text());
    const type = says.startsWith('<') ? 'application/xml' : 'application/json';
    return new Response(says, { headers: { 'content-type': type } });
  });
  const told: AnyEventObject[] = [];
  const environment = createBrowserEnvironment(Promise.resolve());
  const flow = flowIn(environment);
  const shop = createActor(
    setup({ actors: { flow } }).createMachine({
      invoke: { id: 'flow', src: 'flow', input: { ...makeFlowInput(), signedIn } },
      on: { '*': { actions: ({ event }) => void told.push(event) } },
    }),
  ).start();
  const value = () => shop.getSnapshot().children['flow']?.getSnapshot().value as unknown;
  await vi.waitFor(() => expect(['taking', 'finishing', 'joining']).not.toContain(value()));
  return { value: value(), told, bodies, wholeOf: environment.scoped(createSecretAddresses).getFullAddress };
};

beforeEach(() => sessionStorage.clear());

test('a sign-in that this tab started is completed, and only once', async () => {
  saveStartedSignIn({ state: 's1', remember: false, way });
  const back = await returnFromProvider('?code=c1&state=s1&iss=https%3A%2F%2Fprovider.example');
  expect(back.value).toBe('welcomed');
  expect(back.bodies[0]).toContain('<State>s1</State><Code>c1</Code><Issuer>https://provider.example</Issuer>');
  expect(back.told).toEqual([
    { type: 'go', to: '/auth0loginCallback?return=%2Ftitle%2Fpurchase%3Ftitleid%3D1&action=pay', replace: true },
    { type: 'session.started', userId: 'u1', pii: { email: 'a@shop.test' } },
  ]);
  expect([sessionStorage.getItem('id_token'), localStorage.getItem('id_token')]).toEqual(['a-token', null]);
  expect((await returnFromProvider('?code=c1&state=s1')).value).toBe('over');
});

test.each([
  ['no sign-in was begun', null, '?code=c&state=s'],
  ['another one was begun', 's1', '?code=c&state=s2'],
  ['the answer has no state', 's1', '?code=c'],
  ['the address was typed', null, ''],
])('where %s, no request is sent and no sign-in happens', async (_what, begun, search) => {
  if (begun !== null) saveStartedSignIn({ state: begun, remember: true, way });
  const back = await returnFromProvider(search);
  expect([back.value, back.bodies]).toEqual(['over', []]);
  expect(back.told).toEqual([{ type: 'go', to: '/auth0loginCallback', replace: true }]);
});

test.each([
  ['?error=access_denied&state=s1', 'cancelled'],
  ['?error=server_error&state=s1', 'failed'],
  ['?state=s1', 'failed'],
])('%s is %s, and no request is sent', async (search, value) => {
  saveStartedSignIn({ state: 's1', remember: true, way });
  const back = await returnFromProvider(search);
  expect([back.value, back.bodies]).toEqual([value, []]);
});

test('a foreign answer leaves the pending sign-in unchanged', async () => {
  saveStartedSignIn({ state: 's1', remember: true, way });
  await returnFromProvider('?code=c&state=s2');
  expect(consumeStartedSignIn('s1')).toEqual({ state: 's1', remember: true, way });
});

test.each(['https://evil.example/', '//evil.example', '/\\evil.example'])('%s is not accepted as a way back', async (path) => {
  saveStartedSignIn({ state: 's1', remember: true, way: { path, action: null } });
  const { told } = await returnFromProvider('?error=access_denied&state=s1');
  expect(JSON.stringify(told)).not.toContain('evil');
});

test('linking started in the account links the provider, without a sign-in', async () => {
  saveStartedSignIn({ state: 's1', remember: true, joins: true, way: { path: '/account?part=ways', action: null } });
  const back = await returnFromProvider('?code=c1&state=s1', { signedIn: true, says: '{"providers":[]}' });
  expect(back.value).toBe('welcomed');
  expect(back.bodies.map((body) => JSON.parse(body) as unknown)).toEqual([{ state: 's1', code: 'c1' }]);
  expect(back.told).toEqual([
    { type: 'go', to: '/auth0loginCallback?return=%2Faccount%3Fpart%3Dways', replace: true },
    { type: 'go', to: '/account?part=ways', replace: true },
  ]);
});

test('a forged answer opened by a signed-in customer links nothing and sends no request', async () => {
  const back = await returnFromProvider('?code=c1&state=of-somebody-else', { signedIn: true });
  expect([back.value, back.bodies]).toEqual(['welcomed', []]);
  expect(back.told).toEqual([{ type: 'go', to: '/', replace: true }]);
});

test('cancelling at the provider links nothing', async () => {
  saveStartedSignIn({ state: 's1', remember: true, joins: true, way: { path: '/account?part=ways', action: null } });
  const back = await returnFromProvider('?error=access_denied&state=s1', { signedIn: true });
  expect([back.value, back.bodies]).toEqual(['notJoined', []]);
});

test('a code in the way back is where the customer continues, and in no message of a machine', async () => {
  const begun = { state: 's1', remember: true, way: { path: '/redeem/…', action: 'redeem' }, wholePath: '/redeem/SECRET-CODE' };
  saveStartedSignIn(begun);
  const { told, wholeOf } = await returnFromProvider('?code=c1&state=s1');
  expect(JSON.stringify(told)).not.toContain('SECRET');
  expect(wholeOf('/redeem/…')).toBe('/redeem/SECRET-CODE');
});
