import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect } from 'vitest';
import { giftMachine } from '../../../machines/buying/gift.ts';
import type { GiftOffer, GiftRequest } from '../../../machines/buying/gift-context.ts';
import { paymentMachine, type Order, type PurchaseState } from '../../../machines/buying/payment.ts';
import type { Card } from '../../../machines/model/card.ts';
import type { GiftForm, GiftLetter } from '../../../machines/model/gift.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import type { PaymentSession } from '../../../machines/model/purchase.ts';
import type { CreditBalance } from '../../../machines/model/subscription.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { GiftView } from '../../../src/flows/gift/GiftView.tsx';
import { answers, flowInput, rejects, underShop } from '../../support/views/flow.ts';
import { pressable, show, stateOf } from '../../support/views/show.tsx';
import { store as shopStore } from '../../../machines/path-models/path-model.ts';
import { letter, offer } from '../../../machines/path-models/flows/gift/paths.ts';

export const visa: Card = { id: 'c1', isDefault: true, isExpired: false, pii: { brand: 'Visa', last4: '4242', expiry: '12/40' } };
export const session: PaymentSession = { transId: 't1', provider: 'test', url: 'https://pay.example/1' };
export const state = (status: PurchaseState['status']): PurchaseState => ({
  transId: 't1',
  titleId: '1001',
  status,
  intentId: 'in1',
  url: null,
  reason: null,
});

type Asked = { titleId: string; pii: { form: GiftForm | null } };
export type Parts = {
  params?: Record<string, string>;
  offer?: GiftOffer | Problem;
  cards?: Card[];
  /** null: the server does not tell. */
  letter?: GiftLetter | Problem | null;
  starts?: PaymentSession | Problem;
  status?: PurchaseState;
  store?: typeof shopStore;
  balance?: CreditBalance;
};

export const start = (parts: Parts = {}) => {
  const { params = { titleid: '1001' }, cards = [], starts = session, store = shopStore } = parts;
  const asked: Asked[] = [];
  const paid: Order[] = [];
  const forgotten: boolean[] = [];
  const given = parts.offer ?? offer;
  const written = parts.letter === undefined ? letter : parts.letter;
  const machine = giftMachine.provide({
    actors: {
      payment: paymentMachine.provide({
        actors: {
          startPayment:
            'kind' in starts
              ? rejects<PaymentSession, Order>(starts)
              : requestPort<PaymentSession, Order>(async ({ input }) => {
                  paid.push(input);
                  return starts;
                }),
          payByCard: answers<PurchaseState, Order>(state('paid')),
          confirmPayment: answers<null, { transId: string; intentId: string }>(null),
          paymentStatus: answers<PurchaseState, Order>(parts.status ?? state('paid')),
        },
      }),
      giftOffer: 'kind' in given ? rejects<GiftOffer, GiftRequest>(given) : answers<GiftOffer, GiftRequest>(given),
      keptCards: answers<Card[], undefined>(cards),
      creditBalance: answers<CreditBalance, undefined>(parts.balance ?? { balance: 0, currency: '', accepted: false }),
      giftLetter:
        written !== null && 'kind' in written
          ? rejects<{ pii: { letter: GiftLetter | null } }, Asked>(written)
          : requestPort<{ pii: { letter: GiftLetter | null } }, Asked>(async ({ input }) => {
              asked.push(input);
              return { pii: { letter: written } };
            }),
      forgetPending: safePort<null, { isSent: boolean }>(
        async ({ input }) => {
          forgotten.push(input.isSent);
          return null;
        },
        () => null,
      ),
    },
  });
  const { actor, told } = underShop(machine, { ...flowInput(params), store });
  const container = show(<GiftView actor={actor} />, '/', store);
  return {
    container,
    told,
    asked,
    paid,
    forgotten,
    isIn: (value: string) => waitFor(() => expect(stateOf(container, 'gift')).toBe(value)),
  };
};

export const heading = (): string | null => screen.getByRole('heading', { level: 1 }).textContent;

export const write = async (container: HTMLElement) => {
  await userEvent.type(screen.getByLabelText('Recipient’s name'), 'Bo Quay');
  await userEvent.type(screen.getByLabelText('Recipient’s email address'), 'bo@example.com');
  await userEvent.type(screen.getByLabelText('Your message (optional)'), 'Happy birthday!');
  await userEvent.click(pressable(container, 'gift.submitted'));
};
