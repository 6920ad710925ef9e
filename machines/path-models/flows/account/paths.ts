import { accountMachine } from '../../../account/account.ts';
import { cardsMachine } from '../../../account/cards.ts';
import type { Card, CardForm } from '../../../model/buying/card.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Device } from '../../../model/account/device.ts';
import { createFlowInput, problems, createRejectionCase, toRejectionCases, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { devicesMachine } from '../../../account/devices.ts';
import { deletionMachine } from '../../../account/deletion.ts';
import { credentialsMachine } from '../../../account/credentials.ts';
import { dataDownloadMachine } from '../../../account/data-download.ts';
import { detailsMachine } from '../../../account/details.ts';
import {
  accountDescription,
  cardsDescription,
  credentialsDescription,
  dataDownloadDescription,
  deletionDescription,
  detailsDescription,
  devicesDescription,
} from './descriptions.ts';
import { describeCase } from '../../description.ts';
import { giftModels } from './gifts-paths.ts';
import { loginMethodModels } from './login-methods-paths.ts';
import { subscriptionModels } from './subscription-paths.ts';

const purchaseRecord = {
  instanceId: 'i1',
  titleId: '1001',
  name: 'The Keeper’s Third Log',
  purchasedAt: '2026-01-01T00:00:00Z',
  transId: 't1',
  paid: { amount: 9.99, currency: 'USD', symbol: '$' },
};

const openPaymentProblem: Problem = { kind: 'refused', code: 'payment_open', message: 'A payment is on its way' };

const devices: Device[] = [
  { id: 'd1', name: 'Chrome, Linux', lastSeenAt: '2026-01-02T00:00:00Z', isThis: true },
  { id: 'd2', name: 'Safari, iPhone', lastSeenAt: '2026-01-01T00:00:00Z', isThis: false },
];

const visa: Card = { id: 'c1', isDefault: true, isExpired: false, pii: { brand: 'Visa', last4: '4242', expiry: '12/34' } };
const expiredCard: Card = { id: 'c2', isDefault: false, isExpired: true, pii: { brand: 'Visa', last4: '3184', expiry: '01/20' } };
const typedCard: CardForm = { cardNumber: '4242424242424242', cardExpiry: '12/34', cardCode: '123', cardName: 'Ann Lee' };
const toRefusal = (code: string): Problem => ({ kind: 'refused', code, message: 'Not now' });
const unavailableProblem = toRefusal('payment_unavailable');
const addCardInstruction = 'press “Add a card”, and type 4242 4242 4242 4242 at the gateway’s page, which leads back to the shop';
const createAddedCases = (preparation: string) => [
  describeCase('the card is added', { output: { cards: [visa], addedId: 'c1' } }, preparation),
  describeCase(
    'a card is added, and the answer does not name it',
    { output: { cards: [visa], addedId: null } },
    'Override `card/add` with the answer of the step',
  ),
];
const addedCases = [
  ...createAddedCases(`Save the card 4000 0000 0000 5027, ${addCardInstruction}`),
  describeCase('the URL names no card', { output: null }),
];
const notAddedCases = [
  ...toRejectionCases(problems.offline, unavailableProblem),
  describeCase('the card can no longer be added', { error: toRefusal('card_over') }),
];
const otherPasswordInstruction = 'Type another password than the account’s';
const signInAgainCase = describeCase(
  'the customer signed in too long ago',
  { error: toRefusal('sign_in_again') },
  'Wait until ten minutes have passed since you signed in',
);
const wrongPasswordProblem: Problem = { kind: 'refused', code: 'wrong_password', message: 'Your current password is incorrect' };
const takenEmailProblem: Problem = { kind: 'refused', code: 'email_taken', message: 'There is an account with this address' };

const details = {
  pii: { name: 'Ann Ferry', custom: { 'heard-of-us': 'friend' } },
  customFields: [
    {
      id: 'heard-of-us',
      kind: 'choice',
      label: 'How did you hear about us?',
      isRequired: false,
      choices: [{ value: 'friend', text: 'From a friend' }],
    },
    { id: 'town', kind: 'text', label: 'Your town', isRequired: false, choices: [] },
  ],
};

export const models: PathModel[] = [
  {
    name: 'account',
    machine: accountMachine,
    description: accountDescription,
    startInstruction: 'Signed in, open /account.',
    input: createFlowInput({ flow: 'account', path: '/account' }, { signedIn: true }),
    cases: {
      'xstate.done.actor.purchaseRecords': [
        describeCase('some', { output: [purchaseRecord] }, 'Buy a title before'),
        describeCase('none', { output: [] }, 'Take a customer who has bought nothing'),
      ],
      'xstate.error.actor.purchaseRecords': toRejectionCases(problems.offline, problems.unauthorized),
      leave: [describeCase('', { url: '/' }, 'Press “Delete account…” on this page, and go through with it')],
      'session.started': [
        describeCase(
          '',
          { userId: 'u1', pii: { email: 'ann@example.com' } },
          'Press “Change email address…” on this page, and go through with it',
        ),
      ],
      'page.returned': [describeCase('', {}, preparations.provider)],
    },
  },
  {
    name: 'details',
    machine: detailsMachine,
    description: detailsDescription,
    startInstruction: 'Signed in, open /account.',
    cases: {
      'xstate.done.actor.loadDetails': [{ output: details }],
      'xstate.error.actor.loadDetails': toRejectionCases(problems.offline),
      'details.submitted': [{ pii: { form: { name: 'Ann Ferry-Man', custom: { 'heard-of-us': '', town: 'Quay' } } } }],
      'details.rejected': [{ fields: { name: 'required' } }],
      'xstate.done.actor.saveDetails': [{ output: {} }],
      'xstate.error.actor.saveDetails': toRejectionCases(problems.offline),
    },
  },
  {
    name: 'credentials',
    machine: credentialsMachine,
    description: credentialsDescription,
    startInstruction: 'Signed in, open /account, and look below the details.',
    cases: {
      'xstate.done.actor.hasPassword': [{ output: true }],
      'email.submitted': [{ pii: { form: { email: 'ann@example.com', current: 'harbour light' } } }],
      'email.rejected': [{ fields: { email: 'email' } }],
      'xstate.done.actor.saveEmail': [{ output: { userId: 'u1', pii: { email: 'ann@example.com' } } }],
      'xstate.error.actor.saveEmail': [
        describeCase('the password is wrong', { error: wrongPasswordProblem }, otherPasswordInstruction),
        describeCase(
          'another account has that e-mail address',
          { error: takenEmailProblem },
          'Type the e-mail address of another account',
        ),
      ],
      'password.submitted': [{ pii: { form: { current: 'harbour light', password: 'river boat 7', again: 'river boat 7' } } }],
      'password.rejected': [{ fields: { again: 'mismatch' } }],
      'xstate.done.actor.savePassword': [{ output: {} }],
      'xstate.error.actor.savePassword': [
        describeCase('the password is wrong', { error: wrongPasswordProblem }, otherPasswordInstruction),
      ],
    },
  },
  {
    name: 'credentials',
    machine: credentialsMachine,
    description: credentialsDescription,
    startInstruction: `Signed in with an account without a password, whose customer has only signed in by telephone (${preparations.telephone}), open /account.`,
    cases: {
      'xstate.done.actor.hasPassword': [{ output: false }],
      'email.submitted': [{ pii: { form: { email: 'ann@example.com' } } }],
      'email.rejected': [{ fields: { email: 'email' } }],
      'xstate.done.actor.saveEmail': [{ output: { userId: 'u1', pii: { email: 'ann@example.com' } } }],
      'xstate.error.actor.saveEmail': [signInAgainCase],
    },
  },
  ...loginMethodModels,
  {
    name: 'dataDownload',
    machine: dataDownloadMachine,
    description: dataDownloadDescription,
    startInstruction: 'Signed in, open /account, and look below the devices for “Your data”.',
    cases: {
      'xstate.done.actor.saveData': [{ output: {} }],
      'xstate.error.actor.saveData': toRejectionCases(problems.offline),
    },
  },
  {
    name: 'cards',
    machine: cardsMachine,
    description: cardsDescription,
    startInstruction: 'Signed in, open /account.',
    cases: {
      'xstate.done.actor.addCard': addedCases,
      'xstate.error.actor.addCard': [
        createRejectionCase(problems.offline, `Block \`card/add\`, ${addCardInstruction}`),
        ...notAddedCases.slice(1),
      ],
      'xstate.done.actor.addCardAgain': createAddedCases('Unblock `card/add`'),
      'xstate.error.actor.addCardAgain': notAddedCases,
      'xstate.done.actor.loadCards': [
        describeCase('some', { output: [visa, expiredCard] }, 'Save the cards 4242 4242 4242 4242 and 4000 0000 0000 5027'),
        describeCase('none', { output: [] }, 'Take a customer without cards'),
      ],
      'xstate.error.actor.loadCards': toRejectionCases(problems.offline),
      'default.pressed': [{ cardId: 'c1' }, { cardId: 'c2' }],
      'remove.pressed': [{ cardId: 'c1' }, { cardId: 'c2' }],
      'xstate.done.actor.changeDefault': [
        describeCase('the pressed card is the default', {
          output: [
            { ...expiredCard, isDefault: true },
            { ...visa, isDefault: false },
          ],
        }),
        describeCase('the pressed card no longer exists', { output: [visa] }, 'Remove the card in another tab'),
      ],
      'xstate.error.actor.changeDefault': toRejectionCases(problems.offline),
      'xstate.done.actor.removeCard': [
        describeCase('one', { output: [{ ...expiredCard, isDefault: true }] }),
        describeCase('none', { output: [] }, 'Remove the other card before'),
      ],
      'xstate.error.actor.removeCard': toRejectionCases(problems.offline),
      'xstate.done.actor.startCard': [
        describeCase('the gateway has a page', { output: { url: 'https://gateway.example/setup/s1' } }),
        describeCase('none, and the shop’s form takes the card', { output: { url: null } }, 'Override `card/session` with 404'),
      ],
      'card.submitted': [{ pii: { form: typedCard } }],
      'card.rejected': [{ fields: { cardNumber: 'cardNumber' } }],
      'xstate.done.actor.sendCard': [describeCase('the card is added', { output: { cards: [visa], addedId: 'c1' } })],
      'xstate.error.actor.sendCard': toRejectionCases(problems.offline),
      'xstate.error.actor.startCard': toRejectionCases(problems.offline, unavailableProblem),
    },
  },
  ...giftModels,
  ...subscriptionModels,
  {
    name: 'deletion',
    machine: deletionMachine,
    description: deletionDescription,
    startInstruction: 'Signed in, open /account, and look below the devices.',
    cases: {
      'xstate.done.actor.hasPassword': [{ output: true }],
      'deletion.submitted': [{ pii: { form: { password: 'harbour light' } } }],
      'deletion.rejected': [{ fields: { password: 'required' } }],
      'xstate.done.actor.deleteAccount': [{ output: {} }],
      'xstate.error.actor.deleteAccount': [
        describeCase('the password is wrong', { error: problems.unauthorized }, otherPasswordInstruction),
        describeCase('a payment is in progress', { error: openPaymentProblem }),
      ],
    },
  },
  {
    name: 'deletion',
    machine: deletionMachine,
    description: deletionDescription,
    startInstruction: `Signed in with an account without a password, whose customer has only signed in by telephone (${preparations.telephone}), open /account.`,
    cases: {
      'xstate.done.actor.hasPassword': [{ output: false }],
      'deletion.submitted': [{ pii: { form: {} } }],
      'deletion.rejected': [{ fields: { password: 'required' } }],
      'xstate.done.actor.deleteAccount': [{ output: {} }],
      'xstate.error.actor.deleteAccount': [
        signInAgainCase,
        describeCase('a payment is in progress', { error: openPaymentProblem }),
      ],
    },
  },
  {
    name: 'devices',
    machine: devicesMachine,
    description: devicesDescription,
    startInstruction: 'Signed in in two browsers, open /account in one of them.',
    cases: {
      'xstate.done.actor.loadDevices': [{ output: devices }],
      'xstate.error.actor.loadDevices': toRejectionCases(problems.offline),
      'remove.pressed': devices.map(({ id }) => ({ deviceId: id })),
      'xstate.done.actor.removeDevice': [{ output: {} }],
      'xstate.error.actor.removeDevice': [signInAgainCase, ...toRejectionCases(problems.offline)],
    },
  },
];
