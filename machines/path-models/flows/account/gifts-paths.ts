import { giftsMachine } from '../../../account/gifts.ts';
import type { GivenGift } from '../../../model/buying/gift.ts';
import type { Problem } from '../../../model/problem.ts';
import { describeCase } from '../../description.ts';
import { problems, toRejectionCases, type PathModel } from '../../path-model.ts';
import { giftsDescription } from './gifts-description.ts';

export const createGift = (overrides: Partial<GivenGift> = {}): GivenGift => ({
  giftId: 'g1',
  titleId: '1001',
  name: 'The Keeper’s Third Log',
  transId: 't1',
  givenAt: '2026-01-01T10:00:00.000Z',
  deliverOn: '',
  sentAt: '2026-01-01T10:00:02.000Z',
  redeemedAt: '',
  status: 'sent',
  pii: { name: 'Bo Quay', email: 'bo@example.com' },
  ...overrides,
});

const scheduledGift = createGift({ giftId: 'g2', deliverOn: '2026-12-24', sentAt: '', status: 'scheduled' });
const redeemedGift = createGift({ giftId: 'g3', redeemedAt: '2026-01-02T10:00:00.000Z', status: 'redeemed' });
const correctedRecipient = { name: 'Bo Quay', email: 'bob@example.com' };

const toRefusal = (code: string): Problem => ({ kind: 'refused', code, message: 'Not now' });

export const giftModels: PathModel[] = [
  {
    name: 'gifts',
    machine: giftsMachine,
    description: giftsDescription,
    startInstruction:
      'Signed in, give three titles (“Give as a gift”): one that is sent at once, one for a later day, and one whose code, in data/outbox, another customer redeems; open /account.',
    cases: {
      'xstate.done.actor.loadGifts': [
        describeCase('some', { output: [createGift(), scheduledGift, redeemedGift] }),
        describeCase('none', { output: [] }, 'Take a customer who has given no gifts'),
        describeCase('the server does not list gifts', { output: null }, 'Let a proxy answer /api/user/gifts with 404'),
      ],
      'xstate.error.actor.loadGifts': toRejectionCases(problems.offline),
      'resend.pressed': [describeCase('a sent one', { giftId: 'g1' }), describeCase('a scheduled one', { giftId: 'g2' })],
      'correct.pressed': [
        describeCase('a sent one', { giftId: 'g1' }),
        describeCase('a scheduled one', { giftId: 'g2' }),
        describeCase('an opened one', { giftId: 'g3' }),
      ],
      'address.submitted': [{ pii: { form: { email: 'bob@example.com' } } }],
      'address.rejected': [{ fields: { email: 'email' } }],
      'xstate.done.actor.sendGift': [
        describeCase(
          'it is being sent',
          { output: createGift({ status: 'sending', pii: correctedRecipient }) },
          'Wait until its last e-mail is ten minutes old',
        ),
        describeCase('it is scheduled', { output: { ...scheduledGift, pii: correctedRecipient } }),
      ],
      'xstate.error.actor.sendGift': [
        describeCase(
          'the recipient has redeemed it',
          { error: toRefusal('gift_redeemed') },
          'In another browser redeem the code of its e-mail, in `data/outbox`',
        ),
        describeCase(
          'it was sent a moment ago',
          { error: toRefusal('gift_just_sent') },
          'Send it again once, within ten minutes',
        ),
        ...toRejectionCases(problems.offline),
      ],
    },
  },
];
