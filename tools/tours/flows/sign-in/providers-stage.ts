import type { providersMachine } from '../../../../machines/account/providers.ts';
import type { Provider } from '../../../../machines/model/account/provider.ts';
import { returnToPage } from '../../causes.ts';
import { closePhone, providersXml, signInByPhone, startXml, stubPhone, stubProvider } from '../../providers.ts';
import type { Headings, Stage } from '../../stage.ts';
import { models } from '../../../../machines/path-models/flows/sign-in/paths.ts';

const headings: Headings<typeof providersMachine> = {
  loading: null,
  none: null,
  offered: null,
  starting: null,
  phoning: 'Sign in by phone',
  leaving: null,
};

export const stage: Stage = {
  name: 'providers',
  models: models.filter(({ name }) => name === 'providers'),
  address: () => '/signin?return=%2Fall',
  headings,
  // Nobody sees a button of a provider that is not offered.
  isPossible: (_, event) => event.type !== 'provider.pressed' || event['providerId'] !== 'nobody',
  // The page stays where it is while it is being left.
  reacts: ({ type }) => (type === 'leave' ? null : undefined),
  prepares: async (world) => {
    await stubProvider(world);
    await stubPhone(world);
    return undefined;
  },
  ports: {
    loadProviders: {
      asks: ({ pathname }) => pathname.endsWith('/user/providers'),
      answer: (providers: Provider[]) => providersXml(providers),
      says: (providers: Provider[], body) => providers.length > 0 === body.includes('<Provider>'),
    },
    startSignIn: {
      asks: ({ pathname }) => pathname.endsWith('/user/provider/start'),
      answer: (known: string) => startXml(known.replace('?…', '?state=S')),
    },
  },
  causes: { 'page.returned': returnToPage, 'phone.closed': closePhone, 'session.started': signInByPhone },
};
