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
  address: () => '/signin?return=%2Fall',
  headings,
  // A provider that is not offered has no button.
  isPossible: (_, event) => event.type !== 'provider.pressed' || event['providerId'] !== 'nobody',
  // The page stays while the browser is leaving.
  reacts: ({ type }) => (type === 'leave' ? null : undefined),
  prepares: async (world) => {
    await stubProvider(world);
    await stubPhone(world);
    return undefined;
  },
  ports: {
    loadProviders: {
      asks: ({ pathname }) => pathname.endsWith('/user/providers'),
      answer: (providers: Provider[]) => toProvidersXml(providers),
      says: (providers: Provider[], body) => providers.length > 0 === body.includes('<Provider>'),
    },
    startSignIn: {
      asks: ({ pathname }) => pathname.endsWith('/user/provider/start'),
      answer: (known: string) => toStartXml(known.replace('?…', '?state=S')),
    },
  },
  causes: { 'page.returned': returnToPage, 'phone.closed': closePhone, 'session.started': signInByPhone },
};
