import type { giftMachine } from '../../../buying/gift.ts';
import type { GiftOffer } from '../../../buying/gift-context.ts';
import type { Order, PaymentOutput } from '../../../buying/payment.ts';
import { payableIds } from '../../../model/cart.ts';
import { isFree } from '../../../model/price.ts';
import type { GiftForm } from '../../../model/gift.ts';
import { cartCheckoutPath, cartGiftPath, giftPath, titlePath } from '../../../model/paths.ts';
import { answerOf, askedOf, failureOf, rulesFor, toldOf, type MomentOf } from '../../../paths/rules.ts';
import { sentFormRules } from '../../form-rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { wayRules } from '../../way-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof giftMachine>();
type Moment = MomentOf<typeof giftMachine>;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const endedIn = (moment: Moment): PaymentOutput | undefined => answerOf<PaymentOutput>(moment, 'payment');

const isPaying = (moment: Moment): boolean => askedOf(moment, 'payment') !== undefined;

/** Money is paid for it, and tax on that; credits are not taxed. */
const isTaxed = ({ context: { addsTax, title, cart, withCredits } }: Moment['snapshot']): boolean =>
  addsTax === true && withCredits !== true && (cart !== undefined || (title !== null && !isFree(title)));

const goesTo = (moment: Moment, to: string): boolean => toldOf(moment, 'go').some((told) => told['to'] === to);

const isOfForm = ({ outcome, problem }: PaymentOutput): boolean =>
  outcome === 'failed' && problem?.kind === 'refused' && ['gift_day', 'gift_info'].includes(problem.code);

export const rules: Record<string, MachineRules> = {
  gift: {
    rules: [
      ...sentFormRules({ event: 'gift', port: 'giftLetter', asking: 'writing', sending: 'previewing' }).filter(
        // The title stands beside the form.
        ({ name }) => name !== 'the server is asked about the form that was sent',
      ),
      always('the letter that is asked for is that of the form that was sent', (moment) => {
        const asked = askedOf<{ titleId: string; titleIds?: string[]; pii: { form: GiftForm } }>(moment, 'giftLetter');
        if (asked === undefined) return true;
        const { titleId, cart } = moment.snapshot.context;
        const titleIds = cart === undefined ? undefined : payableIds(cart);
        return same([asked.titleId, asked.titleIds, asked.pii], [titleId, titleIds, moment.event['pii']]);
      }),
      always('what can be given is offered; an unfinished payment of it is taken up', (moment) => {
        const offer = answerOf<GiftOffer>(moment, 'giftOffer');
        if (offer === undefined) return true;
        const { value, context } = moment.snapshot;
        const given = [offer.title, offer.cart, offer.price, offer.key];
        if (!same([context.title, context.cart, context.price, context.key], given)) return false;
        if (offer.transId !== null) return value === 'paying';
        const isForSale = offer.cart === undefined ? offer.title?.forSale === true : offer.cart.total !== null;
        if (!isForSale) return value === 'notForSale';
        return value === (offer.title?.free === true ? 'writing' : 'readingCards') && same(context.pii.form, offer.pii.draft);
      }),
      ...wayRules({ shown: 'checking', next: 'writing' }),
      invariant('no card pays that is not shown', ({ value, context: { cards, cardId } }) => {
        return !['writing', 'previewing', 'checking'].includes(value) || cardId === null || cards.some(({ id }) => id === cardId);
      }),
      onlyAfter('nothing new is paid for whose letter the giver has not seen', {
        cause: ({ snapshot }) => snapshot.matches('checking'),
        what: (moment) => isPaying(moment) && moment.snapshot.context.transId === null,
        each: true,
      }),
      always('what is paid is what was shown: this title, this price, this card, for this recipient', (moment) => {
        const asked = askedOf<Order>(moment, 'payment');
        if (asked === undefined) return true;
        const { titleId, cart, price, cardId, key, transId, pii, withCredits, credits } = moment.snapshot.context;
        const titleIds = cart === undefined ? undefined : payableIds(cart);
        return same(
          [
            asked.titleId,
            asked.titleIds,
            asked.price,
            asked.cardId,
            asked.key,
            asked.transId,
            asked.gift?.pii.form,
            asked.credits?.amount,
          ],
          [titleId, titleIds, price, cardId, key, transId, pii.form, withCredits === true ? credits : undefined],
        );
      }),
      always('credits pay where they are chosen, there are enough, and the store takes them; no card does then', (moment) => {
        const { event, before, snapshot } = moment;
        const { withCredits, credits = Infinity, balance, cardId } = snapshot.context;
        if (event.type === 'credits.chosen' && before?.matches('checking') === true) {
          const isEnough = balance?.accepted === true && balance.balance >= credits;
          if (isEnough && withCredits !== true) return false;
          if (!isEnough) return withCredits === before.context.withCredits;
        }
        return withCredits !== true || (cardId === null && snapshot.context.cart === undefined);
      }),
      always('nobody pays without a press; what is taken up is only asked about', (moment) => {
        return !isPaying(moment) || moment.event.type === 'pay.pressed' || moment.snapshot.context.transId !== null;
      }),
      always('a press on Pay pays', (moment) => {
        if (moment.event.type !== 'pay.pressed' || moment.before?.matches('checking') !== true) return true;
        return isPaying(moment) === (!isTaxed(moment.before) || Boolean(moment.before.context.tax));
      }),
      always('what is paid is paid with the tax that is shown', (moment) => {
        const asked = askedOf<Order>(moment, 'payment');
        if (asked === undefined || asked.transId !== null) return true;
        return isTaxed(moment.snapshot)
          ? asked.tax !== undefined && same(asked.tax, moment.snapshot.context.tax)
          : asked.tax === undefined;
      }),
      always('a price that is no longer so is not paid', (moment) => {
        if (moment.event.type !== 'tax.outdated' || moment.before?.matches('checking') !== true) return true;
        return moment.snapshot.matches('priceChanged');
      }),
      always('who changes something finds the form as it was', (moment) => {
        if (moment.event.type !== 'change.pressed' || moment.before?.matches('checking') !== true) return true;
        const { pii } = moment.snapshot.context;
        return moment.snapshot.matches('writing') && same(pii, { form: moment.before.context.pii.form, letter: null });
      }),
      always('the payment’s page is gone to, and a customer who comes back from it is heard', (moment) => {
        const { event, before, effects } = moment;
        if (!['leave', 'page.returned'].includes(event.type) || before?.matches('paying') !== true) return true;
        return effects.some((effect) => effect.kind === 'send' && effect.event.type === event.type);
      }),
      onlyAfter('the success page comes only when a payment has succeeded', {
        cause: (moment) => endedIn(moment)?.outcome === 'succeeded',
        what: ({ snapshot }) => snapshot.matches('succeeded'),
      }),
      always('a payment is shown as what it has ended as', (moment) => {
        const ended = endedIn(moment);
        if (ended === undefined) return true;
        const { value } = moment.snapshot;
        if (isOfForm(ended) && moment.before?.context.days != null)
          return (value === 'writing' || value === 'readingCards') && moment.snapshot.context.transId === null;
        return value === (ended.outcome === 'none' ? 'quoting' : ended.outcome);
      }),
      always('the success page is that of the payment, and says that it was a gift', (moment) => {
        const ended = endedIn(moment);
        const path = moment.snapshot.context.ofCart ? '/cart/purchase/success' : '/title/purchase/success';
        return ended?.outcome !== 'succeeded' || goesTo(moment, `${path}?transId=${ended.transId ?? ''}&isgift=true`);
      }),
      always('why a payment has failed is said', (moment) => {
        const ended = endedIn(moment);
        return ended?.outcome !== 'failed' || same(moment.snapshot.context.problem, ended.problem);
      }),
      always('a title that cannot be asked about is not to be had now, and one that is not there never', (moment) => {
        const problem = failureOf(moment, 'giftOffer');
        if (problem === null) return true;
        const isMissing =
          (problem.kind === 'refused' && problem.code === 'not_found') || (problem.kind === 'http' && problem.status === 404);
        return moment.snapshot.value === (isMissing ? 'notFound' : 'unavailable');
      }),
      always('to try again is a new payment for the title', (moment) => {
        const { event, before, snapshot } = moment;
        if (event.type !== 'retry.pressed' || moment.fired.length === 0) return true;
        const { ofCart, titleId } = snapshot.context;
        const isNamed = before?.matches('unavailable') === true || goesTo(moment, ofCart ? cartGiftPath : giftPath(titleId));
        return isNamed && askedOf(moment, 'giftOffer') !== undefined && snapshot.matches('quoting');
      }),
      always('Back leads to the title, or to the cart’s checkout', (moment) => {
        const isBack = moment.event.type === 'cancel.pressed' && moment.before?.matches('writing') === true;
        const { title, titleId, ofCart } = moment.snapshot.context;
        return !isBack || goesTo(moment, ofCart ? cartCheckoutPath : titlePath(titleId, title?.name ?? ''));
      }),
      invariant('whoever tries again after an end begins a new payment', ({ value, context }) => {
        const isOver = ['failed', 'cancelled', 'priceChanged'].includes(value);
        return !isOver || (context.key === null && context.transId === null);
      }),
      invariant('a store without gifts takes none', ({ value, context }) => {
        return context.offers || ['notOffered', 'paying'].includes(value);
      }),
      always('a payment that has ended is forgotten, and what was written, once it is sent', (moment) => {
        const ids = {
          succeeded: 'forgetSent',
          failed: 'forgetFailed',
          cancelled: 'forgetCancelled',
          priceChanged: 'forgetPrice',
        } as const;
        const id = ids[moment.snapshot.value as keyof typeof ids];
        if (id === undefined || moment.before?.value === moment.snapshot.value) return true;
        const asked = askedOf<{ isSent: boolean }>(moment, id);
        return asked !== undefined && asked.isSent === (id === 'forgetSent');
      }),
      leadsTo('a title that is asked for is shown, or a word why not', {
        after: (moment) => askedOf(moment, 'giftOffer') !== undefined,
        to: ({ snapshot }) => !snapshot.matches('quoting'),
      }),
      leadsTo('who presses Pay comes to an end', { after: isPaying, to: ({ snapshot }) => !snapshot.matches('paying') }),
    ],
    pii: {
      'gift.readingCards': 'what was written before comes back with the form',
      'gift.readingCredits': 'what was written before comes back with the form, and the cards for the next step',
      'gift.writing': 'the form shows what was written; beside it stand the cards for the next step',
      'gift.previewing': 'the form is on its way to the server',
      'gift.checking': 'the letter is shown; a card is chosen by its kind and its last digits',
      'gift.paying': 'the recipient goes along with the payment',
    },
    ledOn: {
      'gift.succeeded': 'the app shows the success page, as it was told to',
      'gift.notFound': 'the way to the shop',
    },
  },
};
