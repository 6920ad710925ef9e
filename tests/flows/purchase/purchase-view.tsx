import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect } from 'vitest';
import type { NewPrice, Offer, OfferRequest, PriceRequest } from '../../../machines/buying/purchase/offer.ts';
import { purchaseMachine } from '../../../machines/buying/purchase/purchase.ts';
import { paymentMachine } from '../../../machines/buying/payment.ts';
import type { Confirmation, OpenOrder, Order, PurchaseState } from '../../../machines/buying/payment-setup.ts';
import type { FlowInput } from '../../../machines/flows/flow-input.ts';
import type { Card } from '../../../machines/model/buying/card.ts';
import type { GiftForm, GiftPreview } from '../../../machines/model/buying/gift.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import type { PaidFor, PaymentSession } from '../../../machines/model/buying/purchase.ts';
import type { RedeemForm } from '../../../machines/model/buying/redeem.ts';
import type { CreditBalance } from '../../../machines/model/buying/subscription.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { PurchaseView } from '../../../src/flows/purchase/PurchaseView.tsx';
import { preview as usualPreview, makeTitleOffer } from '../../support/purchase.ts';
import {
  answeringPort,
  makeFlowInput,
  store as shopStore,
  startUnderShop,
  pendingPort,
  type Port,
} from '../../support/views/flow.ts';
import { findPressable, renderInShop, readState } from '../../support/views/show.tsx';

export const session: PaymentSession = { transId: 't1', provider: 'test', url: 'https://pay.example/1' };
export const createPurchaseState = (status: PurchaseState['status'], overrides: Partial<PurchaseState> = {}): PurchaseState => ({
  transId: 't1',
  titleId: '',
  status,
  intentId: 'in1',
  url: status === 'pending' ? session.url : null,
  reason: null,
  ...overrides,
});

type CodeRequest = PriceRequest & { pii: { form: RedeemForm | null } };
type QuoteRequest = { titleId: string; titleIds: readonly string[] | null; pii: { form: GiftForm | null } };

/**
 * The address, and the answers of the ports: an output, a problem, or no answer at all (`waits`).
 */
export type PurchaseSetup = {
  params?: Record<string, string>;
  flowInput?: Partial<FlowInput>;
  offer?: Offer | Problem | 'waits';
  cards?: Card[];
  balance?: CreditBalance | Problem;
  /**
   * The changes of the offer by a code, or the problem of its lookup; removing it undoes the
   * changes.
   */
  code?: Partial<Offer> | Problem;
  preview?: GiftPreview | Problem | null;
  paymentStart?: PaymentSession | Problem | 'waits';
  cardPayment?: PurchaseState | Problem;
  status?: PurchaseState | Problem | 'waits';
  confirmation?: Problem | 'waits';
};

const isProblem = (value: unknown): value is Problem => typeof value === 'object' && value !== null && 'kind' in value;

const createPort = <Output, Input extends object | undefined>(
  response: Output | Problem | 'waits',
  onInput: (input: Input) => void = () => undefined,
): Port<Output, Input> =>
  response === 'waits'
    ? pendingPort()
    : requestPort<Output, Input>(async ({ input }) => {
        onInput(input);
        if (isProblem(response)) return Promise.reject(response as unknown as Error);
        return response as Output;
      });

/** Renders a purchase whose ports give these answers. */
export const start = (setup: PurchaseSetup = {}) => {
  const {
    params = { titleid: '1001' },
    offer = makeTitleOffer(),
    cards = [],
    paymentStart = session,
    preview = usualPreview,
  } = setup;
  const [previewRequests, orders, forgottenPayments, typedCodes]: [QuoteRequest[], Order[], boolean[], unknown[]] = [
    [],
    [],
    [],
    [],
  ];
  const createNewPrice = (overrides: Partial<Offer>): NewPrice => {
    const { cart, plan, price } = { ...(offer as Offer), ...overrides };
    return { cart, plan, price, isReduced: false, key: 'k2' };
  };
  const code: Partial<Offer> | Problem = setup.code ?? { kind: 'offline' };
  const machine = purchaseMachine.provide({
    actors: {
      payment: paymentMachine.provide({
        actors: {
          startPayment: createPort<PaymentSession, Order>(paymentStart, (order) => orders.push(order)),
          payByCard: createPort<PurchaseState, Order>(setup.cardPayment ?? createPurchaseState('authorized')),
          confirmPayment: createPort<null, Confirmation>(setup.confirmation ?? null),
          paymentStatus: createPort<PurchaseState, OpenOrder>(setup.status ?? createPurchaseState('authorized')),
        },
      }),
      loadOffer: createPort<Offer, OfferRequest>(offer),
      applyCode: createPort<NewPrice, CodeRequest>(
        isProblem(code) ? code : { ...createNewPrice(code as Partial<Offer>), isReduced: true },
        (input) => typedCodes.push(input.pii.form?.code),
      ),
      removeCode: createPort<NewPrice, PriceRequest>(createNewPrice({})),
      savedCards: answeringPort<Card[], undefined>(cards),
      creditBalance: createPort<CreditBalance, undefined>(setup.balance ?? 'waits'),
      giftPreview: createPort<{ pii: { preview: GiftPreview | null } }, QuoteRequest>(
        isProblem(preview) ? preview : { pii: { preview } },
        (input) => previewRequests.push(input),
      ),
      forgetPending: safePort<null, { of: PaidFor; titleId: string; isPaid: boolean }>(
        async ({ input }) => {
          forgottenPayments.push(input.isPaid);
          return null;
        },
        () => null,
      ),
    },
  });
  const { store = shopStore } = setup.flowInput ?? {};
  const { actor, receivedEvents } = startUnderShop(machine, makeFlowInput(params, setup.flowInput));
  const container = renderInShop(<PurchaseView actor={actor} />, '/', store);
  return {
    container,
    receivedEvents,
    /** The events that navigate to another page. */
    getNavigations: () => receivedEvents.filter(({ type }) => type === 'go' || type === 'leave'),
    previewRequests,
    orders,
    forgottenPayments,
    typedCodes,
    waitForState: (value: string) => waitFor(() => expect(readState(container, 'purchase')).toBe(value)),
    press: (event: string) => userEvent.click(findPressable(container, event)),
  };
};

export const readHeading = (): string | null => screen.getByRole('heading', { level: 1 }).textContent;

/** Fills in the recipient and the message of a gift. */
export const writeGift = async (container: HTMLElement) => {
  await userEvent.type(screen.getByLabelText('Recipient’s name'), 'Bo Quay');
  await userEvent.type(screen.getByLabelText('Recipient’s email address'), 'bo@example.com');
  await userEvent.type(screen.getByLabelText('Your message (optional)'), 'Happy birthday!');
  await userEvent.click(findPressable(container, 'gift.submitted'));
};
