import type { deletionMachine } from '../../../machines/account/deletion.ts';
import type { devicesMachine } from '../../../machines/account/devices.ts';
import type { accountMachine } from '../../../machines/account/account.ts';
import type { Description } from '../../support/description.ts';

export const accountDescription = {
  title: 'The account',
  about: 'The page /account: who is signed in, and what was bought, when and for how much.',
  states: {
    'account.loading': 'A wait under the heading “Purchases”: “Loading your purchases…”.',
    'account.shown': 'A line for each purchase: its name, the day, and what was paid.',
    'account.empty': '“You haven’t bought anything yet. See all titles”, the last words a link.',
    'account.failed': 'The heading “We couldn’t load your purchases”, the reason, and “Retry”.',
  },
  presses: { 'retry.pressed': 'Press “Retry”' },
  happens: { leave: 'The account is deleted, and its customer leaves' },
  asks: { purchaseRecords: 'the customer’s purchases' },
  effects: { passOn: 'The shop is loaded anew, for a visitor.' },
} satisfies Description<typeof accountMachine>;

export const devicesDescription = {
  title: 'Devices of the account',
  about: 'The part “Devices” of the page /account: where the customer is signed in. Each browser counts as a device.',
  states: {
    'devices.loading': 'A wait under the heading “Devices”: “Loading your devices…”.',
    'devices.shown': 'A line for each device, with the day of its sign-in and “Sign out”; this one says “This device” instead.',
    'devices.removing': 'The lines stay, and no “Sign out” can be pressed.',
    'devices.failed': 'The heading “We couldn’t load your devices”, the reason, and “Retry”.',
  },
  presses: { 'retry.pressed': 'Press “Retry”', 'remove.pressed': 'Press “Sign out” beside a device' },
  asks: { loadDevices: 'the customer’s devices', removeDevice: 'its word that the device is signed out' },
  effects: {
    dropDevice:
      '“Signed out of {removed}.” stands above the lines, and its line is gone; whoever was signed in there no longer is.',
    keepProblem: 'The reason is said.',
  },
} satisfies Description<typeof devicesMachine>;

export const deletionDescription = {
  title: 'Deleting the account',
  about: 'The part “Delete account” of the page /account.',
  states: {
    'deletion.closed': 'The heading “Delete account” with “Delete account…”.',
    'deletion.asking': 'What that means, “Your password”, “Delete my account for good” and “Cancel”.',
    'deletion.deleting': 'The button says “Deleting…” and cannot be pressed.',
    'deletion.gone':
      '“Your account has been deleted. We’ve sent you an email to confirm it.” and “Back to Home”; nobody can sign in with it any more.',
  },
  presses: {
    'delete.pressed': 'Press “Delete account…”',
    'cancel.pressed': 'Press “Cancel”',
    'deletion.submitted': 'Type the password of the account, then press “Delete my account for good”',
    'deletion.rejected': 'Press “Delete my account for good” without a password',
    'leave.pressed': 'Press “Back to Home”',
  },
  asks: { deleteAccount: 'its word that the account is deleted' },
  effects: {
    keepFields: '“Please fill in this field.” stands below the field, which has the focus; nothing is sent.',
    keepProblem: 'The reason is said.',
    leave: 'The shop is loaded anew, for a visitor.',
  },
} satisfies Description<typeof deletionMachine>;
