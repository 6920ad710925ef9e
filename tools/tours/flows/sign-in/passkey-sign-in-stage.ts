import type { passkeySignInMachine } from '../../../../machines/account/passkey-sign-in.ts';
import type { SignedIn } from '../../../../machines/app/session.ts';
import { addAuthenticator } from '../../../browser/virtual-authenticator.ts';
import { nextOf } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, Stage } from '../../stage.ts';
import { json, sessionAnswer } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/sign-in/paths.ts';

const headings: Headings<typeof passkeySignInMachine> = {
  looking: null,
  none: null,
  offered: null,
  waiting: null,
  welcomed: null,
};

const request = { challenge: 'A'.repeat(43), rpId: 'localhost', userVerification: 'required' };

/** What the page has begun last: signing in by a press, or what the browser offers by itself; both are finished by the same call. */
let begun = '';

const isBegun = ({ pathname, searchParams }: URL, how: 'press' | 'offer'): boolean => {
  if (pathname.endsWith('/user/passkey/start')) begun = searchParams.get('autofill') === 'true' ? 'offer' : 'press';
  return /\/user\/passkey\/(?:start|signin)$/.test(pathname) && begun === how;
};

export const stage: Stage = {
  name: 'passkeySignIn',
  models: models.filter(({ name }) => name === 'passkeySignIn'),
  address: () => '/signin',
  startsSignedIn: () => false,
  headings,
  isPassing: ({ value }) => value === 'looking',
  comesByItself: ({ type }) => type.endsWith('.canUsePasskeys'),
  prepares: async (world) => {
    const device = await addAuthenticator(world.page, { autofill: true });
    await device.holdStranger();
    if (nextOf(world, 'canUsePasskeys')?.['output'] === false)
      await world.page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
    return undefined;
  },
  arrives: ({ flow }) => flow.waitFor({ state: 'attached' }),
  ports: {
    canUsePasskeys: { asks: () => false, answer: () => 'lost' },
    signInByPasskey: {
      asks: (url) => isBegun(url, 'press'),
      answer: (customer: SignedIn, { pathname }) =>
        pathname.endsWith('/start') ? json({ options: request }) : sessionAnswer(customer),
    },
    autofill: {
      asks: (url) => isBegun(url, 'offer'),
      answer: (customer: SignedIn, { pathname }) =>
        pathname.endsWith('/start') ? json({ options: request }) : sessionAnswer(customer),
    },
  },
  causes: {
    'passkey.pressed': async (world, event) => {
      await world.page.getByLabel('Remember me').setChecked(event['remember'] === true);
      await press(world, event);
    },
  },
};
