import type { giftsMachine, GiftToSend } from '../../../account/gifts.ts';
import { type GivenGift, isGiftOver } from '../../../model/buying/gift.ts';
import { getPortOutput, getPortInput, rulesFor, isSame } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof giftsMachine>();

export const giftsRules: MachineRules = {
  rules: [
    leadsTo('gifts come, or a word why not', {
      after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
      to: ({ snapshot }) => !snapshot.matches('loading'),
    }),
    always('the gifts that are shown are those that the server has told of', (moment) => {
      const loaded = getPortOutput<GivenGift[] | null>(moment, 'loadGifts');
      if (loaded === null) return moment.snapshot.matches('none');
      const sent = getPortOutput<GivenGift>(moment, 'sendGift');
      const before = moment.before?.context.gifts ?? [];
      const told = loaded ?? before.map((gift) => (gift.giftId === sent?.giftId ? sent : gift));
      return isSame(moment.snapshot.context.gifts, told);
    }),
    onlyAfter('nothing is sent again without a press', {
      cause: ({ event }) => event.type === 'resend.pressed' || event.type === 'address.submitted',
      what: (moment) => getPortInput(moment, 'sendGift') !== undefined,
      each: true,
    }),
    always('what is sent is the gift that was pressed, to the address that was given', (moment) => {
      const asked = getPortInput<GiftToSend>(moment, 'sendGift');
      if (asked === undefined) return true;
      const { event, before } = moment;
      if (event.type === 'resend.pressed') return asked.giftId === event.giftId && asked.pii.form === null;
      return asked.giftId === before?.context.chosen && isSame(asked.pii, event['pii']);
    }),
    always('a gift that was opened or given back is not sent again, nor elsewhere', (moment) => {
      const { event, before } = moment;
      if (event.type !== 'resend.pressed' && event.type !== 'correct.pressed') return true;
      const gift = before?.context.gifts.find(({ giftId }) => giftId === event.giftId);
      return moment.fired.length === 0 || (gift !== undefined && !isGiftOver(gift));
    }),
    always('what is wrong with an address stands beside it', ({ event, before, snapshot }) => {
      if (event.type !== 'address.rejected' || before?.matches('correcting') !== true) return true;
      return snapshot.matches('correcting') && isSame(snapshot.context.fields, event.fields);
    }),
    always('what did not happen is told, and an address may be corrected once more', (moment) => {
      const { event, before, snapshot } = moment;
      if (event.type !== 'xstate.error.actor.sendGift') return true;
      const isCorrecting = before?.context.pii.form != null;
      return snapshot.context.problem !== null && snapshot.value === (isCorrecting ? 'correcting' : 'shown');
    }),
    always('what is said to be done, the server has done', (moment) => {
      const { done } = moment.snapshot.context;
      const sent = getPortOutput<GivenGift>(moment, 'sendGift');
      if (sent !== undefined)
        return done?.giftId === sent.giftId && done.isCorrected === (moment.before?.context.pii.form != null);
      return done === null || done === moment.before?.context.done;
    }),
    invariant('what was said before is over when something else is done', ({ value, context }) => {
      return (value !== 'correcting' && value !== 'sending') || context.done === null;
    }),
    invariant('no address is kept but on its way', ({ value, context }) => value === 'sending' || context.pii.form === null),
    leadsTo('every press is answered', {
      after: ({ snapshot }) => snapshot.matches('sending'),
      to: ({ snapshot }) => !snapshot.matches('sending'),
    }),
  ],
  pii: {
    'gifts.shown': 'the lines name the recipients',
    'gifts.correcting': 'the lines stay, and the form shows the address',
    'gifts.sending': 'the lines stay, and the address is on its way',
  },
};
