import { isGift } from '../../../buying/purchase/offer.ts';
import type { purchaseMachine } from '../../../buying/purchase/purchase.ts';
import type { PaymentOutput } from '../../../buying/payment-setup.ts';
import { payableIds } from '../../../model/buying/cart.ts';
import type { GiftForm } from '../../../model/buying/gift.ts';
import { answerOf, askedOf, failureOf, rulesFor, same, type MomentOf, type Rule } from '../../../paths/rules.ts';
import { sentFormRules } from '../../form-rules.ts';

const { always, invariant, never, onlyAfter } = rulesFor<typeof purchaseMachine>();
type Moment = MomentOf<typeof purchaseMachine>;

/** A new payment begins, not one that is taken up. */
const paysAnew = (moment: Moment): boolean =>
  askedOf(moment, 'payment') !== undefined && moment.snapshot.context.transId === null;

/** The giver has to change what they wrote. */
export const isOfForm = ({ outcome, problem }: PaymentOutput): boolean =>
  outcome === 'failed' &&
  problem?.kind === 'refused' &&
  ['gift_day', 'gift_info', 'gift_link', 'giver_link'].includes(problem.code);

/** The rules of a gift. */
export const giftRules: Rule[] = [
  ...sentFormRules({ event: 'gift', port: 'giftLetter', asking: 'writing', sending: 'previewing' }).filter(
    // The title is beside the form.
    ({ name }) => name !== 'the server is asked about the form that was sent',
  ),
  always('the letter that is asked for is that of the form that was sent', (moment) => {
    const asked = askedOf<{ titleId: string; titleIds: string[] | null; pii: { form: GiftForm } }>(moment, 'giftLetter');
    if (asked === undefined) return true;
    const { titleId, cart } = moment.snapshot.context;
    const titleIds = cart === null ? null : payableIds(cart);
    return same([asked.titleId, asked.titleIds, asked.pii], [titleId, titleIds, moment.event['pii']]);
  }),
  onlyAfter('no new gift is paid for whose letter the giver has not seen', {
    cause: (moment) => moment.snapshot.matches('ready'),
    what: (moment) => isGift(moment.snapshot.context) && paysAnew(moment),
    each: true,
  }),
  never('a gift is never paid when its preview failed', {
    after: (moment) => failureOf(moment, 'giftLetter') !== null,
    until: (moment) => answerOf(moment, 'giftLetter') !== undefined,
    what: paysAnew,
  }),
  always('the letter that is shown is the one that was answered', (moment) => {
    const answered = answerOf<{ pii: { letter: unknown } }>(moment, 'giftLetter');
    return (
      answered === undefined ||
      (moment.snapshot.matches('ready') && same(moment.snapshot.context.pii.letter, answered.pii.letter))
    );
  }),
  always('who changes something finds the form as it was', (moment) => {
    const { event, before, snapshot } = moment;
    if (event.type !== 'change.pressed' || before?.matches('ready') !== true) return true;
    if (!isGift(before.context)) return snapshot.matches('ready');
    return snapshot.matches('writing') && same(snapshot.context.pii, { ...before.context.pii, letter: null });
  }),
  always('a form that the payment refuses is shown again, with why, and the same gift is paid anew', (moment) => {
    const ended = answerOf<PaymentOutput>(moment, 'payment');
    const { before, snapshot } = moment;
    if (ended === undefined || before === null || !isOfForm(ended) || before.context.days === null) return true;
    const { key, transId, problem, pii } = snapshot.context;
    const isKept = key === before.context.key && transId === null && same(pii.gift, before.context.pii.gift);
    return ['writing', 'readingCards'].includes(snapshot.value) && isKept && same(problem, ended.problem);
  }),
  invariant('only what is given has a recipient', ({ context }) => isGift(context) || context.pii.gift === null),
  invariant('what was wrong with a code is not said of the form', ({ value, context }) => {
    return value !== 'writing' || context.codeProblem === null;
  }),
];
