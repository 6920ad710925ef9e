import { fetchStoreProperties } from '../../src/client/store.ts';
import { createBrowserWorld } from '../../src/shell/app/browser-world.ts';
import { saveSession } from '../../src/storage/session-storage.ts';
import { Customer } from '../../tools/browser/customer.ts';
import { forgetAll, openBrowser } from './browser.ts';
import { cases, wrongWith, type Bookings, type Case } from './errands.ts';
import { faultNames, faults, type FaultName, type Incidents } from './faults.ts';
import { Line, type Call, type Fault, type SentCall } from './line.ts';
import { startOneShop } from './one-shop.ts';
import { checkLedger } from '../../tools/shop/check-ledger.ts';
import { ADMIN_TOKEN, network } from './shop.ts';
import { Shopper, type ShopperResult, type World } from './shopper.ts';
import type { TestedShop } from './tested-shop.ts';

/** How a visit with one failed call ended. */
export type Outcome = {
  ending: ShopperResult | null;
  booked: Bookings | null;
  /** Why the outcome is wrong; null where it is right. */
  wrong: string | null;
};

export type FaultResult = Outcome & { name: string; call: Call; fault: FaultName };

/**
 * Presses the gateway's button, or follows its link back where the page has no payment left.
 * @returns the address in the shop
 */
async function payAt(url: string): Promise<string> {
  const form = new URLSearchParams({ number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123', name: 'Ann Example' });
  const answer = await network(new Request(url, { method: 'POST', body: form, redirect: 'manual' }));
  const to = answer.headers.get('location');
  if (to !== null) return new URL(to, url).href;
  const link = /href="(http[^"]+)"/.exec(await answer.text())?.[1];
  if (link === undefined) throw new Error(`The gateway's page has no link back: HTTP ${answer.status}`);
  return link.replaceAll('&amp;', '&');
}

/**
 * Runs errands in a real shop, with its real gateway and database, through the machines and API
 * calls of the pages.
 */
export class Matrix {
  readonly #shop: TestedShop;
  readonly #line = new Line((request) => network(request));

  private constructor(shop: TestedShop, config: unknown) {
    this.#shop = shop;
    openBrowser(shop.url, this.#line.send, JSON.stringify({ config, answers: [] }));
  }

  static async in(shop: TestedShop): Promise<Matrix> {
    const config = await network(new Request(`${shop.url}/config.json`));
    return new Matrix(shop, await config.json());
  }

  async newCustomer({ prepare }: Case): Promise<Customer> {
    forgetAll();
    this.#line.open(null);
    const customer = await Customer.signUp(this.#shop);
    await prepare?.(customer);
    saveSession({ token: customer.token, userId: customer.userId, email: customer.email }, true);
    return customer;
  }

  async #worldOf(customer: Customer): Promise<World> {
    return {
      store: await fetchStoreProperties(await createBrowserWorld(Promise.resolve()).api()),
      atGateway: payAt,
      isThere: () => this.#shop.isThere(),
      signIn: async () => {
        const token = await customer.signsInOn('this browser');
        saveSession({ token, userId: customer.userId, email: customer.email }, true);
      },
    };
  }

  /** The calls of a visit without faults. @throws Error where that visit fails */
  async callsOf(each: Case): Promise<readonly SentCall[]> {
    const customer = await this.newCustomer(each);
    const world = await this.#worldOf(customer);
    this.#line.open(null);
    const ending = await new Shopper(world, each.errand).run();
    const calls = [...this.#line.calls];
    const wrong = wrongWith(each, ending, await each.booked(customer));
    if (wrong !== null || ending.did.length > 0) throw new Error(`${each.name}: ${wrong ?? ''} ${JSON.stringify(ending)}`);
    return calls.filter(({ path }) => each.calls?.test(path) ?? true);
  }

  /** Runs an errand of a new customer in which one call fails. */
  async try(each: Case, call: Call, fault: FaultName): Promise<FaultResult> {
    const customer = await this.newCustomer(each);
    return { name: each.name, call, fault, ...(await this.visit(customer, each, call, faults[fault])) };
  }

  /** Runs a customer's errand in which one call fails. */
  async visit(customer: Customer, each: Case, call: Call, make: (incidents: Incidents) => Fault): Promise<Outcome> {
    const world = await this.#worldOf(customer);
    const shopper = new Shopper(world, each.errand);
    const incidents: Incidents = {
      leavePage: (how) => {
        shopper.leaves(how);
        return new Promise(() => undefined);
      },
      inAnotherTab: async () => {
        this.#line.mend();
        await new Shopper(world, each.errand).run();
      },
      killShop: async () => {
        await this.#shop.aim(call.path).kill('process');
        await this.#shop.isThere();
      },
    };
    this.#line.open({ call, fault: make(incidents) });
    try {
      const ending = await shopper.run();
      this.#line.mend();
      await this.#shop.isWhole();
      const booked = await each.booked(customer);
      const wrong = this.#line.hasFailed ? wrongWith(each, ending, booked) : 'the call was not made';
      return { ending, booked, wrong };
    } catch (error) {
      const wrong = error instanceof Error ? error.message : String(error);
      return { ending: null, booked: null, wrong };
    }
  }
}

type FaultFilter = {
  /** Selects the errands whose names contain this text. */
  errand?: string | undefined;
  /** Selects among their faults; `at` counts over all faults. */
  isWanted: (fault: FaultName, at: number) => boolean;
};

/** Tries faults with every call of the selected errands, one after the other. */
export async function tryAll({ errand = '', isWanted }: FaultFilter, told: (tried: FaultResult) => void): Promise<void> {
  const shop = await startOneShop();
  try {
    const matrix = await Matrix.in(shop);
    let at = 0;
    for (const each of cases.filter(({ name }) => name.includes(errand))) {
      for (const call of await matrix.callsOf(each)) {
        for (const fault of faultNames) {
          if (isWanted(fault, (at += 1))) told(await matrix.try(each, call, fault));
        }
      }
    }
    await checkLedger(shop, ADMIN_TOKEN, network);
  } finally {
    await shop.remove();
  }
}
