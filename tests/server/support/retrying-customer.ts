import { randomUUID } from 'node:crypto';
import { basicAuth, PASSWORD, signUpXml } from './customers.ts';
import { CARD_NUMBERS, submitCardForm, postFields } from './paying.ts';

export const STORE = 'harbour';

/** Access to shops whose processes are killed while customers buy. */
export type ShopAccess = {
  address(): string;
  /** is called before each request of a customer */
  onSend(): void;
  /** receives the path of a request without a response; resolves when a shop responds again */
  waitUntilRecovered(path: string): Promise<unknown>;
};

/**
 * `buys`: pays, returns, and confirms until there is a response; `leaves`: pays at the gateway and
 * never returns; `vanishes`: returns, confirms, and does not retry when the response is lost;
 * `cancels`: cancels on the gateway's page.
 */
export type PurchaseBehaviour = 'buys' | 'leaves' | 'vanishes' | 'cancels';
export type PurchasePlan = { titleId: string; card: keyof typeof CARD_NUMBERS; manner: PurchaseBehaviour };

/** The response to a call; undefined when it was lost. */
type CallResponse = { status: number; text: string } | undefined;
type Session = { transId: string; status: string; url: string | null; intentId: string | null };

/** Replaces a transaction id where the customer owns the title already. */
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
    const response = await fetch(`${shops.address()}/api/user/signup?shelfid=${STORE}&appid=web`, {
      method: 'POST',
      headers: { ...basicAuth(email, PASSWORD), 'content-type': 'text/xml' },
      body: signUpXml(email),
    });
    const text = await response.text();
    const readElement = (element: string) => new RegExp(`<${element}>([^<]*)</${element}>`).exec(text)?.[1] ?? '';
    return new RetryingCustomer(shops, readElement('UserId'), readElement('IdToken'));
  }

  async #call(path: string, query: Record<string, string>, key?: string): Promise<CallResponse> {
    const search = new URLSearchParams({ shelfid: STORE, accesstoken: this.token, ...query });
    this.#shops.onSend();
    try {
      const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
      const response = await fetch(`${this.#shops.address()}/api${path}?${search.toString()}`, { headers });
      const text = await response.text();
      if (response.status < 500) return { status: response.status, text };
    } catch {
      // The response is lost: the customer sees a network error.
    }
    await this.#shops.waitUntilRecovered(path);
    return undefined;
  }

  async #submitAtGateway(send: () => Promise<Response>): Promise<void> {
    this.#shops.onSend();
    try {
      await (await send()).text();
    } catch {
      await this.#shops.waitUntilRecovered('/pay');
    }
  }

  /**
   * Starts a purchase. The idempotency key is made before the first request, and stays the same
   * until a response arrives.
   * @returns the id of the transaction, or OWNED; undefined where a response was lost
   */
  async #startPurchase(titleId: string, key: string): Promise<string | undefined> {
    const ownership = await this.#call('/user/has-title', { titleid: titleId });
    if (ownership?.text.includes('"hasTitle":true')) return OWNED;
    const session = ownership && (await this.#call('/payment/session', { titleId }, key));
    return session?.status === 200 ? (JSON.parse(session.text) as Session).transId : undefined;
  }

  /**
   * Buys a title as the page does: after any lost response it first requests the session's status.
   * @returns how the purchase ended for the customer
   */
  async buy({ titleId, card, manner }: PurchasePlan): Promise<'owned' | 'paid' | 'left' | 'cancelled' | 'failed'> {
    const key = randomUUID();
    const start = performance.now();
    let transId: string | undefined;
    while (performance.now() - start < MAX_PURCHASE_MS) {
      transId ??= await this.#startPurchase(titleId, key);
      if (transId === OWNED) return OWNED;
      const statusResponse = transId === undefined ? undefined : await this.#call('/checkout/session/status', { transId });
      if (statusResponse?.status !== 200) continue;
      const { status, url, intentId } = JSON.parse(statusResponse.text) as Session;
      if (status === 'paid' || status === 'cancelled' || status === 'failed') return status;
      if (status === 'authorized' && manner === 'leaves') return 'left';
      if (status === 'authorized') {
        const confirmQuery = { transactonId: transId ?? '', titleId };
        const confirmation = await this.#call('/purchase/title/confirm', confirmQuery, `confirm-${transId}-${intentId}`);
        if (manner === 'vanishes') return confirmation?.status === 200 ? 'paid' : 'left';
      } else if (url !== null && manner === 'cancels')
        await this.#submitAtGateway(() => postFields(url.replace(/(?=\?|$)/, '/cancel'), {}));
      else if (url !== null) await this.#submitAtGateway(() => submitCardForm(url, CARD_NUMBERS[card]));
    }
    throw new Error(`The purchase of ${titleId} did not end within ${MAX_PURCHASE_MS} ms.`);
  }
}
