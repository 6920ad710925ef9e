import { ownProvidersMachine } from '../../../account/own-providers.ts';
import { passkeysMachine } from '../../../account/passkeys.ts';
import type { Passkey } from '../../../model/account/passkey.ts';
import type { Problem } from '../../../model/problem.ts';
import type { OwnProvider } from '../../../model/account/provider.ts';
import { described } from '../../description.ts';
import { problems, rejections, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { ownProvidersDescription, passkeysDescription } from './ways-descriptions.ts';

const refused = (code: string): Problem => ({ kind: 'refused', code, message: 'Not now' });
const signInAgain = described(
  'the customer signed in too long ago',
  { error: refused('sign_in_again') },
  'Wait until ten minutes have passed since you signed in',
);
const laptop: Passkey = {
  id: 'p1',
  name: 'Chrome, Linux',
  addedAt: '2026-01-02T00:00:00.000Z',
  lastUsedAt: '2026-01-03T00:00:00.000Z',
};
const telephone: Passkey = { id: 'p2', name: 'Safari, iPhone', addedAt: '2026-01-01T00:00:00.000Z', lastUsedAt: '' };
const stick: Passkey = { id: 'p3', name: 'Firefox, Windows', addedAt: '2026-01-04T00:00:00.000Z', lastUsedAt: '' };

const ways: OwnProvider[] = [
  { id: 'lamplight', kind: 'oidc', name: 'Lamplight', isJoined: true },
  { id: 'google', kind: 'oidc', name: 'Google', isJoined: false },
  { id: 'phone', kind: 'phone', name: 'Phone', isJoined: false },
];

/** How the customer signs in, beside a password. */
export const waysModels: PathModel[] = [
  {
    name: 'passkeys',
    machine: passkeysMachine,
    description: passkeysDescription,
    given: 'Signed in, open /account, and look below “Email and password”.',
    cases: {
      'xstate.done.actor.loadPasskeys': [
        described(
          'some',
          { output: { passkeys: [laptop, telephone], canAdd: true } },
          `Add two passkeys, each with an authenticator of its own ${preparations.authenticator}`,
        ),
        described('none', { output: { passkeys: [], canAdd: true } }),
        described('the server has no such thing', { output: null }, 'Let a proxy answer /api/user/passkeys with 404'),
        described(
          'some, in a browser that cannot make one',
          { output: { passkeys: [laptop], canAdd: false } },
          'Add a passkey, and open the shop by the address of the machine in place of localhost, such as http://192.168.0.5:4400/account',
        ),
      ],
      'xstate.error.actor.loadPasskeys': rejections(problems.offline),
      'xstate.done.actor.addPasskey': [
        described('', { output: { passkeys: [stick, laptop], addedId: 'p3' } }, 'Add a third authenticator, in WebAuthn'),
      ],
      'xstate.error.actor.addPasskey': [
        described(
          'the customer did not want to after all',
          { error: refused('passkey_cancelled') },
          'Add a third authenticator without “User verification”, or press “Cancel” where the browser asks',
        ),
        described(
          'this device has one already',
          { error: refused('passkey_known') },
          'Remove all authenticators but one that has a passkey of the account',
        ),
        signInAgain,
        ...rejections(problems.offline),
      ],
      'rename.pressed': [{ passkeyId: 'p1' }],
      'name.submitted': [{ pii: { form: { name: 'The blue one' } } }],
      'name.rejected': [{ fields: { name: 'required' } }],
      'xstate.done.actor.renamePasskey': [{ output: [{ ...laptop, name: 'The blue one' }, telephone] }],
      'xstate.error.actor.renamePasskey': rejections(problems.offline),
      'remove.pressed': [{ passkeyId: 'p1' }, { passkeyId: 'p2' }],
      'xstate.done.actor.removePasskey': [
        described('one', { output: [telephone] }),
        described('none', { output: [] }, 'Delete the other passkey before'),
      ],
      'xstate.error.actor.removePasskey': [
        described('nothing else opens the account', { error: refused('last_way_in') }),
        signInAgain,
        ...rejections(problems.offline),
      ],
    },
  },
  {
    name: 'ownProviders',
    machine: ownProvidersMachine,
    description: ownProvidersDescription,
    given:
      'Signed in at a store whose customers sign in by two services and by telephone (docs/sign-in-providers.md; without them as Blocked), with one of the services connected, open /account, and look below “Email and password”.',
    cases: {
      'xstate.done.actor.loadProviders': [
        described('two, of which one is connected, and the telephone', { output: ways }),
        described('none', { output: [] }, 'Start the shop with a PROVIDERS_FILE of `{"harbour": []}`'),
      ],
      'xstate.error.actor.loadProviders': rejections(problems.offline),
      'connect.pressed': [
        described('the one that is not connected', { providerId: 'google' }),
        described('the telephone', { providerId: 'phone' }),
      ],
      'xstate.done.actor.startJoining': [
        described('the service’s page', { output: 'https://provider.example/sign-in?…' }),
        described('none: it is a telephone', { output: null }),
      ],
      'xstate.error.actor.startJoining': [
        signInAgain,
        described('the service does not answer', { error: refused('provider_unreachable') }),
        ...rejections(problems.offline),
      ],
      'session.started': [{ userId: 'u1', pii: { email: 'ann@example.com' } }],
      'remove.pressed': [{ providerId: 'lamplight' }],
      'xstate.done.actor.removeProvider': [{ output: ways.map((each) => ({ ...each, isJoined: false })) }],
      'xstate.error.actor.removeProvider': [
        described('nothing else opens the account', { error: refused('last_way_in') }),
        signInAgain,
        ...rejections(problems.offline),
      ],
    },
  },
];
