import { isGift } from '../../../buying/purchase/offer.ts';
import type { purchaseMachine } from '../../../buying/purchase/purchase.ts';
import type { PaymentOutput } from '../../../buying/payment-setup.ts';
import { getPayableIds } from '../../../model/buying/cart.ts';
import type { GiftForm } from '../../../model/buying/gift.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, isSame, type MomentOf, type Rule } from '../../../paths/rules.ts';
import { createSentFormRules } from '../../form-rules.ts';

const { always, invariant, never, onlyAfter } = rulesFor<typeof purchaseMachine>();
type Moment = MomentOf<typeof purchaseMachine>;

/** A new payment starts, not a resumed one. */
const startsNewPayment = (moment: Moment): boolean =>
  getPortInput(moment, 'payment') !== undefined && moment.snapshot.context.transId === null;

/** The giver must change the form. */
export const isFormProblem = ({ outcome, problem }: PaymentOutput): boolean =>
  outcome === 'failed' &&
  problem?.kind === 'refused' &&
  ['gift_day', 'gift_info', 'gift_link', 'giver_link'].includes(problem.code);

/** The rules of a gift. */
export const giftRules: Rule[] = [
  ...createSentFormRules({ event: 'gift', port: 'giftPreview', asking: 'writing', sending: 'previewing' }).filter(
    // The input of `giftPreview` contains the title as well as the form.
    ({ name }) => name !== 'the server is asked about the form that was sent',
  ),
  always('the letter that is asked for is that of the form that was sent', (moment) => {
    const asked = getPortInput<{ titleId: string; titleIds: string[] | null; pii: { form: GiftForm } }>(moment, 'giftPreview');
    if (asked === undefined) return true;
    const { titleId, cart } = moment.snapshot.context;
    const titleIds = cart === null ? null : getPayableIds(cart);
    return isSame([asked.titleId, asked.titleIds, asked.pii], [titleId, titleIds, moment.event['pii']]);
  }),
  onlyAfter('no new gift is paid for whose letter the giver has not seen', {
    cause: (moment) => moment.snapshot.matches('ready'),
    what: (moment) => isGift(moment.snapshot.context) && startsNewPayment(moment),
    each: true,
  }),
  never('a gift is never paid when its preview failed', {
    after: (moment) => getPortProblem(moment, 'giftPreview') !== null,
    until: (moment) => getPortOutput(moment, 'giftPreview') !== undefined,
    what: startsNewPayment,
  }),
  always('the letter that is shown is the one that was answered', (moment) => {
    const answered = getPortOutput<{ pii: { preview: unknown } }>(moment, 'giftPreview');
    return (
      answered === undefined ||
      (moment.snapshot.matches('ready') && isSame(moment.snapshot.context.pii.preview, answered.pii.preview))
    );
  }),
  always('who changes something finds the form as it was', (moment) => {
    const { event, before, snapshot } = moment;
    if (event.type !== 'change.pressed' || before?.matches('ready') !== true) return true;
    if (!isGift(before.context)) return snapshot.matches('ready');
    return snapshot.matches('writing') && isSame(snapshot.context.pii, { ...before.context.pii, preview: null });
  }),
  always('a form that the payment refuses is shown again, with why, and the same gift is paid anew', (moment) => {
    const ended = getPortOutput<PaymentOutput>(moment, 'payment');
    const { before, snapshot } = moment;
    if (ended === undefined || before === null || !isFormProblem(ended) || before.context.days === null) return true;
    const { key, transId, problem, pii } = snapshot.context;
    const isKept = key === before.context.key && transId === null && isSame(pii.gift, before.context.pii.gift);
    return ['writing', 'readingCards'].includes(snapshot.value) && isKept && isSame(problem, ended.problem);
  }),
  invariant('only what is given has a recipient', ({ context }) => isGift(context) || context.pii.gift === null),
  invariant('what was wrong with a code is not said of the form', ({ value, context }) => {
    return value !== 'writing' || context.codeProblem === null;
  }),
];
