import type { giftsMachine } from '../../../../machines/account/gifts.ts';
import type { GivenGift } from '../../../../machines/model/buying/gift.ts';
import { press } from '../../press.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { fillFields, json, NOT_SERVED } from '../../wires.ts';
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

const toGiftJson = ({ pii, ...gift }: GivenGift) => ({ ...gift, recipientName: pii.name, recipientEmail: pii.email });

export const adapter: BrowserAdapter = {
  name: 'gifts',
  models,
  address: () => '/account',
  startsSignedIn: () => true,
  headings,
  isPossible: ({ context }, event) =>
    // Gifts that are scheduled or opened have no such button.
    !(event.type === 'resend.pressed' && event['giftId'] !== 'g1') &&
    event['giftId'] !== 'g3' &&
    // The response is about the requested gift.
    (event.type !== 'xstate.done.actor.sendGift' ||
      (event['output'] as GivenGift).giftId === (context as { chosen: string | null }).chosen),
  ports: {
    loadGifts: {
      asks: ({ pathname }) => pathname.endsWith('/user/gifts'),
      answer: (gifts: GivenGift[] | null) => (gifts === null ? NOT_SERVED : json({ gifts: gifts.map(toGiftJson) })),
      says: (gifts: GivenGift[] | null, body) => gifts?.length === 0 && body.includes('"gifts":[]'),
    },
    sendGift: {
      asks: ({ pathname }) => pathname.endsWith('/user/gifts/resend'),
      answer: (gift: GivenGift) => json(toGiftJson(gift)),
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
