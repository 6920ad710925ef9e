import { randomUUID } from 'node:crypto';
import { basic, PASSWORD, signUpDocument } from './customers.ts';
import { CARDS, pay, post } from './paying.ts';

export const STORE = 'harbour';

/** Where customers buy while parts of it are killed. */
export type Shops = {
  address(): string;
  /** is told of each call that a customer sends */
  onSend(): void;
  /** is told whose answer was lost; when it resolves, there is somebody to answer again */
  recovered(path: string): Promise<unknown>;
};

/**
 * `leaves`: pays at the gateway and never comes back; `vanishes`: comes back and confirms, and hears no answer but the first;
 * `cancels`: at the gateway's page.
 */
export type Manner = 'buys' | 'leaves' | 'vanishes' | 'cancels';
export type Plan = { titleId: string; card: keyof typeof CARDS; manner: Manner };

/** What a call answered; undefined when its answer was lost. */
type Answer = { status: number; text: string } | undefined;
type Session = { transId: string; status: string; url: string | null; intentId: string | null };

/** The customer has the title without a transaction of theirs. */
const OWNED = 'owned';
const LONGEST_PURCHASE = 120_000;

/** A customer who does what the page does, and does not give up when answers are lost. */
export class SteadfastCustomer {
  readonly #shops: Shops;
  readonly id: string;
  readonly token: string;

  constructor(shops: Shops, id: string, token: string) {
    this.#shops = shops;
    this.id = id;
    this.token = token;
  }

  static async signedUp(shops: Shops): Promise<SteadfastCustomer> {
    const email = `${randomUUID()}@example.org`;
    const answer = await fetch(`${shops.address()}/api/user/signup?shelfid=${STORE}&appid=web`, {
      method: 'POST',
      headers: { ...basic(email, PASSWORD), 'content-type': 'text/xml' },
      body: signUpDocument(email),
    });
    const text = await answer.text();
    const one = (element: string) => new RegExp(`<${element}>([^<]*)</${element}>`).exec(text)?.[1] ?? '';
    return new SteadfastCustomer(shops, one('UserId'), one('IdToken'));
  }

  async #ask(path: string, query: Record<string, string>, key?: string): Promise<Answer> {
    const search = new URLSearchParams({ shelfid: STORE, accesstoken: this.token, ...query });
    this.#shops.onSend();
    try {
      const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
      const answer = await fetch(`${this.#shops.address()}/api${path}?${search.toString()}`, { headers });
      const text = await answer.text();
      if (answer.status < 500) return { status: answer.status, text };
    } catch {
      // Told by the answer that is missing.
    }
    await this.#shops.recovered(path);
    return undefined;
  }

  async #atGateway(send: () => Promise<Response>): Promise<void> {
    this.#shops.onSend();
    try {
      await (await send()).text();
    } catch {
      await this.#shops.recovered('/pay');
    }
  }

  /** The key is made before the session is asked for, and is the same until it has answered. @returns the transaction, or OWNED */
  async #begin(titleId: string, key: string): Promise<string | undefined> {
    const owned = await this.#ask('/user/has-title', { titleid: titleId });
    if (owned?.text.includes('"hasTitle":true')) return OWNED;
    const session = owned && (await this.#ask('/payment/session', { titleId }, key));
    return session?.status === 200 ? (JSON.parse(session.text) as Session).transId : undefined;
  }

  /**
   * Buys a title as the page does: whatever answer is lost, it asks for the status before it does anything else.
   * @returns how it ended for the customer
   */
  async buy({ titleId, card, manner }: Plan): Promise<'owned' | 'paid' | 'left' | 'cancelled' | 'failed'> {
    const key = randomUUID();
    const start = performance.now();
    let transId: string | undefined;
    while (performance.now() - start < LONGEST_PURCHASE) {
      transId ??= await this.#begin(titleId, key);
      if (transId === OWNED) return OWNED;
      const answer = transId === undefined ? undefined : await this.#ask('/checkout/session/status', { transId });
      if (answer?.status !== 200) continue;
      const { status, url, intentId } = JSON.parse(answer.text) as Session;
      if (status === 'paid' || status === 'cancelled' || status === 'failed') return status;
      if (status === 'authorized' && manner === 'leaves') return 'left';
      if (status === 'authorized') {
        const confirming = { transactonId: transId ?? '', titleId };
        const confirmed = await this.#ask('/purchase/title/confirm', confirming, `confirm-${transId}-${intentId}`);
        if (manner === 'vanishes') return confirmed?.status === 200 ? 'paid' : 'left';
      } else if (url !== null && manner === 'cancels') await this.#atGateway(() => post(url.replace(/(?=\?|$)/, '/cancel'), {}));
      else if (url !== null) await this.#atGateway(() => pay(url, CARDS[card]));
    }
    throw new Error(`The purchase of ${titleId} came to no end.`);
  }
}
