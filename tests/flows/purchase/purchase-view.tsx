import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect } from 'vitest';
import type { NewPrice, Offer, OfferRequest, Repricing } from '../../../machines/buying/purchase/offer.ts';
import { purchaseMachine } from '../../../machines/buying/purchase/purchase.ts';
import { paymentMachine } from '../../../machines/buying/payment.ts';
import type { Confirmation, OpenOrder, Order, PurchaseState } from '../../../machines/buying/payment-setup.ts';
import type { FlowInput } from '../../../machines/flows/flow-input.ts';
import type { Card } from '../../../machines/model/buying/card.ts';
import type { GiftForm, GiftLetter } from '../../../machines/model/buying/gift.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import type { PaidFor, PaymentSession } from '../../../machines/model/buying/purchase.ts';
import type { RedeemForm } from '../../../machines/model/buying/redeem.ts';
import type { CreditBalance } from '../../../machines/model/buying/subscription.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { PurchaseView } from '../../../src/flows/purchase/PurchaseView.tsx';
import { letter as usualLetter, titleOffer } from '../../support/purchase.ts';
import { answers, flowInput, store as shopStore, underShop, waits, type Port } from '../../support/views/flow.ts';
import { pressable, show, stateOf } from '../../support/views/show.tsx';

export const session: PaymentSession = { transId: 't1', provider: 'test', url: 'https://pay.example/1' };
export const stands = (status: PurchaseState['status'], more: Partial<PurchaseState> = {}): PurchaseState => ({
  transId: 't1',
  titleId: '',
  status,
  intentId: 'in1',
  url: status === 'pending' ? session.url : null,
  reason: null,
  ...more,
});

type Coded = Repricing & { pii: { form: RedeemForm | null } };
type Asked = { titleId: string; titleIds: readonly string[] | null; pii: { form: GiftForm | null } };

/** The answers of the ports: an output, a refusal, or no answer at all (`waits`). */
export type Parts = {
  params?: Record<string, string>;
  more?: Partial<FlowInput>;
  offer?: Offer | Problem | 'waits';
  cards?: Card[];
  balance?: CreditBalance | Problem;
  /** The offer with a code; without it the usual offer is there again. */
  code?: Partial<Offer> | Problem;
  letter?: GiftLetter | Problem | null;
  starts?: PaymentSession | Problem | 'waits';
  byCard?: PurchaseState | Problem;
  status?: PurchaseState | Problem | 'waits';
  confirms?: Problem | 'waits';
};

const isProblem = (value: unknown): value is Problem => typeof value === 'object' && value !== null && 'kind' in value;

const portOf = <Output, Input extends object | undefined>(
  answer: Output | Problem | 'waits',
  heard: (input: Input) => void = () => undefined,
): Port<Output, Input> =>
  answer === 'waits'
    ? waits()
    : requestPort<Output, Input>(async ({ input }) => {
        heard(input);
        if (isProblem(answer)) return Promise.reject(answer as unknown as Error);
        return answer as Output;
      });

/** A purchase on the screen, in a world that answers so. */
export const start = (parts: Parts = {}) => {
  const { params = { titleid: '1001' }, offer = titleOffer(), cards = [], starts = session, letter = usualLetter } = parts;
  const [asked, paid, forgotten, typed]: [Asked[], Order[], boolean[], unknown[]] = [[], [], [], []];
  const priceIn = (given: Partial<Offer>): NewPrice => {
    const { cart, plan, price } = { ...(offer as Offer), ...given };
    return { cart, plan, price, isReduced: false, key: 'k2' };
  };
  const code: Partial<Offer> | Problem = parts.code ?? { kind: 'offline' };
  const machine = purchaseMachine.provide({
    actors: {
      payment: paymentMachine.provide({
        actors: {
          startPayment: portOf<PaymentSession, Order>(starts, (order) => paid.push(order)),
          payByCard: portOf<PurchaseState, Order>(parts.byCard ?? stands('authorized')),
          confirmPayment: portOf<null, Confirmation>(parts.confirms ?? null),
          paymentStatus: portOf<PurchaseState, OpenOrder>(parts.status ?? stands('authorized')),
        },
      }),
      loadOffer: portOf<Offer, OfferRequest>(offer),
      applyCode: portOf<NewPrice, Coded>(
        isProblem(code) ? code : { ...priceIn(code as Partial<Offer>), isReduced: true },
        (input) => typed.push(input.pii.form?.code),
      ),
      removeCode: portOf<NewPrice, Repricing>(priceIn({})),
      keptCards: answers<Card[], undefined>(cards),
      creditBalance: portOf<CreditBalance, undefined>(parts.balance ?? 'waits'),
      giftLetter: portOf<{ pii: { letter: GiftLetter | null } }, Asked>(
        isProblem(letter) ? letter : { pii: { letter } },
        (input) => asked.push(input),
      ),
      forgetPending: safePort<null, { of: PaidFor; titleId: string; isPaid: boolean }>(
        async ({ input }) => {
          forgotten.push(input.isPaid);
          return null;
        },
        () => null,
      ),
    },
  });
  const { store = shopStore } = parts.more ?? {};
  const { actor, told } = underShop(machine, flowInput(params, parts.more));
  const container = show(<PurchaseView actor={actor} />, '/', store);
  return {
    container,
    told,
    /** The events that lead to another page. */
    gone: () => told.filter(({ type }) => type === 'go' || type === 'leave'),
    asked,
    paid,
    forgotten,
    typed,
    isIn: (value: string) => waitFor(() => expect(stateOf(container, 'purchase')).toBe(value)),
    press: (event: string) => userEvent.click(pressable(container, event)),
  };
};

export const heading = (): string | null => screen.getByRole('heading', { level: 1 }).textContent;

/** Fills in whom a gift is for, and what is said to them. */
export const write = async (container: HTMLElement) => {
  await userEvent.type(screen.getByLabelText('Recipient’s name'), 'Bo Quay');
  await userEvent.type(screen.getByLabelText('Recipient’s email address'), 'bo@example.com');
  await userEvent.type(screen.getByLabelText('Your message (optional)'), 'Happy birthday!');
  await userEvent.click(pressable(container, 'gift.submitted'));
};
