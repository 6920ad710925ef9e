import { randomUUID } from 'node:crypto';
import { basicAuth, PASSWORD, signUpXml } from './customers.ts';
import { CARD_NUMBERS, submitCardForm, postFields } from './paying.ts';

export const STORE = 'harbour';

/** The shops that customers buy in while their processes are killed. */
export type ShopAccess = {
  address(): string;
  /** is called for each request of a customer */
  onSend(): void;
  /** is called with the path whose response was lost; resolves when a shop answers again */
  recovered(path: string): Promise<unknown>;
};

/**
 * `leaves`: pays at the gateway and never returns; `vanishes`: returns, confirms, and does not
 * retry when the response is lost; `cancels`: cancels at the gateway's page.
 */
export type PurchaseBehaviour = 'buys' | 'leaves' | 'vanishes' | 'cancels';
export type PurchasePlan = { titleId: string; card: keyof typeof CARD_NUMBERS; manner: PurchaseBehaviour };

/** The response to a call; undefined when it was lost. */
type Answer = { status: number; text: string } | undefined;
type Session = { transId: string; status: string; url: string | null; intentId: string | null };

/** The customer owns the title without a transaction of this purchase. */
const OWNED = 'owned';
const MAX_PURCHASE_MS = 120_000;

/** A customer who acts as the page does, and retries when responses are lost. */
export class RetryingCustomer {
  readonly #shops: ShopAccess;
  readonly id: string;
  readonly token: string;

  constructor(shops: ShopAccess, id: string, token: string) {
    this.#shops = shops;
    this.id = id;
    this.token = token;
  }

  static async signUp(shops: ShopAccess): Promise<RetryingCustomer> {
    const email = `${randomUUID()}@example.org`;
    const answer = await fetch(`${shops.address()}/api/user/signup?shelfid=${STORE}&appid=web`, {
      method: 'POST',
      headers: { ...basicAuth(email, PASSWORD), 'content-type': 'text/xml' },
      body: signUpXml(email),
    });
    const text = await answer.text();
    const one = (element: string) => new RegExp(`<${element}>([^<]*)</${element}>`).exec(text)?.[1] ?? '';
    return new RetryingCustomer(shops, one('UserId'), one('IdToken'));
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
      // The customer has noticed the lost response.
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

  /**
   * The idempotency key is made before the first request, and stays the same until a response
   * comes.
   * @returns the transaction, or OWNED
   */
  async #begin(titleId: string, key: string): Promise<string | undefined> {
    const owned = await this.#ask('/user/has-title', { titleid: titleId });
    if (owned?.text.includes('"hasTitle":true')) return OWNED;
    const session = owned && (await this.#ask('/payment/session', { titleId }, key));
    return session?.status === 200 ? (JSON.parse(session.text) as Session).transId : undefined;
  }

  /**
   * Buys a title as the page does: after any lost response it first requests the status.
   * @returns how the purchase ended for the customer
   */
  async buy({ titleId, card, manner }: PurchasePlan): Promise<'owned' | 'paid' | 'left' | 'cancelled' | 'failed'> {
    const key = randomUUID();
    const start = performance.now();
    let transId: string | undefined;
    while (performance.now() - start < MAX_PURCHASE_MS) {
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
      } else if (url !== null && manner === 'cancels')
        await this.#atGateway(() => postFields(url.replace(/(?=\?|$)/, '/cancel'), {}));
      else if (url !== null) await this.#atGateway(() => submitCardForm(url, CARD_NUMBERS[card]));
    }
    throw new Error(`The purchase of ${titleId} did not end.`);
  }
}
