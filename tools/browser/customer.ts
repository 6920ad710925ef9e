import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import type { ShopLocation } from '../shop/running-shop.ts';
import { createEmail } from './shop.ts';

export const password = 'harbour light 22';

export const cards = {
  good: '4242 4242 4242 4242',
  challenged: '4000 0027 6000 3184',
  declined: '4000 0000 0000 0002',
  answerLost: '4000 0000 0000 0119',
};

type Config = { storeId: string; storeParameter: string; appId: string };
type Session = { transId: string; url: string };
type JournalLine = { intent?: { id: string; customer: string; state: string } };

const readValues = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, value]) => value ?? '');

/** The session of a new sign-up, from a response in XML or in JSON. */
const parseSession = (text: string): { token: string | undefined; userId: string | undefined } => {
  if (!text.startsWith('{')) return { token: readValues(text, 'IdToken')[0], userId: readValues(text, 'UserId')[0] };
  const { idToken, userId } = JSON.parse(text) as { idToken?: string; userId?: string | number };
  return { token: idToken, userId: userId === undefined ? undefined : String(userId) };
};

/**
 * A customer who calls the shop's API directly: to prepare what a test is not about, and to check
 * its effects.
 */
export class Customer {
  readonly shop: ShopLocation;
  readonly email: string;
  readonly token: string;
  readonly userId: string;
  readonly config: Config;

  private constructor(shop: ShopLocation, config: Config, email: string, session: { token: string; userId: string }) {
    this.shop = shop;
    this.config = config;
    this.email = email;
    this.token = session.token;
    this.userId = session.userId;
  }

  static async signUp(shop: ShopLocation): Promise<Customer> {
    const email = createEmail();
    const config = (await (await fetch(`${shop.url}/config.json`)).json()) as Config;
    const query = new URLSearchParams({ [config.storeParameter]: config.storeId, appid: config.appId });
    const response = await fetch(`${shop.url}/api/user/signup?${query.toString()}`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`, 'content-type': 'text/xml' },
      body: `<Signup><Email>${email}</Email><Name>A Reader</Name><AgreeTerms>true</AgreeTerms></Signup>`,
    });
    const text = await response.text();
    const { token, userId } = parseSession(text);
    if (token === undefined || userId === undefined)
      throw new Error(`Sign-up answered ${response.status} without a session: ${text}`);
    return new Customer(shop, config, email, { token, userId });
  }

  /**
   * Signs in on another device.
   * @param networkAddress the device's, for a shop that trusts this computer as its proxy
   * @returns the access token there
   */
  async signInOnDevice(deviceName: string, networkAddress?: string): Promise<string> {
    const { storeParameter, storeId, appId } = this.config;
    const device = { deviceid: crypto.randomUUID(), devicename: deviceName };
    const query = new URLSearchParams({ [storeParameter]: storeId, appid: appId, ...device });
    const response = await fetch(`${this.shop.url}/api/user/signin?${query.toString()}`, {
      headers: {
        authorization: `Basic ${Buffer.from(`${this.email}:${password}`).toString('base64')}`,
        ...(networkAddress === undefined ? {} : { 'x-forwarded-for': networkAddress }),
      },
    });
    const text = await response.text();
    const [token] = readValues(text, 'IdToken');
    if (token === undefined)
      throw new Error(`user/signin of ${this.email} on ${deviceName} answered ${response.status} without a token: ${text}`);
    return token;
  }

  /** Sends a GET, or a POST of JSON when there is a body. */
  async request(path: string, query: Record<string, string> = {}, body?: unknown): Promise<Response> {
    const { storeParameter, storeId } = this.config;
    const search = new URLSearchParams({ [storeParameter]: storeId, accesstoken: this.token, ...query });
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    return fetch(`${this.shop.url}/api/${path}?${search.toString()}`, init);
  }

  private async requestJson(path: string, query: Record<string, string>): Promise<unknown> {
    const response = await this.request(path, query);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  }

  /** Starts the purchase of a title, as its summary does; nothing is paid yet. */
  async startPurchase(titleId: string): Promise<Session> {
    return (await this.requestJson('payment/session', { titleId })) as Session;
  }

  /**
   * Submits the gateway's card form, or its Cancel button if there is no card.
   * @returns the URL that it redirects to
   */
  async submitGatewayForm(
    { url }: Session,
    number: string | null = cards.good,
    extraFields: Record<string, string> = {},
  ): Promise<string> {
    const form: Record<string, string> =
      number === null ? {} : { number, expiry: '12/34', cvc: '123', name: 'A Reader', ...extraFields };
    const { origin, pathname, search } = new URL(url, this.shop.url);
    const target = `${origin}${pathname}${number === null ? '/cancel' : ''}${search}`;
    const response = await fetch(target, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
    return response.headers.get('location') ?? '';
  }

  /** Buys a title, including the payment at the gateway. @returns the transaction's id */
  async buy(titleId: string): Promise<string> {
    const session = await this.startPurchase(titleId);
    await this.submitGatewayForm(session);
    await this.requestJson('purchase/title/confirm', { transactonId: session.transId });
    return session.transId;
  }

  /** Subscribes to a plan, including the payment at the gateway. */
  async subscribe(planId: string): Promise<void> {
    const session = (await this.requestJson('checkout/subscription/session', { planId })) as Session;
    const returnUrl = new URL(await this.submitGatewayForm(session), this.shop.url);
    const intentId = returnUrl.searchParams.get('intentId') ?? '';
    await this.requestJson('subscription/confirm', { subscriptionId: session.transId, intentId });
  }

  /** Saves the customer's progress in a title, optionally from a named device. */
  async saveProgress(titleId: string, medium: string, position: unknown, device?: { id: string; name: string }): Promise<void> {
    const response = await this.request('viewer/progress', { titleid: titleId, contextkey: medium }, { position, device });
    if (!response.ok) throw new Error(`viewer/progress of ${titleId} answered ${response.status}: ${await response.text()}`);
  }

  /** Fetches the ids of the titles in the library, one per copy. */
  async fetchLibrary(): Promise<string[]> {
    const response = await this.request('user/purchases', { limit: '100' });
    return (await response.text())
      .split('<Purchase>')
      .slice(1)
      .flatMap((purchase) => readValues(purchase, 'TitleId').slice(0, 1));
  }

  async fetchReceipt(transId: string): Promise<unknown> {
    return this.requestJson('purchase/info', { transId });
  }

  async fetchInstanceId(titleId: string): Promise<string> {
    const { instanceId } = (await this.requestJson('user/has-title', { titleid: titleId })) as { instanceId: string | null };
    if (instanceId === null) throw new Error(`The customer ${this.email} has no copy of title ${titleId}.`);
    return instanceId;
  }

  /** Counts the customer's captured payments in the gateway's journal. */
  async countCharges(): Promise<number> {
    const journal = await readFile(join(this.shop.data, 'gateway/journal.jsonl'), 'utf8').catch(() => '');
    const lines = journal.split('\n').filter((line) => line !== '');
    const intents = lines.map((line) => (JSON.parse(line) as JournalLine).intent);
    // A refunded payment has a second entry.
    const capturedIntents = intents.filter((intent) => intent?.state === 'captured' && intent.customer.endsWith(this.userId));
    return new Set(capturedIntents.map((intent) => intent?.id)).size;
  }

  /** The local storage items of a browser in which this customer is signed in. */
  getStorageItems(token = this.token): Record<string, string> {
    return { id_token: token, userid: this.userId, emailid: this.email };
  }

  /** Signs this customer in, in a browser context. @param origin the shop's origin there */
  async signInBrowser(context: BrowserContext, token = this.token, origin = this.shop.url): Promise<void> {
    const localStorage = Object.entries(this.getStorageItems(token)).map(([name, value]) => ({ name, value }));
    await context.setStorageState({ cookies: [], origins: [{ origin, localStorage }] });
  }
}
