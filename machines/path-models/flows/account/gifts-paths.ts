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
      'Signed in, with three titles given (“Give as a gift”): one that was sent, one that waits for a later day, and one whose code, in data/outbox, another customer has redeemed; open /account.',
    cases: {
      'xstate.done.actor.loadGifts': [
        describeCase('some', { output: [createGift(), scheduledGift, redeemedGift] }),
        describeCase('none', { output: [] }, 'Take a customer who has given nothing'),
        describeCase('the server lists none', { output: null }, 'Let a proxy answer /api/user/gifts with 404'),
      ],
      'xstate.error.actor.loadGifts': toRejectionCases(problems.offline),
      'resend.pressed': [
        describeCase('that was sent', { giftId: 'g1' }),
        describeCase('that waits for its day', { giftId: 'g2' }),
      ],
      'correct.pressed': [
        describeCase('that was sent', { giftId: 'g1' }),
        describeCase('that waits for its day', { giftId: 'g2' }),
        describeCase('that was opened', { giftId: 'g3' }),
      ],
      'address.submitted': [{ pii: { form: { email: 'bob@example.com' } } }],
      'address.rejected': [{ fields: { email: 'email' } }],
      'xstate.done.actor.sendGift': [
        describeCase(
          'it goes out',
          { output: createGift({ status: 'sending', pii: correctedRecipient }) },
          'Wait until its last e-mail is ten minutes old',
        ),
        describeCase('it waits for its day', { output: { ...scheduledGift, pii: correctedRecipient } }),
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
