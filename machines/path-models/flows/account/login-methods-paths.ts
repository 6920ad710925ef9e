import { ownProvidersMachine } from '../../../account/own-providers.ts';
import { passkeysMachine } from '../../../account/passkeys.ts';
import type { Passkey } from '../../../model/account/passkey.ts';
import type { Problem } from '../../../model/problem.ts';
import type { OwnProvider } from '../../../model/account/provider.ts';
import { describeCase } from '../../description.ts';
import { problems, toRejectionCases, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { ownProvidersDescription, passkeysDescription } from './login-methods-descriptions.ts';

const toRefusal = (code: string): Problem => ({ kind: 'refused', code, message: 'Not now' });
const signInAgainCase = describeCase(
  'the customer signed in too long ago',
  { error: toRefusal('sign_in_again') },
  'Wait until ten minutes have passed since you signed in',
);
const laptop: Passkey = {
  id: 'p1',
  name: 'Chrome, Linux',
  addedAt: '2026-01-02T00:00:00.000Z',
  lastUsedAt: '2026-01-03T00:00:00.000Z',
};
const phonePasskey: Passkey = { id: 'p2', name: 'Safari, iPhone', addedAt: '2026-01-01T00:00:00.000Z', lastUsedAt: '' };
const securityKey: Passkey = { id: 'p3', name: 'Firefox, Windows', addedAt: '2026-01-04T00:00:00.000Z', lastUsedAt: '' };

const providerList: OwnProvider[] = [
  { id: 'lamplight', kind: 'oidc', name: 'Lamplight', isJoined: true },
  { id: 'google', kind: 'oidc', name: 'Google', isJoined: false },
  { id: 'phone', kind: 'phone', name: 'Phone', isJoined: false },
];

/** The customer's sign-in methods besides a password. */
export const loginMethodModels: PathModel[] = [
  {
    name: 'passkeys',
    machine: passkeysMachine,
    description: passkeysDescription,
    startInstruction: 'Signed in, open /account, and look below “Email and password”.',
    cases: {
      'xstate.done.actor.loadPasskeys': [
        describeCase(
          'some',
          { output: { passkeys: [laptop, phonePasskey], canAdd: true } },
          `Add two passkeys, each with an authenticator of its own ${preparations.authenticator}`,
        ),
        describeCase('none', { output: { passkeys: [], canAdd: true } }),
        describeCase('the server does not support passkeys', { output: null }, 'Let a proxy answer /api/user/passkeys with 404'),
        describeCase(
          'some, in a browser that cannot create one',
          { output: { passkeys: [laptop], canAdd: false } },
          'Add a passkey, and open the shop by the IP address of the machine instead of localhost, such as http://192.168.0.5:4400/account',
        ),
      ],
      'xstate.error.actor.loadPasskeys': toRejectionCases(problems.offline),
      'xstate.done.actor.addPasskey': [
        describeCase(
          '',
          { output: { passkeys: [securityKey, laptop], addedId: 'p3' } },
          'Add a third authenticator, in WebAuthn',
        ),
      ],
      'xstate.error.actor.addPasskey': [
        describeCase(
          'the customer cancels',
          { error: toRefusal('passkey_cancelled') },
          'Add a third authenticator without “User verification”, or press “Cancel” in the browser’s dialog',
        ),
        describeCase(
          'this device already has a passkey of the account',
          { error: toRefusal('passkey_known') },
          'Remove all authenticators but one that has a passkey of the account',
        ),
        signInAgainCase,
        ...toRejectionCases(problems.offline),
      ],
      'rename.pressed': [{ passkeyId: 'p1' }],
      'name.submitted': [{ pii: { form: { name: 'The blue one' } } }],
      'name.rejected': [{ fields: { name: 'required' } }],
      'xstate.done.actor.renamePasskey': [{ output: [{ ...laptop, name: 'The blue one' }, phonePasskey] }],
      'xstate.error.actor.renamePasskey': toRejectionCases(problems.offline),
      'remove.pressed': [{ passkeyId: 'p1' }, { passkeyId: 'p2' }],
      'xstate.done.actor.removePasskey': [
        describeCase('one', { output: [phonePasskey] }),
        describeCase('none', { output: [] }, 'Delete the other passkey before'),
      ],
      'xstate.error.actor.removePasskey': [
        describeCase('the account has no other sign-in method', { error: toRefusal('last_way_in') }),
        signInAgainCase,
        ...toRejectionCases(problems.offline),
      ],
    },
  },
  {
    name: 'ownProviders',
    machine: ownProvidersMachine,
    description: ownProvidersDescription,
    startInstruction:
      'Signed in at a store whose customers sign in by two services and by telephone (docs/sign-in-providers.md; without them, mark the tests as Blocked), with one of the services connected, open /account, and look below “Email and password”.',
    cases: {
      'xstate.done.actor.loadProviders': [
        describeCase('two, of which one is connected, and the telephone', { output: providerList }),
        describeCase('none', { output: [] }, 'Start the shop with a PROVIDERS_FILE of `{"harbour": []}`'),
      ],
      'xstate.error.actor.loadProviders': toRejectionCases(problems.offline),
      'connect.pressed': [
        describeCase('the one that is not connected', { providerId: 'google' }),
        describeCase('the telephone', { providerId: 'phone' }),
      ],
      'xstate.done.actor.startJoining': [
        describeCase('for a service', { output: 'https://provider.example/sign-in?…' }),
        describeCase('none, for a telephone', { output: null }),
      ],
      'xstate.error.actor.startJoining': [
        signInAgainCase,
        describeCase('the service does not answer', { error: toRefusal('provider_unreachable') }),
        ...toRejectionCases(problems.offline),
      ],
      'session.started': [{ userId: 'u1', pii: { email: 'ann@example.com' } }],
      'remove.pressed': [{ providerId: 'lamplight' }],
      'xstate.done.actor.removeProvider': [{ output: providerList.map((each) => ({ ...each, isJoined: false })) }],
      'xstate.error.actor.removeProvider': [
        describeCase('the account has no other sign-in method', { error: toRefusal('last_way_in') }),
        signInAgainCase,
        ...toRejectionCases(problems.offline),
      ],
    },
  },
];
