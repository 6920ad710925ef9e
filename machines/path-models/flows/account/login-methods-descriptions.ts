import type { ownProvidersMachine } from '../../../account/own-providers.ts';
import type { passkeysMachine } from '../../../account/passkeys.ts';
import type { Description } from '../../description.ts';

export const passkeysDescription = {
  title: 'Passkeys of the account',
  about:
    'The part “Passkeys” of the page /account: keys on the customer’s devices for signing in without a password. A browser that cannot create one shows a message.',
  states: {
    'passkeys.loading': 'A wait under the heading “Passkeys”: “Loading your passkeys…”.',
    'passkeys.shown':
      'An explanation of passkeys; a line for each passkey, with its name, “Added …”, “Last used …” or “Not used yet”, “Rename” and “Delete”; below them “Add a passkey”, or “This browser can’t add passkeys. Open your account in another browser, or on your phone.”.',
    'passkeys.adding': 'The browser asks for a fingerprint, a face or a PIN; the button says “Waiting for your device…”.',
    'passkeys.naming':
      'In the line of the passkey its name in the field “What should this passkey be called?”, “Save” and “Cancel”; a problem with the name is shown below the field.',
    'passkeys.renaming': 'The name stays, the button says “Saving…”, and nothing can be pressed.',
    'passkeys.asking':
      'In the line of the passkey the question whether to delete it, which has the focus, with “Delete passkey” and “Keep passkey”.',
    'passkeys.removing': 'The question stays, and nothing can be pressed.',
    'passkeys.none': 'The part is not shown.',
    'passkeys.failed': 'The heading “We couldn’t load your passkeys”, the reason, and “Try again”.',
  },
  presses: {
    'retry.pressed': 'Press “Try again”',
    'add.pressed': 'Press “Add a passkey”',
    'rename.pressed': 'Press “Rename” beside a passkey',
    'name.submitted': 'Type a name and press “Save”',
    'name.rejected': 'Empty the field and press “Save”',
    'cancel.pressed': 'Press “Cancel”',
    'remove.pressed': 'Press “Delete” beside a passkey',
    'removal.confirmed': 'Press “Delete passkey”',
    'removal.cancelled': 'Press “Keep passkey”',
  },
  asks: {
    loadPasskeys: 'the customer’s passkeys',
    addPasskey: 'the passkeys, including the new one',
    renamePasskey: 'the passkeys with the new name',
    removePasskey: 'the remaining passkeys',
  },
  effects: {
    keepAdded:
      'A message that the customer can now sign in by the new passkey is shown above the lines and has the focus; an e-mail confirms it.',
    keepFields: 'A problem with the name is shown below the field.',
    keepRenamed: 'The passkey’s new name is shown above the lines, and has the focus.',
    keepRemoved:
      'A message that the passkey has been deleted is shown above the lines and has the focus; the passkey is no longer listed, and an e-mail confirms it.',
    keepProblem: 'The reason is shown; if the last sign-in was more than ten minutes ago, the message offers a new one.',
  },
} satisfies Description<typeof passkeysMachine>;

export const ownProvidersDescription = {
  title: 'Other ways to sign in',
  about:
    'The part “Other ways to sign in” of the page /account: services and a telephone for signing in. A store without any does not show this part.',
  states: {
    'ownProviders.loading': 'A wait under the heading “Other ways to sign in”: “Loading your ways to sign in…”.',
    'ownProviders.none': 'The part is not shown.',
    'ownProviders.shown':
      'A line for each service, with “Connected” and “Remove”, or “Not connected” and “Connect”; a telephone is called “Phone number”.',
    'ownProviders.starting': 'The pressed button shows a spinner, and nothing can be pressed.',
    'ownProviders.leaving': 'The same, until the page of the service opens.',
    'ownProviders.phoning':
      'The heading “Connect a phone number” in place of the lines; then the forms of the sign-in page, with “Connect” in place of “Sign in”.',
    'ownProviders.asking':
      'In the line of the service the question whether to remove it, which has the focus, with “Remove” and “Keep”.',
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
    'session.started': 'Type a number, press “Send code”, type the code and press “Connect”',
  },
  happens: { 'page.returned': 'The customer comes back from the service’s page by the browser’s Back' },
  asks: {
    loadProviders: 'the store’s services, and which of them open the account',
    startJoining: 'the URL of the service’s page',
    removeProvider: 'the services without the removed one',
  },
  effects: {
    leave: 'The page of the service opens.',
    keepConnected: 'A message that the customer can now sign in by the phone number is shown above the lines and has the focus.',
    keepRemoved: 'A message that the service has been removed is shown above the lines and has the focus; an e-mail confirms it.',
    keepProblem: 'The reason is shown; if the last sign-in was more than ten minutes ago, the message offers a new one.',
  },
} satisfies Description<typeof ownProvidersMachine>;
