import { phoneMachine } from '../../../account/phone.ts';
import { passkeySignInMachine } from '../../../account/passkey-sign-in.ts';
import { providersMachine } from '../../../account/providers.ts';
import { signInMachine } from '../../../account/sign-in.ts';
import type { Problem } from '../../../model/problem.ts';
import { createFlowInput, problems, createRejectionCase, toRejectionCases, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { passkeySignInDescription, phoneDescription, providersDescription, signInDescription } from './descriptions.ts';
import { describeCase } from '../../description.ts';

const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };
const typedForms = {
  signIn: { email: 'reader@example.com', password: 'harbour light', remember: true },
  signUp: { name: 'A Reader', email: 'reader@example.com', password: 'harbour light', agree: true, newsletter: false },
};

const providers = [
  { id: 'google', kind: 'oidc', name: 'Google' },
  { id: 'facebook', kind: 'facebook', name: 'Facebook' },
  { id: 'phone', kind: 'phone', name: 'Phone' },
] as const;

const passkeyInstruction = `Have a passkey of the account in this browser: “Add a passkey” in My Profile ${preparations.authenticator}`;
const deletedPasskeyInstruction = `${passkeyInstruction}. Delete it there: the browser keeps it`;

const toRefusal = (code: string): Problem => ({ kind: 'refused', code, message: '' });

export const models: PathModel[] = [
  {
    name: 'signIn',
    machine: signInMachine,
    description: signInDescription,
    startInstruction: 'Open the sign-in page as after the end of a session: /signin?expired=1.',
    input: createFlowInput({ flow: 'signIn', path: '/signin?expired=1', query: { expired: '1' } }),
    cases: {
      'session.started': [
        describeCase('the store has no open questions', customer, passkeyInstruction),
        describeCase(
          'the store has an open question',
          { ...customer, asks: true },
          `${passkeyInstruction}. Override \`user/passkey/signin\` with its own answer, \`<QuestionsOpen>true</QuestionsOpen>\` in it, and \`user/signup/fields\` with its own, in which \`<Required>\` of the town is \`true\``,
        ),
      ],
      leave: [describeCase('', { url: 'https://provider.example/auth?…' }, preparations.provider)],
      'page.returned': [describeCase('', {}, preparations.provider)],
      'email.typed': [{ pii: { email: 'reader@example.com' } }],
      'signIn.submitted': [{ pii: { form: typedForms.signIn } }],
      'signIn.rejected': [{ fields: { email: 'email' } }],
      'xstate.done.actor.signIn': [{ output: customer }],
      'xstate.error.actor.signIn': [
        describeCase('the password is wrong', { error: problems.unauthorized }, 'Type another password than the account’s'),
      ],
    },
  },
  {
    name: 'providers',
    machine: providersMachine,
    description: providersDescription,
    startInstruction:
      'In a store that has providers and the telephone (docs/sign-in-providers.md; without them, mark the tests as Blocked), as a visitor, open /signin?return=%2Fall.',
    input: { way: { path: '/all', action: null } },
    cases: {
      'xstate.done.actor.loadProviders': [
        describeCase('some', { output: providers }),
        describeCase('none', { output: [] }, 'Start the shop with a PROVIDERS_FILE of `{"harbour": []}`'),
      ],
      'xstate.error.actor.loadProviders': toRejectionCases(problems.offline),
      'provider.pressed': [
        ...providers.map(({ id }) => ({ providerId: id, remember: true })),
        ...providers.map(({ id }) => describeCase(`${id}, not to be remembered`, { providerId: id, remember: false })),
        describeCase('one that is not offered', { providerId: 'nobody', remember: true }),
      ],
      'session.started': [customer],
      'xstate.done.actor.startSignIn': [{ output: 'https://provider.example/auth?…' }],
      'xstate.error.actor.startSignIn': [
        describeCase('the provider does not answer', { error: toRefusal('provider_unreachable') }),
        ...toRejectionCases(problems.offline),
      ],
    },
  },
  {
    name: 'passkeySignIn',
    machine: passkeySignInMachine,
    description: passkeySignInDescription,
    startInstruction: 'As a visitor, open /signin.',
    cases: {
      'xstate.done.actor.canUsePasskeys': [
        describeCase('it can', { output: true }),
        describeCase(
          'it cannot',
          { output: false },
          'Open the shop by the IP address of the machine instead of localhost, such as http://192.168.0.5:4400/signin, where no browser has passkeys',
        ),
      ],
      'passkey.pressed': [
        describeCase('to be remembered', { remember: true }),
        describeCase('not to be remembered', { remember: false }),
      ],
      'xstate.done.actor.autofill': [
        describeCase(
          '',
          { output: customer },
          `${passkeyInstruction}. Focus the e-mail address field, and choose the suggested passkey`,
        ),
      ],
      'xstate.error.actor.autofill': [
        describeCase(
          'the passkey belongs to no account',
          { error: toRefusal('passkey_refused') },
          `${deletedPasskeyInstruction}. Focus the e-mail address field, and choose the suggested passkey`,
        ),
        createRejectionCase(
          problems.offline,
          `${passkeyInstruction}. Block \`user/passkey/signin\`, focus the e-mail address field, and choose the suggested passkey`,
        ),
      ],
      'xstate.done.actor.signInByPasskey': [describeCase('', { output: customer }, passkeyInstruction)],
      'xstate.error.actor.signInByPasskey': [
        describeCase(
          'the customer cancels',
          { error: toRefusal('passkey_cancelled') },
          `${passkeyInstruction}, switch “User verified” off in the authenticator, or press “Cancel” in the browser’s dialog`,
        ),
        describeCase('the passkey belongs to no account', { error: toRefusal('passkey_refused') }, deletedPasskeyInstruction),
        ...toRejectionCases(problems.offline),
      ],
    },
  },
  {
    name: 'phone',
    machine: phoneMachine,
    description: phoneDescription,
    startInstruction: `At ${preparations.telephone} and without SMS_URL, so that codes are in data/outbox, open /signin and press “Continue with a phone number”.`,
    input: { remember: true },
    cases: {
      'phone.submitted': [{ pii: { form: { phone: '+44 7400 123456' } } }],
      'phone.rejected': [{ fields: { phone: 'required' } }],
      'code.submitted': [{ pii: { form: { code: '123456' } } }],
      'code.rejected': [{ fields: { code: 'required' } }],
      'xstate.done.actor.sendCode': [
        { output: { sentAt: null, pii: { requestId: 'opaque-id-of-the-request' } } },
        describeCase(
          'an earlier message has a code that is still valid',
          { output: { sentAt: '2026-11-24T14:05:00.000Z', pii: { requestId: 'opaque-id-of-the-request' } } },
          'Request six codes for the number before, and then this one',
        ),
      ],
      'xstate.error.actor.sendCode': [
        describeCase('it is not a telephone number', { error: toRefusal('bad_phone') }, 'Type a number that cannot exist: 12'),
        describeCase('it is a premium-rate number', { error: toRefusal('phone_kind') }, 'Type 0901 234 5678'),
        ...toRejectionCases(problems.offline),
      ],
      'xstate.done.actor.signInByCode': [{ output: customer }],
      'xstate.error.actor.signInByCode': [
        describeCase('the code is wrong', { error: toRefusal('code_wrong') }, 'Type another code than that of the message'),
        describeCase(
          'the code was tried too often, or is too old',
          { error: toRefusal('code_over') },
          'Type a wrong code five times before',
        ),
        ...toRejectionCases(problems.offline),
      ],
    },
  },
];
