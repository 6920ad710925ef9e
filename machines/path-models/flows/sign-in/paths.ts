import { phoneMachine } from '../../../account/phone.ts';
import { passkeySignInMachine } from '../../../account/passkey-sign-in.ts';
import { providersMachine } from '../../../account/providers.ts';
import { signInMachine } from '../../../account/sign-in.ts';
import type { Problem } from '../../../model/problem.ts';
import { flowInput, problems, rejected, rejections, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { passkeySignInDescription, phoneDescription, providersDescription, signInDescription } from './descriptions.ts';
import { described } from '../../description.ts';

const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };
const credentials = {
  signIn: { email: 'reader@example.com', password: 'harbour light', remember: true },
  signUp: { name: 'A Reader', email: 'reader@example.com', password: 'harbour light', agree: true, newsletter: false },
};

const providers = [
  { id: 'google', kind: 'oidc', name: 'Google' },
  { id: 'facebook', kind: 'facebook', name: 'Facebook' },
  { id: 'phone', kind: 'phone', name: 'Phone' },
] as const;

const keptPasskey = `Have a passkey of the account in this browser: “Add a passkey” in My Profile ${preparations.authenticator}`;
const gonePasskey = `${keptPasskey}. Delete it there: the browser keeps it`;

const refused = (code: string): Problem => ({ kind: 'refused', code, message: '' });

export const models: PathModel[] = [
  {
    name: 'signIn',
    machine: signInMachine,
    description: signInDescription,
    given: 'Be sent to sign in by a session that has ended: /signin?expired=1.',
    input: flowInput({ flow: 'signIn', path: '/signin?expired=1', query: { expired: '1' } }),
    cases: {
      'session.started': [
        described('the store asks nothing more', customer, keptPasskey),
        described(
          'the store asks for something that is not answered',
          { ...customer, asks: true },
          `${keptPasskey}. Override \`user/passkey/signin\` with its own answer, \`<QuestionsOpen>true</QuestionsOpen>\` in it, and \`user/signup/fields\` with its own, in which \`<Required>\` of the town is \`true\``,
        ),
      ],
      leave: [described('', { url: 'https://provider.example/auth?…' }, preparations.provider)],
      'page.returned': [described('', {}, preparations.provider)],
      'email.typed': [{ pii: { email: 'reader@example.com' } }],
      'signIn.submitted': [{ pii: { form: credentials.signIn } }],
      'signIn.rejected': [{ fields: { email: 'email' } }],
      'xstate.done.actor.signIn': [{ output: customer }],
      'xstate.error.actor.signIn': [
        described('the password is wrong', { error: problems.unauthorized }, 'Type another password than the account’s'),
      ],
    },
  },
  {
    name: 'providers',
    machine: providersMachine,
    description: providersDescription,
    given:
      'In a store that has providers and the telephone (docs/sign-in-providers.md; without them as Blocked), as a visitor, open /signin?return=%2Fall.',
    input: { way: { path: '/all', action: null } },
    cases: {
      'xstate.done.actor.loadProviders': [
        described('some', { output: providers }),
        described('none', { output: [] }, 'Start the shop with a PROVIDERS_FILE of `{"harbour": []}`'),
      ],
      'xstate.error.actor.loadProviders': rejections(problems.offline),
      'provider.pressed': [
        ...providers.map(({ id }) => ({ providerId: id, remember: true })),
        ...providers.map(({ id }) => described(`${id}, not to be remembered`, { providerId: id, remember: false })),
        described('one that is not offered', { providerId: 'nobody', remember: true }),
      ],
      'session.started': [customer],
      'xstate.done.actor.startSignIn': [{ output: 'https://provider.example/auth?…' }],
      'xstate.error.actor.startSignIn': [
        described('the provider does not answer', { error: refused('provider_unreachable') }),
        ...rejections(problems.offline),
      ],
    },
  },
  {
    name: 'passkeySignIn',
    machine: passkeySignInMachine,
    description: passkeySignInDescription,
    given: 'As a visitor, open /signin.',
    cases: {
      'xstate.done.actor.canUsePasskeys': [
        described('it can', { output: true }),
        described(
          'it cannot',
          { output: false },
          'Open the shop by the address of the machine in place of localhost, such as http://192.168.0.5:4400/signin, where no browser has passkeys',
        ),
      ],
      'passkey.pressed': [
        described('to be remembered', { remember: true }),
        described('not to be remembered', { remember: false }),
      ],
      'xstate.done.actor.autofill': [
        described('', { output: customer }, `${keptPasskey}. Go to the field of the e-mail address, and choose what it suggests`),
      ],
      'xstate.error.actor.autofill': [
        described(
          'the passkey opens no account',
          { error: refused('passkey_refused') },
          `${gonePasskey}. Go to the field of the e-mail address, and choose what it suggests`,
        ),
        rejected(
          problems.offline,
          `${keptPasskey}. Block \`user/passkey/signin\`, go to the field of the e-mail address, and choose what it suggests`,
        ),
      ],
      'xstate.done.actor.signInByPasskey': [described('', { output: customer }, keptPasskey)],
      'xstate.error.actor.signInByPasskey': [
        described(
          'the customer did not want to after all',
          { error: refused('passkey_cancelled') },
          `${keptPasskey}, take “User verified” away from the authenticator, or press “Cancel” where the browser asks`,
        ),
        described('the passkey opens no account', { error: refused('passkey_refused') }, gonePasskey),
        ...rejections(problems.offline),
      ],
    },
  },
  {
    name: 'phone',
    machine: phoneMachine,
    description: phoneDescription,
    given: `At ${preparations.telephone} and without SMS_URL, so that codes are in data/outbox, open /signin and press “Continue with a phone number”.`,
    input: { remember: true },
    cases: {
      'phone.submitted': [{ pii: { form: { phone: '+44 7400 123456' } } }],
      'phone.rejected': [{ fields: { phone: 'required' } }],
      'code.submitted': [{ pii: { form: { code: '123456' } } }],
      'code.rejected': [{ fields: { code: 'required' } }],
      'xstate.done.actor.sendCode': [
        { output: { sentAt: null, pii: { requestId: 'opaque-id-of-the-request' } } },
        described(
          'an earlier message has a code that works',
          { output: { sentAt: '2026-11-24T14:05:00.000Z', pii: { requestId: 'opaque-id-of-the-request' } } },
          'Ask for six codes to the number before, and then for this one',
        ),
      ],
      'xstate.error.actor.sendCode': [
        described('it is no number', { error: refused('bad_phone') }, 'Type a number that nobody can have: 12'),
        described('it is a number that earns its owner money', { error: refused('phone_kind') }, 'Type 0901 234 5678'),
        ...rejections(problems.offline),
      ],
      'xstate.done.actor.signInByCode': [{ output: customer }],
      'xstate.error.actor.signInByCode': [
        described('the code is wrong', { error: refused('code_wrong') }, 'Type another code than that of the message'),
        described(
          'the code was tried too often, or is too old',
          { error: refused('code_over') },
          'Type wrong codes before, five times',
        ),
        ...rejections(problems.offline),
      ],
    },
  },
];
