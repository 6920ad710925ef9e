import type { giftsMachine, GiftToSend } from '../../../account/gifts.ts';
import { type GivenGift, isGiftOver } from '../../../model/buying/gift.ts';
import { getPortOutput, getPortInput, rulesFor } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { isSameJson } from '../../../same-json.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof giftsMachine>();

export const giftsRules: MachineRules = {
  rules: [
    leadsTo('the gifts load or their failure is shown', {
      after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
      to: ({ snapshot }) => !snapshot.matches('loading'),
    }),
    always('the shown gifts are those of the server’s answers', (moment) => {
      const loadedGifts = getPortOutput<GivenGift[] | null>(moment, 'loadGifts');
      if (loadedGifts === null) return moment.snapshot.matches('none');
      const sentGift = getPortOutput<GivenGift>(moment, 'sendGift');
      const before = moment.before?.context.gifts ?? [];
      const expectedGifts = loadedGifts ?? before.map((gift) => (gift.giftId === sentGift?.giftId ? sentGift : gift));
      return isSameJson(moment.snapshot.context.gifts, expectedGifts);
    }),
    onlyAfter('a gift is sent again only after a press', {
      cause: ({ event }) => event.type === 'resend.pressed' || event.type === 'address.submitted',
      what: (moment) => getPortInput(moment, 'sendGift') !== undefined,
      each: true,
    }),
    always('the gift that was pressed is sent, to the typed address if there is one', (moment) => {
      const input = getPortInput<GiftToSend>(moment, 'sendGift');
      if (input === undefined) return true;
      const { event, before } = moment;
      if (event.type === 'resend.pressed') return input.giftId === event.giftId && input.pii.form === null;
      return input.giftId === before?.context.chosen && isSameJson(input.pii, event['pii']);
    }),
    always('a redeemed or refunded gift can be neither sent again nor corrected', (moment) => {
      const { event, before } = moment;
      if (event.type !== 'resend.pressed' && event.type !== 'correct.pressed') return true;
      const gift = before?.context.gifts.find(({ giftId }) => giftId === event.giftId);
      return moment.fired.length === 0 || (gift !== undefined && !isGiftOver(gift));
    }),
    always('an invalid address shows its field errors', ({ event, before, snapshot }) => {
      if (event.type !== 'address.rejected' || before?.matches('correcting') !== true) return true;
      return snapshot.matches('correcting') && isSameJson(snapshot.context.fields, event.fields);
    }),
    always('a failed e-mail shows its problem, and a corrected address stays editable', (moment) => {
      const { event, before, snapshot } = moment;
      if (event.type !== 'xstate.error.actor.sendGift') return true;
      const isCorrecting = before?.context.pii.form != null;
      return snapshot.context.problem !== null && snapshot.value === (isCorrecting ? 'correcting' : 'shown');
    }),
    always('a confirmation names the gift that the server has just sent', (moment) => {
      const { done } = moment.snapshot.context;
      const sentGift = getPortOutput<GivenGift>(moment, 'sendGift');
      if (sentGift !== undefined)
        return done?.giftId === sentGift.giftId && done.isCorrected === (moment.before?.context.pii.form != null);
      return done === null || done === moment.before?.context.done;
    }),
    invariant('a new action clears the earlier confirmation', ({ value, context }) => {
      return (value !== 'correcting' && value !== 'sending') || context.done === null;
    }),
    invariant('no address is kept outside a request', ({ value, context }) => value === 'sending' || context.pii.form === null),
    leadsTo('every request to send a gift ends', {
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
