import type { passkeySignInMachine } from '../../../../machines/account/passkey-sign-in.ts';
import type { SignedInUser } from '../../../../machines/app/session.ts';
import { addAuthenticator } from '../../../browser/virtual-authenticator.ts';
import { getNextSettlement } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { json, toSessionXml } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/sign-in/paths.ts';

const headings: Headings<typeof passkeySignInMachine> = {
  looking: null,
  none: null,
  offered: null,
  waiting: null,
  welcomed: null,
};

const requestOptions = { challenge: 'A'.repeat(43), rpId: 'localhost', userVerification: 'required' };

/**
 * The last request that the page has started: after a press, or by autofill; both are finished by
 * the same call.
 */
let lastStart = '';

const isStartedBy = ({ pathname, searchParams }: URL, how: 'press' | 'offer'): boolean => {
  if (pathname.endsWith('/user/passkey/start')) lastStart = searchParams.get('autofill') === 'true' ? 'offer' : 'press';
  return /\/user\/passkey\/(?:start|signin)$/.test(pathname) && lastStart === how;
};

export const adapter: BrowserAdapter = {
  name: 'passkeySignIn',
  models: models.filter(({ name }) => name === 'passkeySignIn'),
  address: () => '/signin',
  startsSignedIn: () => false,
  headings,
  isPassing: ({ value }) => value === 'looking',
  comesByItself: ({ type }) => type.endsWith('.canUsePasskeys'),
  prepares: async (world) => {
    const device = await addAuthenticator(world.page, { autofill: true });
    await device.addUnknownPasskey();
    if (getNextSettlement(world, 'canUsePasskeys')?.['output'] === false)
      await world.page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
    return undefined;
  },
  arrives: ({ flow }) => flow.waitFor({ state: 'attached' }),
  ports: {
    canUsePasskeys: { asks: () => false, answer: () => 'lost' },
    signInByPasskey: {
      asks: (url) => isStartedBy(url, 'press'),
      answer: (customer: SignedInUser, { pathname }) =>
        pathname.endsWith('/start') ? json({ options: requestOptions }) : toSessionXml(customer),
    },
    autofill: {
      asks: (url) => isStartedBy(url, 'offer'),
      answer: (customer: SignedInUser, { pathname }) =>
        pathname.endsWith('/start') ? json({ options: requestOptions }) : toSessionXml(customer),
    },
  },
  causes: {
    'passkey.pressed': async (world, event) => {
      await world.page.getByLabel('Remember me').setChecked(event['remember'] === true);
      await press(world, event);
    },
  },
};
