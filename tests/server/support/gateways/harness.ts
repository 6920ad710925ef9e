import type { Gateway } from '../../../../server/payment/gateway.ts';
import type { GatewayNames } from '../../../../server/payment/gateway-names.ts';
import type { ResponseFault } from '../fake-gateway.ts';

/** Cards that a customer uses. `poor`: insufficient funds; `once`: declines every renewal. */
export type Card = 'good' | 'declined' | 'poor' | 'challenge' | 'once';

/** Long enough for a response on a busy computer, short enough to wait for a lost one. */
export const TIMEOUT_MS = 2500;

export const DAY_MS = 24 * 60 * 60_000;

/** A gateway at which a test plays the customer. */
export type GatewayHarness = {
  gateway: Gateway;
  /** Submits a card on the gateway's page. @returns whether the card was accepted */
  pay(url: string, card: Card): Promise<boolean>;
  /**
   * Approves or declines a payment without a card; absent where only cards are accepted.
   * @returns whether the payment was accepted
   */
  payWithoutCard?(url: string, approves: boolean): Promise<boolean>;
  /** The number of charges of a payment, by the shop's reference. */
  countCharges(reference: string): Promise<number>;
  /** Refunded amount of a payment, in the smallest unit of its currency. */
  readRefundedMinor(reference: string): Promise<number>;
  /** Refunds an amount, as the gateway's dashboard does; absent where there is no dashboard. */
  refundAtDashboard?(reference: string, amount: number): void;
  /** Advances the gateway's clock by days. */
  advanceDays(days: number): void;
  /** Received calls and parameters that the real gateway does not have. */
  unknownRequests: string[];
  /** A webhook about a payment, by the shop's reference, signed as the gateway signs. */
  webhook(reference: string): { body: string; headers: Record<string, string> };
  /** Reasons why the gateway lacks these features; the contract tests skip them. */
  unsupported?: { subscriptions?: string; immediatePlanChange?: string };
  /**
   * Makes the next call that creates, captures or refunds an intent fail; absent for the built-in
   * gateway.
   */
  failNext?(call: 'create' | 'capture' | 'refund', kind: ResponseFault): void;
  close(): Promise<unknown>;
};

/** Creates an in-memory store of the ids of payments, customers and plans at a gateway. */
export function createMemoryGatewayNames(): GatewayNames {
  const ids = new Map<string, string>();
  return {
    find: async (kind, name) => ids.get(`${kind} ${name}`),
    async storeOnce(kind, name, id) {
      const key = `${kind} ${name}`;
      if (!ids.has(key)) ids.set(key, id);
      return ids.get(key) ?? id;
    },
    async replace(kind, name, from, to) {
      const key = `${kind} ${name}`;
      if (ids.get(key) === from) ids.set(key, to);
      return ids.get(key) ?? to;
    },
  };
}
