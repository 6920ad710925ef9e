import type { giftsMachine } from '../../../account/gifts.ts';
import type { Description } from '../../description.ts';

export const giftsDescription = {
  title: 'Gifts of the account',
  about: 'The part “Gifts” of the page /account: the customer’s gifts to others, and their status.',
  states: {
    'gifts.loading': 'A wait under the heading “Gifts”: “Loading your gifts…”.',
    'gifts.shown':
      'A line for each gift: its title, its recipient, and “Sent …”, “Will be sent on …”, “On its way” or “Opened …”; a sent gift has “Send again”, and an unopened gift “Correct the address…”.',
    'gifts.correcting':
      'In the line of the gift the field “Recipient’s email address”, with “Send the gift” (“Save” before its delivery day).',
    'gifts.sending': 'The lines stay, and nothing can be pressed.',
    'gifts.empty': '“You haven’t given anything yet. Every title’s page has a link to give it as a gift.”',
    'gifts.none': 'The part is not shown.',
    'gifts.failed': 'The heading “We couldn’t load your gifts”, the reason, and “Try again”.',
  },
  presses: {
    'retry.pressed': 'Press “Try again”',
    'resend.pressed': 'Press “Send again” beside a gift',
    'correct.pressed': 'Press “Correct the address…” beside a gift',
    'address.submitted': 'Fill in an e-mail address, then press “Send the gift” (“Save” before its delivery day)',
    'address.rejected': 'Press “Send the gift” (“Save” before its delivery day) with an invalid e-mail address',
    'cancel.pressed': 'Press “Cancel”',
  },
  asks: { loadGifts: 'the gifts', sendGift: 'the changed gift' },
  effects: {
    keepFields: '“This doesn’t look like an email address.” is shown beside the field, which has the focus; nothing is sent.',
    keepProblem: 'A message gives the reason.',
    keepSent:
      '“The gift is on its way to {email} again.” is shown above the lines; before its delivery day “The gift will go to {email}.”.',
  },
} satisfies Description<typeof giftsMachine>;
