import type { passkeysMachine } from '../../../../machines/account/passkeys.ts';
import type { AddedPasskey, Passkey, Passkeys } from '../../../../machines/model/account/passkey.ts';
import { addAuthenticator } from '../../../browser/virtual-authenticator.ts';
import { getNextSettlement } from '../../causes.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { press } from '../../press.ts';
import { fillFields, toJsonResponse, NOT_SERVED } from '../../wires.ts';
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

const toPasskeysResponse = (passkeys: Passkey[], addedId?: string) =>
  toJsonResponse({ added: addedId, passkeys: passkeys.map(({ id, ...passkey }) => ({ passkeyId: id, ...passkey })) });

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
  getStartPath: () => '/account',
  startsSignedIn: () => true,
  headings,
  // A passkey that does not exist has no line with buttons.
  isPossible: ({ context }, event) =>
    !['remove.pressed', 'rename.pressed'].includes(event.type) ||
    (context as { passkeys: Passkey[] }).passkeys.some(({ id }) => id === event['passkeyId']),
  prepare: async (walk) => {
    await addAuthenticator(walk.page);
    const output = getNextSettlement(walk, 'loadPasskeys')?.['output'] as Passkeys | null | undefined;
    if (output?.canAdd === false) await walk.page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
    return undefined;
  },
  causes: {
    'name.submitted': async (walk, event) => {
      await fillFields(walk, { name: 'The blue one' });
      await press(walk, event);
    },
    'name.rejected': async (walk) => {
      await fillFields(walk, { name: '' });
      await press(walk, { type: 'name.submitted' });
    },
  },
  ports: {
    loadPasskeys: {
      matches: ({ pathname }) => pathname.endsWith('/user/passkeys'),
      toResponse: (output: Passkeys | null) => (output === null ? NOT_SERVED : toPasskeysResponse(output.passkeys)),
      isEquivalent: (output: Passkeys | null, body) => output?.passkeys.length === 0 && body.includes('[]'),
    },
    addPasskey: {
      matches: ({ pathname }) => /\/user\/passkeys\/(?:start|add)$/.test(pathname),
      toResponse: ({ passkeys, addedId }: AddedPasskey, { pathname }) =>
        pathname.endsWith('/start') ? toJsonResponse({ options: creationOptions }) : toPasskeysResponse(passkeys, addedId),
    },
    renamePasskey: {
      matches: ({ pathname }) => pathname.endsWith('/user/passkeys/rename'),
      toResponse: (passkeys: Passkey[]) => toPasskeysResponse(passkeys),
    },
    removePasskey: {
      matches: ({ pathname }) => pathname.endsWith('/user/passkeys/remove'),
      toResponse: (passkeys: Passkey[]) => toPasskeysResponse(passkeys),
    },
  },
};
