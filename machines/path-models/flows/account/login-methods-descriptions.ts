import type { ownProvidersMachine } from '../../../account/own-providers.ts';
import type { passkeysMachine } from '../../../account/passkeys.ts';
import type { Description } from '../../description.ts';

export const passkeysDescription = {
  title: 'Passkeys of the account',
  about:
    'The part “Passkeys” of the page /account: keys on the customer’s devices, by which they sign in without a password. A browser that cannot make one says so.',
  states: {
    'passkeys.loading': 'A wait under the heading “Passkeys”: “Loading your passkeys…”.',
    'passkeys.shown':
      'What a passkey is; a line for each, with its name, “Added …”, “Last used …” or “Not used yet”, “Rename” and “Delete”; below them “Add a passkey”, or “This browser can’t add passkeys. Open your account in another browser, or on your phone.”.',
    'passkeys.adding': 'The browser asks for a fingerprint, a face or a PIN; the button says “Waiting for your device…”.',
    'passkeys.naming':
      'In the line of the passkey its name in the field “What should this passkey be called?”, “Save” and “Cancel”; a problem with the name is shown below the field.',
    'passkeys.renaming': 'The name stays, the button says “Saving…”, and nothing can be pressed.',
    'passkeys.asking':
      'In the line of the passkey whether it is to be deleted, which has the focus, with “Delete passkey” and “Keep passkey”.',
    'passkeys.removing': 'The question stays, and nothing can be pressed.',
    'passkeys.none': 'Nothing of passkeys.',
    'passkeys.failed': 'The heading “We couldn’t load your passkeys”, the reason, and “Try again”.',
  },
  presses: {
    'retry.pressed': 'Press “Try again”',
    'add.pressed': 'Press “Add a passkey”',
    'rename.pressed': 'Press “Rename” beside a passkey',
    'name.submitted': 'Give a name and press “Save”',
    'name.rejected': 'Empty the field and press “Save”',
    'cancel.pressed': 'Press “Cancel”',
    'remove.pressed': 'Press “Delete” beside a passkey',
    'removal.confirmed': 'Press “Delete passkey”',
    'removal.cancelled': 'Press “Keep passkey”',
  },
  asks: {
    loadPasskeys: 'the customer’s passkeys',
    addPasskey: 'the passkeys with the one that the customer’s device has made',
    renamePasskey: 'the passkeys with the new name',
    removePasskey: 'the passkeys that are left',
  },
  effects: {
    keepAdded:
      'A message that the passkey has been added, and signs in from now on, is shown above the lines and has the focus; an e-mail says so.',
    keepFields: 'A problem with the name is shown below the field.',
    keepRenamed: 'The passkey’s new name is shown above the lines, and has the focus.',
    keepRemoved:
      'A message that the passkey has been deleted is shown above the lines and has the focus, and its line is gone; an e-mail says so.',
    keepProblem: 'The reason is shown; after a sign-in more than ten minutes ago, the customer is offered to sign in again.',
  },
} satisfies Description<typeof passkeysMachine>;

export const ownProvidersDescription = {
  title: 'Other ways to sign in',
  about:
    'The part “Other ways to sign in” of the page /account: services, and a telephone, by which the customer signs in. A store without any has no such part.',
  states: {
    'ownProviders.loading': 'A wait under the heading “Other ways to sign in”: “Loading your ways to sign in…”.',
    'ownProviders.none': 'Nothing of other ways to sign in.',
    'ownProviders.shown':
      'A line for each service, with “Connected” and “Remove”, or “Not connected” and “Connect”; a telephone is called “Phone number”.',
    'ownProviders.starting': 'The button that was pressed shows a wait, and nothing can be pressed.',
    'ownProviders.leaving': 'The same, until the page of the service comes.',
    'ownProviders.phoning':
      'The heading “Connect a phone number” in the place of the lines; then as on the page of signing in, with “Connect” in the place of “Sign in”.',
    'ownProviders.asking': 'In the line whether it is to be removed, which has the focus, with “Remove” and “Keep”.',
    'ownProviders.removing': 'The question stays, and nothing can be pressed.',
    'ownProviders.failed': 'The heading “We couldn’t load your ways to sign in”, the reason, and “Try again”.',
  },
  presses: {
    'retry.pressed': 'Press “Try again”',
    'connect.pressed': 'Press “Connect” beside a service',
    'remove.pressed': 'Press “Remove” beside a service',
    'removal.confirmed': 'Press “Remove” below the question',
    'removal.cancelled': 'Press “Keep”',
    'phone.closed': 'Press “Cancel” below the number',
    'session.started': 'Give a number, press “Send code”, give the code and press “Connect”',
  },
  happens: { 'page.returned': 'The customer comes back from the service’s page by the browser’s Back' },
  asks: {
    loadProviders: 'the store’s services, and which of them open the account',
    startJoining: 'where the service is',
    removeProvider: 'the services, without the one that was removed',
  },
  effects: {
    leave: 'The page of the service comes.',
    keepConnected:
      'A message that the phone number is connected, and signs in from now on, is shown above the lines and has the focus.',
    keepRemoved: 'A message that it has been removed is shown above the lines and has the focus; an e-mail says so.',
    keepProblem: 'The reason is shown; after a sign-in more than ten minutes ago, the customer is offered to sign in again.',
  },
} satisfies Description<typeof ownProvidersMachine>;
