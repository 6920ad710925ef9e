import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** The provider's data about a person, by the subject that they sign in as. */
export type ProviderAccount = { email?: string; email_verified?: boolean; name?: string };

export type TestProvider = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Accounts by subject; a sign-in on the provider's page requires only the subject. */
  accounts: Map<string, ProviderAccount>;
  /** Allows the shop with this return address as a client; before, every request fails. */
  trust(returnUrl: string): void;
  stop(): Promise<void>;
};

const formatPage = (action: string): string =>
  `<!doctype html><title>Sign in</title><h1>The test provider</h1><form method="post" action="${action}">
  <label>Subject <input name="subject"></label><button name="does" value="signIn">Sign in</button>
  <button name="does" value="cancel">Cancel</button></form>`;

async function readForm(request: AsyncIterable<Buffer>): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) text += chunk.toString();
  return new URLSearchParams(text);
}

/** Starts an OpenID Connect provider on its own port; its page signs in any known subject. */
export async function startProvider(): Promise<TestProvider> {
  let handleRequest: RequestListener = (_, response) => void response.writeHead(503).end();
  const server: Server = createServer((request, response) => handleRequest(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ['the-shop', 'a secret between two of the tests'];
  const accounts = new Map<string, ProviderAccount>();

  const trust = (returnUrl: string): void => {
    const provider = new Provider(issuer, {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [returnUrl], response_types: ['code'] }],
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      pkce: { required: () => true },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      cookies: { keys: ['for the tests'] },
      features: { devInteractions: { enabled: false } },
      findAccount: (_, sub) => {
        const account = accounts.get(sub);
        return account && { accountId: sub, claims: () => ({ sub, ...account }) };
      },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      // Every person consents to the requested scopes.
      loadExistingGrant: async ({ oidc }) => {
        const grant = new provider.Grant({ accountId: oidc.session?.accountId ?? '', clientId: oidc.client?.clientId ?? '' });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
      renderError: (ctx, out) => void (ctx.body = JSON.stringify(out)),
    });
    const handleProtocol = provider.callback();
    handleRequest = (request, response) => {
      const [path = ''] = (request.url ?? '').split('?');
      if (!path.startsWith('/interaction/')) return void handleProtocol(request, response);
      if (request.method === 'GET') return void response.writeHead(200, { 'content-type': 'text/html' }).end(formatPage(path));
      void readForm(request).then((body) => {
        const result =
          body.get('does') === 'signIn'
            ? { login: { accountId: body.get('subject') ?? '' } }
            : { error: 'access_denied', error_description: 'The person cancelled.' };
        return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
      });
    };
  };

  return {
    issuer,
    clientId,
    clientSecret,
    accounts,
    trust,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Opens a provider's address as a browser would, and signs in there, or presses Cancel.
 * @returns the query of the redirect to the shop, which is not requested
 */
export async function signInAtProvider(url: string, subject: string | null): Promise<URLSearchParams> {
  const { origin } = new URL(url);
  const cookies = new Map<string, string>();
  const send = async (targetUrl: string, form?: Record<string, string>): Promise<Response> => {
    const response = await fetch(targetUrl, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  let currentUrl = url;
  let response = await send(currentUrl);
  for (let steps = 0; steps < 10; steps += 1) {
    const redirectUrl = response.headers.get('location');
    if (redirectUrl === null)
      response = await send(currentUrl, subject === null ? { does: 'cancel' } : { does: 'signIn', subject });
    else {
      currentUrl = new URL(redirectUrl, currentUrl).href;
      if (!currentUrl.startsWith(origin)) return new URL(currentUrl).searchParams;
      response = await send(currentUrl);
    }
  }
  throw new Error(`The provider did not redirect to the shop in 10 steps: ${await response.text()}`);
}
