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
    leave: 'The account is deleted, and its customer leaves',
    'session.started': 'The customer has another e-mail address',
    'page.returned': 'The customer comes back from a service’s page by the browser’s Back',
  },
  asks: { purchaseRecords: 'the customer’s purchases' },
  effects: {
    forwardEvent: 'The shop is notified: it reloads for a visitor, or shows the new address of the customer.',
    sendToProviders: 'The services can be pressed again.',
  },
} satisfies Description<typeof accountMachine>;

export const cardsDescription = {
  title: 'Cards of the account',
  about: 'The part “Cards” of the page /account. The payment gateway keeps the cards; a card is typed on a page of its own.',
  states: {
    'cards.adding': 'A wait under the heading “Cards”: “Loading your cards…”.',
    'cards.loading': 'A wait under the heading “Cards”: “Loading your cards…”.',
    'cards.shown':
      'A line for each card, as in “{kind} ending in {last4}”, with “Expires {expiry}” or “Expired {expiry}”, “Default” or “Use by default”, and “Remove”; without cards “You haven’t saved any cards.”. Below them “Add a card”.',
    'cards.shown.whole': 'No word of a card that is missing.',
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
    'card.rejected': 'Press “Add a card” with a number that is no card’s',
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
    startCard: 'the address of the gateway’s page',
    sendCard: 'its confirmation that the card is added',
    changeDefault: 'the cards, with another default one',
    removeCard: 'the cards that are left',
  },
  effects: {
    keepAdded: '“{name} has been added.” is shown above the lines and has the focus; the URL no longer names the card.',
    keepNotAdded:
      '“Your card hasn’t been added yet.”, the reason, and “Try again”; if the server has refused, “Your card hasn’t been added.”.',
    keepRemoved: '“{name} has been removed.” is shown above the lines and has the focus, and its line is gone.',
    keepDefault: '“{name} is now used by default.” is shown above the lines and has the focus.',
    keepFields: 'The problem is shown below the field, which has the focus; nothing is sent.',
    keepProblem: 'A message beside the pressed button gives the reason.',
    goToGateway: 'The gateway’s page for a card takes the shop’s place.',
  },
} satisfies Description<typeof cardsMachine>;

export const devicesDescription = {
  title: 'Devices of the account',
  about: 'The part “Devices” of the page /account: where the customer is signed in. Each browser counts as a device.',
  states: {
    'devices.loading': 'A wait under the heading “Devices”: “Loading your devices…”.',
    'devices.shown': 'A line for each device, with the day of its sign-in and “Sign out”; this one says “This device” instead.',
    'devices.removing': 'The lines stay, and no “Sign out” can be pressed.',
    'devices.failed': 'The heading “We couldn’t load your devices”, the reason, and “Try again”.',
  },
  presses: { 'retry.pressed': 'Press “Try again”', 'remove.pressed': 'Press “Sign out” beside a device' },
  asks: { loadDevices: 'the customer’s devices', removeDevice: 'its confirmation that the device is signed out' },
  effects: {
    dropDevice:
      '“Signed out of {removed}.”, with the name of the device, is shown above the lines, and its line is gone; that device’s session has ended.',
    keepProblem: 'A message beside the pressed button gives the reason.',
  },
} satisfies Description<typeof devicesMachine>;

export const deletionDescription = {
  title: 'Deleting the account',
  about: 'The part “Delete account” of the page /account.',
  states: {
    'deletion.closed': 'The heading “Delete account” with “Delete account…”.',
    'deletion.looking': 'The button cannot be pressed.',
    'deletion.asking': 'What that means, “Your password” where there is one, “Delete my account for good” and “Cancel”.',
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
    leave: 'The shop is reloaded, for a visitor.',
  },
} satisfies Description<typeof deletionMachine>;

export const detailsDescription = {
  title: 'Details of the customer',
  about: 'The part “Your details” of the page /account: the name, and the store’s custom fields.',
  states: {
    'details.loading': 'A wait under the heading “Your details”: “Loading your details…”.',
    'details.asking':
      'A form with “Your name” and a field for each thing that the store asks for, filled in as it was saved last.',
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
  about: 'The part “Email and password” of the page /account. Each is changed by itself, with the current password.',
  states: {
    'credentials.loading': 'The buttons are there and cannot be pressed.',
    'credentials.closed':
      '“Change email address…” and “Change password…”; for an account without a password, in place of the latter how it gets one.',
    'credentials.askingEmail':
      'A form with “New email address”, “Your current password” where there is one, “Save” and “Cancel”.',
    'credentials.savingEmail': 'The button says “Saving…” and cannot be pressed.',
    'credentials.askingPassword':
      'A form with “New password”, “New password again” and “Your current password”, “Save” and “Cancel”.',
    'credentials.savingPassword': 'The button says “Saving…” and cannot be pressed.',
  },
  presses: {
    'changeEmail.pressed': 'Press “Change email address…”',
    'changePassword.pressed': 'Press “Change password…”',
    'cancel.pressed': 'Press “Cancel”',
    'email.submitted': 'Type another address and the password of the account, if it has one, then press “Save”',
    'email.rejected': 'Type something that is no address, then press “Save”',
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
      '“Your email address has been changed.” or “Your password has been changed. You’ve been signed out everywhere else.” is shown above the buttons, and an e-mail says so.',
    keepFields: 'The problem is shown below the field, which has the focus; nothing is sent.',
    keepProblem: 'A message at the head of the form gives the reason, and the typed text is still there.',
    reportSession: 'The page says that the customer is signed in as the new address.',
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
  asks: { saveData: 'all that the shop keeps about the customer' },
  effects: {
    keepSaved:
      '“The file is in your downloads.” is shown above the button; the browser has saved a file that is called my-data, with the day’s date.',
    keepProblem: 'A message beside the pressed button gives the reason.',
  },
} satisfies Description<typeof dataDownloadMachine>;

export const ownSubscriptionDescription = {
  title: 'The customer’s subscription',
  about:
    'The part “Subscription” of the page /account: what the customer has subscribed to, until when, its cancelling, and that it is kept after all.',
  states: {
    'ownSubscription.loading': 'A wait under the heading “Subscription”: “Loading your subscription…”.',
    'ownSubscription.held':
      'The plan’s name, its price and “Renews on {date}.”, with “Use another card” and “Cancel subscription…”. One that is cancelled says “Cancelled. You have access until {date}, and won’t be charged again.”, with “Keep my subscription” where that is possible, one that came by a code “You have access until {date}. It won’t renew.”, one that has ended “Your subscription ended on {date}.”, one whose payment has failed “The last payment didn’t go through. You have access until {date}.”.',
    'ownSubscription.leaving': 'The buttons can’t be pressed; a moment later the payment gateway’s page for another card opens.',
    'ownSubscription.asking':
      '“Cancel your subscription?” and until when access stays, which has the focus, with “Cancel subscription” and “Keep subscription”.',
    'ownSubscription.cancelling': 'The question stays, and nothing can be pressed.',
    'ownSubscription.resuming': '“Keep my subscription” turns, and nothing can be pressed.',
    'ownSubscription.refreshing': 'The question, or “Keep my subscription”, stays, and nothing can be pressed.',
    'ownSubscription.offered': '“You don’t have a subscription.” and “See subscriptions”, which leads to /subscription.',
    'ownSubscription.none': 'The part is not there.',
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
    loadSubscription: 'the subscription that the customer has, or had last',
    cancelSubscription: 'its confirmation that the subscription is cancelled',
    resumeSubscription: 'confirmation that the subscription is reactivated',
    openPortal: 'the address of the payment gateway’s page for another card',
  },
  effects: {
    goToGateway: 'The payment gateway’s page opens.',
    keepOutcome:
      'After the change, “Your subscription has been cancelled.” or “Your subscription continues.” is shown above it and has the focus; else the reason stays.',
    keepProblem: 'The reason is shown.',
  },
} satisfies Description<typeof ownSubscriptionMachine>;

export const creditsDescription = {
  title: 'The customer’s credits',
  about: 'The part “Credits” of the page /account.',
  states: {
    'credits.loading': 'A wait under the heading “Credits”: “Loading your credits…”.',
    'credits.shown': 'How many there are, in the store’s own word for them where it has one.',
    'credits.none': 'The part is not there.',
    'credits.failed': 'The heading “We couldn’t load your credits”, the reason, and “Try again”.',
  },
  presses: { 'retry.pressed': 'Press “Try again”' },
  asks: { loadCredits: 'how many credits the customer has' },
  effects: { keepProblem: 'The reason is shown.' },
} satisfies Description<typeof creditsMachine>;
