import type { providersMachine } from '../../../../machines/account/providers.ts';
import type { Provider } from '../../../../machines/model/account/provider.ts';
import { returnToPage } from '../../causes.ts';
import { closePhone, toProvidersXml, signInByPhone, toStartXml, stubPhone, stubProvider } from '../../providers.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { models } from '../../../../machines/path-models/flows/sign-in/paths.ts';

const headings: Headings<typeof providersMachine> = {
  loading: null,
  none: null,
  offered: null,
  starting: null,
  phoning: 'Sign in with a phone number',
  leaving: null,
};

export const adapter: BrowserAdapter = {
  name: 'providers',
  models: models.filter(({ name }) => name === 'providers'),
  getStartPath: () => '/signin?return=%2Fall',
  headings,
  // A provider that is not offered has no button.
  isPossible: (_, event) => event.type !== 'provider.pressed' || event['providerId'] !== 'nobody',
  // The page stays: the stub of the provider responds with 204.
  getReaction: ({ type }) => (type === 'leave' ? null : undefined),
  prepare: async (walk) => {
    await stubProvider(walk);
    await stubPhone(walk);
    return undefined;
  },
  ports: {
    loadProviders: {
      matches: ({ pathname }) => pathname.endsWith('/user/providers'),
      toResponse: (providers: Provider[]) => toProvidersXml(providers),
      isEquivalent: (providers: Provider[], body) => providers.length > 0 === body.includes('<Provider>'),
    },
    startSignIn: {
      matches: ({ pathname }) => pathname.endsWith('/user/provider/start'),
      toResponse: (url: string) => toStartXml(url.replace('?…', '?state=S')),
    },
  },
  causes: { 'page.returned': returnToPage, 'phone.closed': closePhone, 'session.started': signInByPhone },
};
