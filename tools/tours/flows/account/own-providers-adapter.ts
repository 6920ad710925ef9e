import type { ownProvidersMachine } from '../../../../machines/account/own-providers.ts';
import type { OwnProvider } from '../../../../machines/model/account/provider.ts';
import { returnToPage } from '../../causes.ts';
import { closePhone, signInByPhone, stubPhone, stubProvider } from '../../providers.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { toJsonResponse } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';

const headings: Headings<typeof ownProvidersMachine> = {
  loading: 'Other ways to sign in',
  none: null,
  shown: 'Other ways to sign in',
  starting: 'Other ways to sign in',
  leaving: 'Other ways to sign in',
  phoning: 'Connect a phone number',
  asking: 'Other ways to sign in',
  removing: 'Other ways to sign in',
  failed: 'We couldn’t load your ways to sign in',
};

const toProvidersResponse = (providers: OwnProvider[]) =>
  toJsonResponse({
    providers: providers.map(({ id, kind, name, isJoined }) => ({ providerId: id, kind, name, joined: isJoined })),
  });

const hasProvider = (providers: OwnProvider[], id: unknown, isJoined: boolean): boolean =>
  providers.some((provider) => provider.id === id && provider.isJoined === isJoined);

export const adapter: BrowserAdapter = {
  name: 'ownProviders',
  models: models.filter(({ name }) => name === 'ownProviders'),
  getStartPath: () => '/account',
  startsSignedIn: () => true,
  headings,
  // A connected provider has only a button to remove it, another provider only a button to connect
  // it. A sign-in by phone has no provider's page to start.
  isPossible: ({ context }, event) => {
    const { providers, chosen } = context as { providers: OwnProvider[]; chosen: string | null };
    if (event.type === 'connect.pressed') return hasProvider(providers, event['providerId'], false);
    if (event.type === 'remove.pressed') return hasProvider(providers, event['providerId'], true);
    return event.type !== 'xstate.done.actor.startJoining' || (event['output'] === null) === (chosen === 'phone');
  },
  // The page stays: the stub of the provider responds with 204.
  getReaction: ({ type }) => (type === 'leave' ? null : undefined),
  prepare: async (walk) => {
    await stubProvider(walk);
    await stubPhone(walk);
    await walk.page.route('**/api/user/ways/phone?*', (route) => route.fulfill({ json: { providers: [] } }));
    return undefined;
  },
  ports: {
    loadProviders: {
      matches: ({ pathname }) => pathname.endsWith('/user/ways/providers'),
      toResponse: toProvidersResponse,
      isEquivalent: (providers: OwnProvider[], body) => providers.length === 0 && body.includes('[]'),
    },
    startJoining: {
      matches: ({ pathname }) => pathname.endsWith('/user/ways/start'),
      toResponse: (url: string | null) =>
        toJsonResponse(url === null ? {} : { url: url.replace('?…', '?state=S'), state: 'S'.repeat(43) }),
    },
    removeProvider: { matches: ({ pathname }) => pathname.endsWith('/user/ways/remove'), toResponse: toProvidersResponse },
  },
  causes: {
    'page.returned': returnToPage,
    'phone.closed': closePhone,
    'session.started': signInByPhone,
  },
};
