import { accountMachine } from '../../../account/account.ts';
import { cardsMachine } from '../../../account/cards.ts';
import type { Card, CardForm } from '../../../model/buying/card.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Device } from '../../../model/account/device.ts';
import { flowInput, problems, rejected, rejections, type PathModel } from '../../path-model.ts';
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
import { described } from '../../description.ts';
import { giftModels } from './gifts-paths.ts';
import { waysModels } from './ways-paths.ts';
import { subscriptionModels } from './subscription-paths.ts';

const record = {
  instanceId: 'i1',
  titleId: '1001',
  name: 'The Keeper’s Third Log',
  purchasedAt: '2026-01-01T00:00:00Z',
  transId: 't1',
  paid: { amount: 9.99, currency: 'USD', symbol: '$' },
};

const paymentOpen: Problem = { kind: 'refused', code: 'payment_open', message: 'A payment is on its way' };

const devices: Device[] = [
  { id: 'd1', name: 'Chrome, Linux', lastSeenAt: '2026-01-02T00:00:00Z', isThis: true },
  { id: 'd2', name: 'Safari, iPhone', lastSeenAt: '2026-01-01T00:00:00Z', isThis: false },
];

const visa: Card = { id: 'c1', isDefault: true, isExpired: false, pii: { brand: 'Visa', last4: '4242', expiry: '12/34' } };
const old: Card = { id: 'c2', isDefault: false, isExpired: true, pii: { brand: 'Visa', last4: '3184', expiry: '01/20' } };
const typed: CardForm = { cardNumber: '4242424242424242', cardExpiry: '12/34', cardCode: '123', cardName: 'Ann Lee' };
const refused = (code: string): Problem => ({ kind: 'refused', code, message: 'Not now' });
const unavailable = refused('payment_unavailable');
const addOne = 'press “Add a card”, and type 4242 4242 4242 4242 at the gateway’s page, which leads back';
const addedCards = (before: string) => [
  described('the card is added', { output: { cards: [visa], addedId: 'c1' } }, before),
  described(
    'a card is added, without a word which',
    { output: { cards: [visa], addedId: null } },
    'Override `card/add` with the answer of the step',
  ),
];
const added = [...addedCards(`Have the card 4000 0000 0000 5027 kept, ${addOne}`), described('there is none', { output: null })];
const notAdded = [
  ...rejections(problems.offline, unavailable),
  described('the card cannot be added any more', { error: refused('card_over') }),
];
const otherPassword = 'Type another password than the account’s';
const signInAgain = described(
  'the customer signed in too long ago',
  { error: refused('sign_in_again') },
  'Wait until ten minutes have passed since you signed in',
);
const wrongPassword: Problem = { kind: 'refused', code: 'wrong_password', message: 'Your current password is incorrect' };
const emailTaken: Problem = { kind: 'refused', code: 'email_taken', message: 'There is an account with this address' };

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
    given: 'Signed in, open /account.',
    input: flowInput({ flow: 'account', path: '/account' }, { signedIn: true }),
    cases: {
      'xstate.done.actor.purchaseRecords': [
        described('some', { output: [record] }, 'Buy a title before'),
        described('none', { output: [] }, 'Take a customer who has bought nothing'),
      ],
      'xstate.error.actor.purchaseRecords': rejections(problems.offline, problems.unauthorized),
      leave: [described('', { url: '/' }, 'Press “Delete account…” on this page, and go through with it')],
      'session.started': [
        described(
          '',
          { userId: 'u1', pii: { email: 'ann@example.com' } },
          'Press “Change email address…” on this page, and go through with it',
        ),
      ],
      'page.returned': [described('', {}, preparations.provider)],
    },
  },
  {
    name: 'details',
    machine: detailsMachine,
    description: detailsDescription,
    given: 'Signed in, open /account.',
    cases: {
      'xstate.done.actor.loadDetails': [{ output: details }],
      'xstate.error.actor.loadDetails': rejections(problems.offline),
      'details.submitted': [{ pii: { form: { name: 'Ann Ferry-Man', custom: { 'heard-of-us': '', town: 'Quay' } } } }],
      'details.rejected': [{ fields: { name: 'required' } }],
      'xstate.done.actor.saveDetails': [{ output: {} }],
      'xstate.error.actor.saveDetails': rejections(problems.offline),
    },
  },
  {
    name: 'credentials',
    machine: credentialsMachine,
    description: credentialsDescription,
    given: 'Signed in, open /account, and look below the details.',
    cases: {
      'xstate.done.actor.hasPassword': [{ output: true }],
      'email.submitted': [{ pii: { form: { email: 'ann@example.com', current: 'harbour light' } } }],
      'email.rejected': [{ fields: { email: 'email' } }],
      'xstate.done.actor.saveEmail': [{ output: { userId: 'u1', pii: { email: 'ann@example.com' } } }],
      'xstate.error.actor.saveEmail': [
        described('the password is wrong', { error: wrongPassword }, otherPassword),
        described('somebody else has that address', { error: emailTaken }, 'Type the address of another account'),
      ],
      'password.submitted': [{ pii: { form: { current: 'harbour light', password: 'river boat 7', again: 'river boat 7' } } }],
      'password.rejected': [{ fields: { again: 'mismatch' } }],
      'xstate.done.actor.savePassword': [{ output: {} }],
      'xstate.error.actor.savePassword': [described('the password is wrong', { error: wrongPassword }, otherPassword)],
    },
  },
  {
    name: 'credentials',
    machine: credentialsMachine,
    description: credentialsDescription,
    given: `Signed in with an account that has no password, since its customer has always come by telephone (${preparations.telephone}), open /account.`,
    cases: {
      'xstate.done.actor.hasPassword': [{ output: false }],
      'email.submitted': [{ pii: { form: { email: 'ann@example.com' } } }],
      'email.rejected': [{ fields: { email: 'email' } }],
      'xstate.done.actor.saveEmail': [{ output: { userId: 'u1', pii: { email: 'ann@example.com' } } }],
      'xstate.error.actor.saveEmail': [signInAgain],
    },
  },
  ...waysModels,
  {
    name: 'dataDownload',
    machine: dataDownloadMachine,
    description: dataDownloadDescription,
    given: 'Signed in, open /account, and look below the devices for “Your data”.',
    cases: {
      'xstate.done.actor.saveData': [{ output: {} }],
      'xstate.error.actor.saveData': rejections(problems.offline),
    },
  },
  {
    name: 'cards',
    machine: cardsMachine,
    description: cardsDescription,
    given: 'Signed in, open /account.',
    cases: {
      'xstate.done.actor.addCard': added,
      'xstate.error.actor.addCard': [rejected(problems.offline, `Block \`card/add\`, ${addOne}`), ...notAdded.slice(1)],
      'xstate.done.actor.addCardAgain': addedCards('Unblock `card/add`'),
      'xstate.error.actor.addCardAgain': notAdded,
      'xstate.done.actor.loadCards': [
        described('some', { output: [visa, old] }, 'Have the cards 4242 4242 4242 4242 and 4000 0000 0000 5027 kept'),
        described('none', { output: [] }, 'Take a customer without cards'),
      ],
      'xstate.error.actor.loadCards': rejections(problems.offline),
      'default.pressed': [{ cardId: 'c1' }, { cardId: 'c2' }],
      'remove.pressed': [{ cardId: 'c1' }, { cardId: 'c2' }],
      'xstate.done.actor.changeDefault': [
        described('as it was asked', {
          output: [
            { ...old, isDefault: true },
            { ...visa, isDefault: false },
          ],
        }),
        described('without the card, which is gone', { output: [visa] }, 'Remove the card in another tab'),
      ],
      'xstate.error.actor.changeDefault': rejections(problems.offline),
      'xstate.done.actor.removeCard': [
        described('one', { output: [{ ...old, isDefault: true }] }),
        described('none', { output: [] }, 'Remove the other card before'),
      ],
      'xstate.error.actor.removeCard': rejections(problems.offline),
      'xstate.done.actor.startCard': [
        described('it has one', { output: { url: 'https://gateway.example/setup/s1' } }),
        described('it has none, and takes the card itself', { output: { url: null } }, 'Override `card/session` with 404'),
      ],
      'card.submitted': [{ pii: { form: typed } }],
      'card.rejected': [{ fields: { cardNumber: 'cardNumber' } }],
      'xstate.done.actor.sendCard': [described('the card is added', { output: { cards: [visa], addedId: 'c1' } })],
      'xstate.error.actor.sendCard': rejections(problems.offline),
      'xstate.error.actor.startCard': rejections(problems.offline, unavailable),
    },
  },
  ...giftModels,
  ...subscriptionModels,
  {
    name: 'deletion',
    machine: deletionMachine,
    description: deletionDescription,
    given: 'Signed in, open /account, and look below the devices.',
    cases: {
      'xstate.done.actor.hasPassword': [{ output: true }],
      'deletion.submitted': [{ pii: { form: { password: 'harbour light' } } }],
      'deletion.rejected': [{ fields: { password: 'required' } }],
      'xstate.done.actor.deleteAccount': [{ output: {} }],
      'xstate.error.actor.deleteAccount': [
        described('the password is wrong', { error: problems.unauthorized }, otherPassword),
        described('a payment is on its way', { error: paymentOpen }),
      ],
    },
  },
  {
    name: 'deletion',
    machine: deletionMachine,
    description: deletionDescription,
    given: `Signed in with an account that has no password, since its customer has always come by telephone (${preparations.telephone}), open /account.`,
    cases: {
      'xstate.done.actor.hasPassword': [{ output: false }],
      'deletion.submitted': [{ pii: { form: {} } }],
      'deletion.rejected': [{ fields: { password: 'required' } }],
      'xstate.done.actor.deleteAccount': [{ output: {} }],
      'xstate.error.actor.deleteAccount': [signInAgain, described('a payment is on its way', { error: paymentOpen })],
    },
  },
  {
    name: 'devices',
    machine: devicesMachine,
    description: devicesDescription,
    given: 'Signed in in two browsers, open /account in one of them.',
    cases: {
      'xstate.done.actor.loadDevices': [{ output: devices }],
      'xstate.error.actor.loadDevices': rejections(problems.offline),
      'remove.pressed': devices.map(({ id }) => ({ deviceId: id })),
      'xstate.done.actor.removeDevice': [{ output: {} }],
      'xstate.error.actor.removeDevice': [signInAgain, ...rejections(problems.offline)],
    },
  },
];
