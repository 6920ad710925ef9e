import { giftsMachine } from '../../../account/gifts.ts';
import type { GivenGift } from '../../../model/buying/gift.ts';
import type { Problem } from '../../../model/problem.ts';
import { described } from '../../description.ts';
import { problems, rejections, type PathModel } from '../../path-model.ts';
import { giftsDescription } from './gifts-description.ts';

export const given = (part: Partial<GivenGift> = {}): GivenGift => ({
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
  ...part,
});

const scheduled = given({ giftId: 'g2', deliverOn: '2026-12-24', sentAt: '', status: 'scheduled' });
const opened = given({ giftId: 'g3', redeemedAt: '2026-01-02T10:00:00.000Z', status: 'redeemed' });
const corrected = { name: 'Bo Quay', email: 'bob@example.com' };

const refused = (code: string): Problem => ({ kind: 'refused', code, message: 'Not now' });

export const giftModels: PathModel[] = [
  {
    name: 'gifts',
    machine: giftsMachine,
    description: giftsDescription,
    given:
      'Signed in, with three titles given (“Give as a gift”): one that was sent, one that waits for a later day, and one whose code, in data/outbox, another customer has redeemed; open /account.',
    cases: {
      'xstate.done.actor.loadGifts': [
        described('some', { output: [given(), scheduled, opened] }),
        described('none', { output: [] }, 'Take a customer who has given nothing'),
        described('the server lists none', { output: null }, 'Let a proxy answer /api/user/gifts with 404'),
      ],
      'xstate.error.actor.loadGifts': rejections(problems.offline),
      'resend.pressed': [described('that was sent', { giftId: 'g1' }), described('that waits for its day', { giftId: 'g2' })],
      'correct.pressed': [
        described('that was sent', { giftId: 'g1' }),
        described('that waits for its day', { giftId: 'g2' }),
        described('that was opened', { giftId: 'g3' }),
      ],
      'address.submitted': [{ pii: { form: { email: 'bob@example.com' } } }],
      'address.rejected': [{ fields: { email: 'email' } }],
      'xstate.done.actor.sendGift': [
        described(
          'it goes out',
          { output: given({ status: 'sending', pii: corrected }) },
          'Wait until its last letter is ten minutes old',
        ),
        described('it waits for its day', { output: { ...scheduled, pii: corrected } }),
      ],
      'xstate.error.actor.sendGift': [
        described(
          'it has been opened meanwhile',
          { error: refused('gift_redeemed') },
          'In another browser redeem the code of its letter, in `data/outbox`',
        ),
        described('it was sent a moment ago', { error: refused('gift_just_sent') }, 'Send it again once, within ten minutes'),
        ...rejections(problems.offline),
      ],
    },
  },
];
