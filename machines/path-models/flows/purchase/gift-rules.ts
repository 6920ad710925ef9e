import { isGift } from '../../../buying/purchase/offer.ts';
import type { purchaseMachine } from '../../../buying/purchase/purchase.ts';
import type { PaymentOutput } from '../../../buying/payment-setup.ts';
import { getPayableIds } from '../../../model/buying/cart.ts';
import type { GiftForm } from '../../../model/buying/gift.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, type MomentOf, type Rule } from '../../../paths/rules.ts';
import { createSubmittedFormRules } from '../../form-rules.ts';
import { isSameJson } from '../../../same-json.ts';

const { always, invariant, never, onlyAfter } = rulesFor<typeof purchaseMachine>();
type Moment = MomentOf<typeof purchaseMachine>;

/** Whether a new payment starts in this step, not a resumed one. */
const startsNewPayment = (moment: Moment): boolean =>
  getPortInput(moment, 'payment') !== undefined && moment.snapshot.context.transId === null;

/** Whether a payment failed for a reason that the giver can correct in the form. */
export const isFormProblem = ({ outcome, problem }: PaymentOutput): boolean =>
  outcome === 'failed' &&
  problem?.kind === 'refused' &&
  ['gift_day', 'gift_info', 'gift_link', 'giver_link'].includes(problem.code);

/** The rules about the form and the e-mail preview of a gift. */
export const giftRules: Rule[] = [
  ...createSubmittedFormRules({ event: 'gift', port: 'giftPreview', editingState: 'writing', sendingState: 'previewing' }).filter(
    // Replaced by the next rule: the input of `giftPreview` has the goods in addition to the form.
    ({ name }) => name !== 'the submitted form is sent to the server unchanged',
  ),
  always('the e-mail preview is requested for the goods and the submitted form', (moment) => {
    const input = getPortInput<{ titleId: string; titleIds: string[] | null; pii: { form: GiftForm } }>(moment, 'giftPreview');
    if (input === undefined) return true;
    const { titleId, cart } = moment.snapshot.context;
    const titleIds = cart === null ? null : getPayableIds(cart);
    return isSameJson([input.titleId, input.titleIds, input.pii], [titleId, titleIds, moment.event['pii']]);
  }),
  onlyAfter('a new gift is paid only after the summary with its e-mail was shown', {
    cause: (moment) => moment.snapshot.matches('ready'),
    what: (moment) => isGift(moment.snapshot.context) && startsNewPayment(moment),
    each: true,
  }),
  never('a gift is never paid when its preview failed', {
    after: (moment) => getPortProblem(moment, 'giftPreview') !== null,
    until: (moment) => getPortOutput(moment, 'giftPreview') !== undefined,
    what: startsNewPayment,
  }),
  always('the shown e-mail preview is that of the server’s answer', (moment) => {
    const previewOutput = getPortOutput<{ pii: { preview: unknown } }>(moment, 'giftPreview');
    return (
      previewOutput === undefined ||
      (moment.snapshot.matches('ready') && isSameJson(moment.snapshot.context.pii.preview, previewOutput.pii.preview))
    );
  }),
  always('Change reopens the form of a gift as it was', (moment) => {
    const { event, before, snapshot } = moment;
    if (event.type !== 'change.pressed' || before?.matches('ready') !== true) return true;
    if (!isGift(before.context)) return snapshot.matches('ready');
    return snapshot.matches('writing') && isSameJson(snapshot.context.pii, { ...before.context.pii, preview: null });
  }),
  always('a form that the payment refuses is shown again with its problem, and keeps its key', (moment) => {
    const payment = getPortOutput<PaymentOutput>(moment, 'payment');
    const { before, snapshot } = moment;
    if (payment === undefined || before === null || !isFormProblem(payment) || before.context.days === null) return true;
    const { key, transId, problem, pii } = snapshot.context;
    const isKept = key === before.context.key && transId === null && isSameJson(pii.gift, before.context.pii.gift);
    return ['writing', 'readingCards'].includes(snapshot.value) && isKept && isSameJson(problem, payment.problem);
  }),
  invariant('only a gift has a recipient', ({ context }) => isGift(context) || context.pii.gift === null),
  invariant('the form of a gift shows no problem of a code', ({ value, context }) => {
    return value !== 'writing' || context.codeProblem === null;
  }),
];
