import type { passkeysMachine } from '../../../../machines/account/passkeys.ts';
import type { AddedPasskey, Passkey, Passkeys } from '../../../../machines/model/account/passkey.ts';
import { addAuthenticator } from '../../../browser/virtual-authenticator.ts';
import { nextOf } from '../../causes.ts';
import type { Headings, Stage } from '../../stage.ts';
import { press } from '../../press.ts';
import { fillFields, json, notServed } from '../../wires.ts';
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

const wire = (passkeys: Passkey[], added?: string) =>
  json({ added, passkeys: passkeys.map(({ id, ...facts }) => ({ passkeyId: id, ...facts })) });

/** What a server asks a device; this one asks for no more than it must. */
const creation = {
  challenge: 'A'.repeat(43),
  rp: { id: 'localhost', name: 'Harbour Books' },
  user: { id: 'dTE', name: 'reader@example.com', displayName: 'A Reader' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
};

export const stage: Stage = {
  name: 'passkeys',
  models: models.filter(({ name }) => name === 'passkeys'),
  address: () => '/account',
  startsSignedIn: () => true,
  headings,
  // Nobody sees a line of a passkey that is not there.
  isPossible: ({ context }, event) =>
    !['remove.pressed', 'rename.pressed'].includes(event.type) ||
    (context as { passkeys: Passkey[] }).passkeys.some(({ id }) => id === event['passkeyId']),
  prepares: async (world) => {
    await addAuthenticator(world.page);
    const loaded = nextOf(world, 'loadPasskeys')?.['output'] as Passkeys | null | undefined;
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
      answer: (loaded: Passkeys | null) => (loaded === null ? notServed : wire(loaded.passkeys)),
      says: (loaded: Passkeys | null, body) => loaded?.passkeys.length === 0 && body.includes('[]'),
    },
    addPasskey: {
      asks: ({ pathname }) => /\/user\/passkeys\/(?:start|add)$/.test(pathname),
      answer: ({ passkeys, addedId }: AddedPasskey, { pathname }) =>
        pathname.endsWith('/start') ? json({ options: creation }) : wire(passkeys, addedId),
    },
    renamePasskey: {
      asks: ({ pathname }) => pathname.endsWith('/user/passkeys/rename'),
      answer: (passkeys: Passkey[]) => wire(passkeys),
    },
    removePasskey: {
      asks: ({ pathname }) => pathname.endsWith('/user/passkeys/remove'),
      answer: (passkeys: Passkey[]) => wire(passkeys),
    },
  },
};
