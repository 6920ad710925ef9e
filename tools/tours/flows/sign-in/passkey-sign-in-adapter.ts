import type { passkeySignInMachine } from '../../../../machines/account/passkey-sign-in.ts';
import type { SignedInUser } from '../../../../machines/app/session.ts';
import { addAuthenticator } from '../../../browser/virtual-authenticator.ts';
import { getNextSettlement } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { toJsonResponse, toSessionXml } from '../../wires.ts';
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
 * How the page has started its last sign-in by passkey; both kinds are completed by the same call.
 */
let lastStartKind: 'press' | 'autofill' | null = null;

const isStartedBy = ({ pathname, searchParams }: URL, kind: 'press' | 'autofill'): boolean => {
  if (pathname.endsWith('/user/passkey/start')) lastStartKind = searchParams.get('autofill') === 'true' ? 'autofill' : 'press';
  return /\/user\/passkey\/(?:start|signin)$/.test(pathname) && lastStartKind === kind;
};

export const adapter: BrowserAdapter = {
  name: 'passkeySignIn',
  models: models.filter(({ name }) => name === 'passkeySignIn'),
  getStartPath: () => '/signin',
  startsSignedIn: () => false,
  headings,
  isTransient: ({ value }) => value === 'looking',
  settlesByItself: ({ type }) => type.endsWith('.canUsePasskeys'),
  prepare: async (walk) => {
    const authenticator = await addAuthenticator(walk.page, { autofill: true });
    await authenticator.addUnknownPasskey();
    if (getNextSettlement(walk, 'canUsePasskeys')?.['output'] === false)
      await walk.page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
    return undefined;
  },
  openScreen: ({ flow }) => flow.waitFor({ state: 'attached' }),
  ports: {
    canUsePasskeys: { matches: () => false, toResponse: () => 'lost' },
    signInByPasskey: {
      matches: (url) => isStartedBy(url, 'press'),
      toResponse: (customer: SignedInUser, { pathname }) =>
        pathname.endsWith('/start') ? toJsonResponse({ options: requestOptions }) : toSessionXml(customer),
    },
    autofill: {
      matches: (url) => isStartedBy(url, 'autofill'),
      toResponse: (customer: SignedInUser, { pathname }) =>
        pathname.endsWith('/start') ? toJsonResponse({ options: requestOptions }) : toSessionXml(customer),
    },
  },
  causes: {
    'passkey.pressed': async (walk, event) => {
      await walk.page.getByLabel('Remember me').setChecked(event['remember'] === true);
      await press(walk, event);
    },
  },
};
