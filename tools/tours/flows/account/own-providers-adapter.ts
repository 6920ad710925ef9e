import type { ownProvidersMachine } from '../../../../machines/account/own-providers.ts';
import type { OwnProvider } from '../../../../machines/model/account/provider.ts';
import { returnToPage } from '../../causes.ts';
import { closePhone, signInByPhone, stubPhone, stubProvider } from '../../providers.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { json } from '../../wires.ts';
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

const toProvidersResponse = (all: OwnProvider[]) =>
  json({ providers: all.map(({ id, kind, name, isJoined }) => ({ providerId: id, kind, name, joined: isJoined })) });

const hasProvider = (all: OwnProvider[], id: unknown, joined: boolean): boolean =>
  all.some((each) => each.id === id && each.isJoined === joined);

export const adapter: BrowserAdapter = {
  name: 'ownProviders',
  models: models.filter(({ name }) => name === 'ownProviders'),
  address: () => '/account',
  startsSignedIn: () => true,
  headings,
  // Each line has only the button of its possible action; only a phone number has no page of its
  // own.
  isPossible: ({ context }, event) => {
    const { providers, chosen } = context as { providers: OwnProvider[]; chosen: string | null };
    if (event.type === 'connect.pressed') return hasProvider(providers, event['providerId'], false);
    if (event.type === 'remove.pressed') return hasProvider(providers, event['providerId'], true);
    return event.type !== 'xstate.done.actor.startJoining' || (event['output'] === null) === (chosen === 'phone');
  },
  // The page stays while the browser is leaving.
  reacts: ({ type }) => (type === 'leave' ? null : undefined),
  prepares: async (world) => {
    await stubProvider(world);
    await stubPhone(world);
    await world.page.route('**/api/user/ways/phone?*', (route) => route.fulfill({ json: { providers: [] } }));
    return undefined;
  },
  ports: {
    loadProviders: {
      asks: ({ pathname }) => pathname.endsWith('/user/ways/providers'),
      answer: toProvidersResponse,
      says: (all: OwnProvider[], body) => all.length === 0 && body.includes('[]'),
    },
    startJoining: {
      asks: ({ pathname }) => pathname.endsWith('/user/ways/start'),
      answer: (known: string | null) =>
        json(known === null ? {} : { url: known.replace('?…', '?state=S'), state: 'S'.repeat(43) }),
    },
    removeProvider: { asks: ({ pathname }) => pathname.endsWith('/user/ways/remove'), answer: toProvidersResponse },
  },
  causes: {
    'page.returned': returnToPage,
    'phone.closed': closePhone,
    'session.started': signInByPhone,
  },
};
