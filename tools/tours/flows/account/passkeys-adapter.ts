import type { passkeysMachine } from '../../../../machines/account/passkeys.ts';
import type { AddedPasskey, Passkey, Passkeys } from '../../../../machines/model/account/passkey.ts';
import { addAuthenticator } from '../../../browser/virtual-authenticator.ts';
import { getNextSettlement } from '../../causes.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { press } from '../../press.ts';
import { fillFields, json, NOT_SERVED } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';

const headings: Headings<typeof passkeysMachine> = {
  loading: 'Passkeys',
  shown: 'Passkeys',
  adding: 'Passkeys',
  naming: 'Passkeys',
  renaming: 'Passkeys',
  asking: 'Passkeys',
  removing: 'Passkeys',
  none: null,
  failed: 'We couldn’t load your passkeys',
};

const toPasskeysResponse = (passkeys: Passkey[], added?: string) =>
  json({ added, passkeys: passkeys.map(({ id, ...facts }) => ({ passkeyId: id, ...facts })) });

/** The options of a passkey's creation, with the required fields only. */
const creationOptions = {
  challenge: 'A'.repeat(43),
  rp: { id: 'localhost', name: 'Harbour Books' },
  user: { id: 'dTE', name: 'reader@example.com', displayName: 'A Reader' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
};

export const adapter: BrowserAdapter = {
  name: 'passkeys',
  models: models.filter(({ name }) => name === 'passkeys'),
  address: () => '/account',
  startsSignedIn: () => true,
  headings,
  // A passkey that does not exist has no line with buttons.
  isPossible: ({ context }, event) =>
    !['remove.pressed', 'rename.pressed'].includes(event.type) ||
    (context as { passkeys: Passkey[] }).passkeys.some(({ id }) => id === event['passkeyId']),
  prepares: async (world) => {
    await addAuthenticator(world.page);
    const loaded = getNextSettlement(world, 'loadPasskeys')?.['output'] as Passkeys | null | undefined;
    if (loaded?.canAdd === false) await world.page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
    return undefined;
  },
  causes: {
    'name.submitted': async (world, event) => {
      await fillFields(world, { name: 'The blue one' });
      await press(world, event);
    },
    'name.rejected': async (world) => {
      await fillFields(world, { name: '' });
      await press(world, { type: 'name.submitted' });
    },
  },
  ports: {
    loadPasskeys: {
      asks: ({ pathname }) => pathname.endsWith('/user/passkeys'),
      answer: (loaded: Passkeys | null) => (loaded === null ? NOT_SERVED : toPasskeysResponse(loaded.passkeys)),
      says: (loaded: Passkeys | null, body) => loaded?.passkeys.length === 0 && body.includes('[]'),
    },
    addPasskey: {
      asks: ({ pathname }) => /\/user\/passkeys\/(?:start|add)$/.test(pathname),
      answer: ({ passkeys, addedId }: AddedPasskey, { pathname }) =>
        pathname.endsWith('/start') ? json({ options: creationOptions }) : toPasskeysResponse(passkeys, addedId),
    },
    renamePasskey: {
      asks: ({ pathname }) => pathname.endsWith('/user/passkeys/rename'),
      answer: (passkeys: Passkey[]) => toPasskeysResponse(passkeys),
    },
    removePasskey: {
      asks: ({ pathname }) => pathname.endsWith('/user/passkeys/remove'),
      answer: (passkeys: Passkey[]) => toPasskeysResponse(passkeys),
    },
  },
};
