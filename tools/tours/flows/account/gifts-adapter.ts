import type { giftsMachine } from '../../../../machines/account/gifts.ts';
import type { GivenGift } from '../../../../machines/model/buying/gift.ts';
import { press } from '../../press.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { fillFields, toJsonResponse, NOT_SERVED } from '../../wires.ts';
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
  getStartPath: () => '/account',
  startsSignedIn: () => true,
  headings,
  isPossible: ({ context }, event) =>
    // Gifts that are scheduled or opened have no button to resend them.
    !(event.type === 'resend.pressed' && event['giftId'] !== 'g1') &&
    event['giftId'] !== 'g3' &&
    // The response is about the requested gift.
    (event.type !== 'xstate.done.actor.sendGift' ||
      (event['output'] as GivenGift).giftId === (context as { chosen: string | null }).chosen),
  ports: {
    loadGifts: {
      matches: ({ pathname }) => pathname.endsWith('/user/gifts'),
      toResponse: (gifts: GivenGift[] | null) => (gifts === null ? NOT_SERVED : toJsonResponse({ gifts: gifts.map(toGiftJson) })),
      isEquivalent: (gifts: GivenGift[] | null, body) => gifts?.length === 0 && body.includes('"gifts":[]'),
    },
    sendGift: {
      matches: ({ pathname }) => pathname.endsWith('/user/gifts/resend'),
      toResponse: (gift: GivenGift) => toJsonResponse(toGiftJson(gift)),
    },
  },
  causes: {
    'resend.pressed': ({ flow }, { giftId }) =>
      flow.locator(`[data-gift="${String(giftId)}"] [data-event="resend.pressed"]`).click(),
    'correct.pressed': ({ flow }, { giftId }) =>
      flow.locator(`[data-gift="${String(giftId)}"] [data-event="correct.pressed"]`).click(),
    'address.submitted': async (walk, event) => {
      await fillFields(walk, { email: 'bob@example.com' });
      await press(walk, event);
    },
    'address.rejected': async (walk) => {
      await fillFields(walk, { email: 'no address' });
      await press(walk, { type: 'address.submitted' });
    },
  },
};
