import { beforeEach, expect, test, vi } from 'vitest';
import { createActor, setup, type AnyEventObject } from 'xstate';
import { flow as createFlow } from '../../../src/flows/provider-return/ports.ts';
import { createSecretAddresses } from '../../../src/history/secret-addresses.ts';
import { createBrowserEnvironment } from '../../../src/shell/app/browser-environment.ts';
import { saveStartedSignIn, consumeStartedSignIn } from '../../../src/storage/started-sign-in.ts';
import { makeFlowInput } from '../../support/views/flow.ts';

const returnTarget = { path: '/title/purchase?titleid=1', action: 'pay' };
const signIn = '<Signin><IdToken>a-token</IdToken><EmailId>a@shop.test</EmailId><UserId>u1</UserId></Signin>';
const config = { apiBase: '/api', storeId: 'demo' };

/** Opens the page of the provider's return with this query; every API call gets `response`. */
const returnFromProvider = async (search: string, { signedIn = false, response = signIn } = {}) => {
  history.replaceState(null, '', `/auth0loginCallback${search}`);
  const bodies: string[] = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return Response.json(config);
    bodies.push(await request.text());
    const type = response.startsWith('<') ? 'application/xml' : 'application/json';
    return new Response(response, { headers: { 'content-type': type } });
  });
  const sentEvents: AnyEventObject[] = [];
  const environment = createBrowserEnvironment(Promise.resolve());
  const flow = createFlow(environment);
  const shop = createActor(
    setup({ actors: { flow } }).createMachine({
      invoke: { id: 'flow', src: 'flow', input: { ...makeFlowInput(), signedIn } },
      on: { '*': { actions: ({ event }) => void sentEvents.push(event) } },
    }),
  ).start();
  const readValue = () => shop.getSnapshot().children['flow']?.getSnapshot().value as unknown;
  await vi.waitFor(() => expect(['taking', 'finishing', 'joining']).not.toContain(readValue()));
  return { value: readValue(), sentEvents, bodies, getFullAddress: environment.scoped(createSecretAddresses).getFullAddress };
};

beforeEach(() => sessionStorage.clear());

test('a sign-in that this tab started is completed, and only once', async () => {
  saveStartedSignIn({ state: 's1', remember: false, way: returnTarget });
  const result = await returnFromProvider('?code=c1&state=s1&iss=https%3A%2F%2Fprovider.example');
  expect(result.value).toBe('welcomed');
  expect(result.bodies[0]).toContain('<State>s1</State><Code>c1</Code><Issuer>https://provider.example</Issuer>');
  expect(result.sentEvents).toEqual([
    { type: 'go', to: '/auth0loginCallback?return=%2Ftitle%2Fpurchase%3Ftitleid%3D1&action=pay', replace: true },
    { type: 'session.started', userId: 'u1', pii: { email: 'a@shop.test' } },
  ]);
  expect([sessionStorage.getItem('id_token'), localStorage.getItem('id_token')]).toEqual(['a-token', null]);
  expect((await returnFromProvider('?code=c1&state=s1')).value).toBe('over');
});

test.each([
  ['no sign-in was started', null, '?code=c&state=s'],
  ['another sign-in was started', 's1', '?code=c&state=s2'],
  ['the provider’s response has no state', 's1', '?code=c'],
  ['the address was typed', null, ''],
])('when %s, no request is sent and no customer is signed in', async (_, startedState, search) => {
  if (startedState !== null) saveStartedSignIn({ state: startedState, remember: true, way: returnTarget });
  const result = await returnFromProvider(search);
  expect([result.value, result.bodies]).toEqual(['over', []]);
  expect(result.sentEvents).toEqual([{ type: 'go', to: '/auth0loginCallback', replace: true }]);
});

test.each([
  ['?error=access_denied&state=s1', 'cancelled'],
  ['?error=server_error&state=s1', 'failed'],
  ['?state=s1', 'failed'],
])('a return with %s is “%s”, and no request is sent', async (search, value) => {
  saveStartedSignIn({ state: 's1', remember: true, way: returnTarget });
  const result = await returnFromProvider(search);
  expect([result.value, result.bodies]).toEqual([value, []]);
});

test('a return of another sign-in leaves the pending one unchanged', async () => {
  saveStartedSignIn({ state: 's1', remember: true, way: returnTarget });
  await returnFromProvider('?code=c&state=s2');
  expect(consumeStartedSignIn('s1')).toEqual({ state: 's1', remember: true, way: returnTarget });
});

test.each(['https://evil.example/', '//evil.example', '/\\evil.example'])(
  '%s is not accepted as a return address',
  async (path) => {
    saveStartedSignIn({ state: 's1', remember: true, way: { path, action: null } });
    const { sentEvents } = await returnFromProvider('?error=access_denied&state=s1');
    expect(JSON.stringify(sentEvents)).not.toContain('evil');
  },
);

test('linking started in the account links the provider, without a sign-in', async () => {
  saveStartedSignIn({ state: 's1', remember: true, joins: true, way: { path: '/account?part=ways', action: null } });
  const result = await returnFromProvider('?code=c1&state=s1', { signedIn: true, response: '{"providers":[]}' });
  expect(result.value).toBe('welcomed');
  expect(result.bodies.map((body) => JSON.parse(body) as unknown)).toEqual([{ state: 's1', code: 'c1' }]);
  expect(result.sentEvents).toEqual([
    { type: 'go', to: '/auth0loginCallback?return=%2Faccount%3Fpart%3Dways', replace: true },
    { type: 'go', to: '/account?part=ways', replace: true },
  ]);
});

test('a forged return opened by a signed-in customer links nothing and sends no request', async () => {
  const result = await returnFromProvider('?code=c1&state=of-somebody-else', { signedIn: true });
  expect([result.value, result.bodies]).toEqual(['welcomed', []]);
  expect(result.sentEvents).toEqual([{ type: 'go', to: '/', replace: true }]);
});

test('cancelling at the provider links nothing', async () => {
  saveStartedSignIn({ state: 's1', remember: true, joins: true, way: { path: '/account?part=ways', action: null } });
  const result = await returnFromProvider('?error=access_denied&state=s1', { signedIn: true });
  expect([result.value, result.bodies]).toEqual(['notJoined', []]);
});

test('a code in the return address is restored there, and no machine receives it', async () => {
  const startedSignIn = {
    state: 's1',
    remember: true,
    way: { path: '/redeem/…', action: 'redeem' },
    wholePath: '/redeem/SECRET-CODE',
  };
  saveStartedSignIn(startedSignIn);
  const { sentEvents, getFullAddress } = await returnFromProvider('?code=c1&state=s1');
  expect(JSON.stringify(sentEvents)).not.toContain('SECRET');
  expect(getFullAddress('/redeem/…')).toBe('/redeem/SECRET-CODE');
});
