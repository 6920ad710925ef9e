import type { giftsMachine } from '../../../../machines/account/gifts.ts';
import type { GivenGift } from '../../../../machines/model/buying/gift.ts';
import { press } from '../../press.ts';
import type { Headings, Stage } from '../../stage.ts';
import { fillFields, json, notServed } from '../../wires.ts';
import { giftModels as models } from '../../../../machines/path-models/flows/account/gifts-paths.ts';

const headings: Headings<typeof giftsMachine> = {
  loading: 'Gifts',
  shown: 'Gifts',
  correcting: 'Gifts',
  sending: 'Gifts',
  empty: 'Gifts',
  none: null,
  failed: 'We couldn’t load your gifts',
};

const giftWire = ({ pii, ...gift }: GivenGift) => ({ ...gift, recipientName: pii.name, recipientEmail: pii.email });

export const stage: Stage = {
  name: 'gifts',
  models,
  address: () => '/account',
  startsSignedIn: () => true,
  headings,
  isPossible: ({ context }, event) =>
    // What waits for its day, and what was opened, has no such button.
    !(event.type === 'resend.pressed' && event['giftId'] !== 'g1') &&
    event['giftId'] !== 'g3' &&
    // The server answers about the gift that it was asked about.
    (event.type !== 'xstate.done.actor.sendGift' ||
      (event['output'] as GivenGift).giftId === (context as { chosen: string | null }).chosen),
  ports: {
    loadGifts: {
      asks: ({ pathname }) => pathname.endsWith('/user/gifts'),
      answer: (gifts: GivenGift[] | null) => (gifts === null ? notServed : json({ gifts: gifts.map(giftWire) })),
      says: (gifts: GivenGift[] | null, body) => gifts?.length === 0 && body.includes('"gifts":[]'),
    },
    sendGift: {
      asks: ({ pathname }) => pathname.endsWith('/user/gifts/resend'),
      answer: (gift: GivenGift) => json(giftWire(gift)),
    },
  },
  causes: {
    'resend.pressed': ({ flow }, { giftId }) =>
      flow.locator(`[data-gift="${String(giftId)}"] [data-event="resend.pressed"]`).click(),
    'correct.pressed': ({ flow }, { giftId }) =>
      flow.locator(`[data-gift="${String(giftId)}"] [data-event="correct.pressed"]`).click(),
    'address.submitted': async (world, event) => {
      await fillFields(world, { email: 'bob@example.com' });
      await press(world, event);
    },
    'address.rejected': async (world) => {
      await fillFields(world, { email: 'no address' });
      await press(world, { type: 'address.submitted' });
    },
  },
};
