import type { cardsMachine } from '../../../account/cards.ts';
import type { credentialsMachine } from '../../../account/credentials.ts';
import type { creditsMachine } from '../../../account/credits.ts';
import type { dataDownloadMachine } from '../../../account/data-download.ts';
import type { deletionMachine } from '../../../account/deletion.ts';
import type { detailsMachine } from '../../../account/details.ts';
import type { devicesMachine } from '../../../account/devices.ts';
import type { ownSubscriptionMachine } from '../../../account/own-subscription.ts';
import type { accountMachine } from '../../../account/account.ts';
import type { Description } from '../../description.ts';

export const accountDescription = {
  title: 'The account',
  about: 'The page /account: the signed-in customer, and their purchases with day and price.',
  states: {
    'account.loading': 'A wait under the heading “Purchases”: “Loading your purchases…”.',
    'account.shown': 'A line for each purchase: its name, the day, and the price.',
    'account.empty': '“You haven’t bought anything yet. See all titles”, the last words a link.',
    'account.failed': 'The heading “We couldn’t load your purchases”, the reason, and “Try again”.',
  },
  presses: { 'retry.pressed': 'Press “Try again”' },
  happens: {
    leave: 'The customer leaves after deleting the account',
    'session.started': 'The customer has changed the e-mail address',
    'page.returned': 'The customer comes back from a service’s page by the browser’s Back',
  },
  asks: { purchaseRecords: 'the customer’s purchases' },
  effects: {
    forwardEvent: 'The shop reloads for a visitor, or shows the customer’s new e-mail address.',
    sendToProviders: 'The buttons of the services can be pressed again.',
  },
} satisfies Description<typeof accountMachine>;

export const cardsDescription = {
  title: 'Cards of the account',
  about:
    'The part “Cards” of the page /account. The payment gateway stores the cards; the customer types a card on the gateway’s page.',
  states: {
    'cards.adding': 'A wait under the heading “Cards”: “Loading your cards…”.',
    'cards.loading': 'A wait under the heading “Cards”: “Loading your cards…”.',
    'cards.shown':
      'A line for each card, as in “{kind} ending in {last4}”, with “Expires {expiry}” or “Expired {expiry}”, “Default” or “Use by default”, and “Remove”; without cards “You haven’t saved any cards.”. Below them “Add a card”.',
    'cards.shown.whole': 'No message about a card that was not added.',
    'cards.shown.oneMissing': 'Above the lines “Your card hasn’t been added yet.” or “Your card hasn’t been added.”.',
    'cards.addingAgain': 'The lines stay, and nothing can be pressed.',
    'cards.asking': 'In the line of the card “Remove {name}?”, which has the focus, with “Remove card” and “Keep card”.',
    'cards.removing': 'The question stays, and nothing can be pressed.',
    'cards.changing': 'The lines stay, and nothing can be pressed.',
    'cards.starting': 'The lines stay, and nothing can be pressed.',
    'cards.typing':
      'In place of the lines a form: “Card number”, “Expires (MM/YY)”, “Security code”, “Name on the card”, with “Add a card” and “Cancel”.',
    'cards.sending': 'The button says “Saving…”; the typed text stays.',
    'cards.failed': 'The heading “We couldn’t load your cards”, the reason, and “Try again”.',
  },
  presses: {
    'retry.pressed': 'Press “Try again”',
    'add.pressed': 'Press “Add a card”',
    'again.pressed': 'Press “Try again”',
    'card.submitted': 'Type a card and press “Add a card”',
    'card.rejected': 'Press “Add a card” with an invalid card number',
    'typing.cancelled': 'Press “Cancel”',
    'default.pressed': 'Press “Use by default” beside a card',
    'remove.pressed': 'Press “Remove” beside a card',
    'removal.confirmed': 'Press “Remove card”',
    'removal.cancelled': 'Press “Keep card”',
  },
  asks: {
    addCard: 'its confirmation that the card from the gateway’s page is added',
    addCardAgain: 'its confirmation that the card from the gateway’s page is added',
    loadCards: 'the customer’s cards',
    startCard: 'the URL of the gateway’s page',
    sendCard: 'its confirmation that the card is added',
    changeDefault: 'the cards with the new default',
    removeCard: 'the remaining cards',
  },
  effects: {
    keepAdded: '“{name} has been added.” is shown above the lines and has the focus; the URL no longer names the card.',
    keepNotAdded:
      '“Your card hasn’t been added yet.”, the reason, and “Try again”; if the server has refused, “Your card hasn’t been added.”.',
    keepRemoved: '“{name} has been removed.” is shown above the lines and has the focus; the card is no longer listed.',
    keepDefault: '“{name} is now used by default.” is shown above the lines and has the focus.',
    keepFields: 'The problem is shown below the field, which has the focus; nothing is sent.',
    keepProblem: 'A message beside the pressed button gives the reason.',
    goToGateway: 'The browser opens the gateway’s page for a card.',
  },
} satisfies Description<typeof cardsMachine>;

export const devicesDescription = {
  title: 'Devices of the account',
  about: 'The part “Devices” of the page /account: where the customer is or was signed in. Each browser counts as a device.',
  states: {
    'devices.loading': 'A wait under the heading “Devices”: “Loading your devices…”.',
    'devices.shown':
      'A line for each device, with the time of its sign-in and “Sign out”, or “Forget” if it is signed out; this one says “This device” instead.',
    'devices.removing': 'The lines stay, and no “Sign out” can be pressed.',
    'devices.failed': 'The heading “We couldn’t load your devices”, the reason, and “Try again”.',
  },
  presses: { 'retry.pressed': 'Press “Try again”', 'remove.pressed': 'Press “Sign out” (or “Forget”) beside a device' },
  asks: { loadDevices: 'the customer’s devices', removeDevice: 'its confirmation that the device is signed out' },
  effects: {
    dropDevice:
      '“Signed out of {removed}.”, with the name of the device, is shown above the lines; the device is no longer listed, and its session has ended.',
    keepProblem: 'A message beside the pressed button gives the reason.',
  },
} satisfies Description<typeof devicesMachine>;

export const deletionDescription = {
  title: 'Deleting the account',
  about: 'The part “Delete account” of the page /account.',
  states: {
    'deletion.closed': 'The heading “Delete account” with “Delete account…”.',
    'deletion.looking': 'The button cannot be pressed.',
    'deletion.asking': 'The consequences, “Your password” if the account has one, “Delete my account for good” and “Cancel”.',
    'deletion.deleting': 'The button says “Deleting…” and cannot be pressed.',
    'deletion.gone':
      '“Your account has been deleted. We’ve sent you an email to confirm it.” (without a password only “Your account has been deleted.”) and “Back to Home”; the account can no longer be used to sign in.',
  },
  presses: {
    'delete.pressed': 'Press “Delete account…”',
    'cancel.pressed': 'Press “Cancel”',
    'deletion.submitted': 'Type the password of the account, if it has one, then press “Delete my account for good”',
    'deletion.rejected': 'Press “Delete my account for good” without a password',
    'leave.pressed': 'Press “Back to Home”',
  },
  asks: { hasPassword: 'whether the account has a password', deleteAccount: 'its confirmation that the account is deleted' },
  effects: {
    keepFields: '“Please fill in this field.” is shown below the field, which has the focus; nothing is sent.',
    keepProblem: 'A message beside the pressed button gives the reason.',
    leave: 'The shop reloads for a visitor.',
  },
} satisfies Description<typeof deletionMachine>;

export const detailsDescription = {
  title: 'Details of the customer',
  about: 'The part “Your details” of the page /account: the name, and the store’s custom fields.',
  states: {
    'details.loading': 'A wait under the heading “Your details”: “Loading your details…”.',
    'details.asking': 'A form with “Your name” and a field for each of the store’s custom fields, with the last saved values.',
    'details.saving': 'The button says “Saving…” and cannot be pressed.',
    'details.failed': 'The heading “We couldn’t load your details”, the reason, and “Try again”.',
  },
  presses: {
    'retry.pressed': 'Press “Try again”',
    'details.submitted': 'Change something, then press “Save” below “Your details”',
    'details.rejected': 'Empty “Your name”, then press “Save” below “Your details”',
  },
  asks: { loadDetails: 'the customer’s details', saveDetails: 'its confirmation that the details are saved' },
  effects: {
    keepSaved: '“Saved.” is shown beside the button; the saved data is there on the next visit.',
    keepFields: '“Please fill in this field.” is shown below the field, which has the focus; nothing is sent.',
    keepProblem: 'A message at the head of the form gives the reason, and the typed text is still there.',
  },
} satisfies Description<typeof detailsMachine>;

export const credentialsDescription = {
  title: 'E-mail address and password of the account',
  about: 'The part “Email and password” of the page /account. The customer changes each separately, with the current password.',
  states: {
    'credentials.loading': 'The buttons are there and cannot be pressed.',
    'credentials.closed':
      '“Change email address…” and “Change password…”; for an account without a password, how to set one in place of the latter.',
    'credentials.askingEmail':
      'A form with “New email address”, “Your current password” if the account has one, “Save” and “Cancel”.',
    'credentials.savingEmail': 'The button says “Saving…” and cannot be pressed.',
    'credentials.askingPassword':
      'A form with “New password”, “New password again” and “Your current password”, “Save” and “Cancel”.',
    'credentials.savingPassword': 'The button says “Saving…” and cannot be pressed.',
  },
  presses: {
    'changeEmail.pressed': 'Press “Change email address…”',
    'changePassword.pressed': 'Press “Change password…”',
    'cancel.pressed': 'Press “Cancel”',
    'email.submitted': 'Type another e-mail address and the password of the account, if it has one, then press “Save”',
    'email.rejected': 'Type an invalid e-mail address, then press “Save”',
    'password.submitted': 'Type a new password twice and the password of the account, then press “Save”',
    'password.rejected': 'Type two different new passwords, then press “Save”',
  },
  asks: {
    hasPassword: 'whether the account has a password',
    saveEmail: 'its confirmation that the account has the new e-mail address',
    savePassword: 'its confirmation that the account has the new password',
  },
  effects: {
    keepChanged:
      '“Your email address has been changed.” or “Your password has been changed. You’ve been signed out everywhere else.” is shown above the buttons, and an e-mail confirms it.',
    keepFields: 'The problem is shown below the field, which has the focus; nothing is sent.',
    keepProblem: 'A message at the head of the form gives the reason, and the typed text is still there.',
    reportSession: 'The page names the signed-in customer by the new e-mail address.',
  },
} satisfies Description<typeof credentialsMachine>;

export const dataDownloadDescription = {
  title: 'The customer’s data as a file',
  about: 'The part “Your data” of the page /account.',
  states: {
    'dataDownload.ready': 'The contents of the file, and “Download my data”.',
    'dataDownload.preparing': 'The button says “Preparing the file…” and cannot be pressed.',
  },
  presses: { 'download.pressed': 'Press “Download my data”' },
  asks: { saveData: 'all data that the shop stores about the customer' },
  effects: {
    keepSaved:
      '“The file is in your downloads.” is shown above the button; the browser has saved a file named my-data, with today’s date.',
    keepProblem: 'A message beside the pressed button gives the reason.',
  },
} satisfies Description<typeof dataDownloadMachine>;

export const ownSubscriptionDescription = {
  title: 'The customer’s subscription',
  about: 'The part “Subscription” of the page /account: the customer’s plan, its end, its cancellation, and its reactivation.',
  states: {
    'ownSubscription.loading': 'A wait under the heading “Subscription”: “Loading your subscription…”.',
    'ownSubscription.held':
      'The plan’s name, its price and “Renews on {date}.”, with “Use another card” and “Cancel subscription…”. A cancelled one has “Cancelled. You have access until {date}, and won’t be charged again.”, with “Keep my subscription” if it can be reactivated, one from a code “You have access until {date}. It won’t renew.”, an ended one “Your subscription ended on {date}.”, one with a failed payment “The last payment didn’t go through. You have access until {date}.”.',
    'ownSubscription.leaving': 'The buttons can’t be pressed; a moment later the payment gateway’s page for another card opens.',
    'ownSubscription.asking':
      'The question “Cancel your subscription?”, which has the focus, with the end of the access, “Cancel subscription” and “Keep subscription”.',
    'ownSubscription.cancelling': 'The question stays, and nothing can be pressed.',
    'ownSubscription.resuming': '“Keep my subscription” shows a spinner, and nothing can be pressed.',
    'ownSubscription.refreshing': 'The question, or “Keep my subscription”, stays, and nothing can be pressed.',
    'ownSubscription.offered': '“You don’t have a subscription.” and “See subscriptions”, which leads to /subscription.',
    'ownSubscription.none': 'The part is not shown.',
    'ownSubscription.failed': 'The heading “We couldn’t load your subscription”, the reason, and “Try again”.',
  },
  presses: {
    'retry.pressed': 'Press “Try again”',
    'card.pressed': 'Press “Use another card”',
    'cancel.pressed': 'Press “Cancel subscription…”',
    'resume.pressed': 'Press “Keep my subscription”',
    'cancellation.confirmed': 'Press “Cancel subscription”',
    'cancellation.declined': 'Press “Keep subscription”',
  },
  asks: {
    loadSubscription: 'the customer’s current or last subscription',
    cancelSubscription: 'its confirmation that the subscription is cancelled',
    resumeSubscription: 'its confirmation that the subscription is reactivated',
    openPortal: 'the URL of the payment gateway’s page for another card',
  },
  effects: {
    goToGateway: 'The payment gateway’s page opens.',
    keepOutcome:
      'After the change, “Your subscription has been cancelled.” or “Your subscription continues.” is shown above the subscription and has the focus; otherwise the reason stays.',
    keepProblem: 'The reason is shown.',
  },
} satisfies Description<typeof ownSubscriptionMachine>;

export const creditsDescription = {
  title: 'The customer’s credits',
  about: 'The part “Credits” of the page /account.',
  states: {
    'credits.loading': 'A wait under the heading “Credits”: “Loading your credits…”.',
    'credits.shown': 'The number of credits, with the store’s own name for them if it has one.',
    'credits.none': 'The part is not shown.',
    'credits.failed': 'The heading “We couldn’t load your credits”, the reason, and “Try again”.',
  },
  presses: { 'retry.pressed': 'Press “Try again”' },
  asks: { loadCredits: 'the number of the customer’s credits' },
  effects: { keepProblem: 'The reason is shown.' },
} satisfies Description<typeof creditsMachine>;
