import type { Gateway } from '../../../../server/payment/gateway.ts';
import type { GatewayNames } from '../../../../server/payment/gateway-names.ts';
import type { Trouble } from '../gateway-stand-in.ts';

/** Cards that a customer types. `poor`: its account is empty; `once`: it pays no renewal. */
export type Card = 'good' | 'declined' | 'poor' | 'challenge' | 'once';

/** Milliseconds: enough for an answer on a busy machine, and short while one is lost. */
export const TIMEOUT = 2500;

export const DAY = 24 * 60 * 60_000;

/** A gateway that a test plays the customer of. */
export type Played = {
  gateway: Gateway;
  /** Types a card on its page. @returns whether it was taken */
  pay(url: string, card: Card): Promise<boolean>;
  /**
   * Approves a payment without a card, or declines it; left out where cards alone are taken.
   * @returns whether it was taken
   */
  payWithout?(url: string, approves: boolean): Promise<boolean>;
  /** How often a payment was charged, by the store's name for it. */
  charges(reference: string): Promise<number>;
  /** The amount that was given back of a payment, in the smallest unit of its currency. */
  refunded(reference: string): Promise<number>;
  /** Gives back an amount, as the gateway's own pages do; left out where it has no such page. */
  giveBack?(reference: string, amount: number): void;
  /** Lets days pass there. */
  passes(days: number): void;
  /** Calls and parameters that it received and does not have. */
  unknown: string[];
  /** A webhook about a payment, by the store's name for it, as the gateway signs it. */
  webhook(reference: string): { body: string; headers: Record<string, string> };
  /** Why it has none of these abilities, which contract tests then skip. */
  lacks?: { subscriptions?: string; changesAtOnce?: string };
  /**
   * Lets the next call fail that makes an intent, captures it, or gives it back; left out for the
   * built-in gateway.
   */
  trouble?(call: 'create' | 'capture' | 'refund', kind: Trouble): void;
  close(): Promise<unknown>;
};

/** The names of payments, customers and plans at a gateway, kept in memory. */
export function namesInMemory(): GatewayNames {
  const ids = new Map<string, string>();
  return {
    find: async (kind, name) => ids.get(`${kind} ${name}`),
    async keep(kind, name, id) {
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
