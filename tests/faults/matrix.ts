import { fetchStoreProperties } from '../../src/client/store.ts';
import { createBrowserEnvironment } from '../../src/shell/app/browser-environment.ts';
import { saveSession } from '../../src/storage/session-storage.ts';
import { Customer } from '../../tools/browser/customer.ts';
import { clearStorages, installBrowserGlobals } from './browser.ts';
import { cases, findViolation, type Bookings, type ErrandCase } from './errands.ts';
import { faultNames, faults, type FaultName, type FaultActions } from './faults.ts';
import { FaultyNetwork, type Call, type CallFault, type SentCall } from './faulty-network.ts';
import { startOneShop } from './one-shop.ts';
import { checkLedger } from '../../tools/shop/check-ledger.ts';
import { ADMIN_TOKEN, sendDirect } from './shop.ts';
import { RetryingShopper, type ShopperResult, type ShopperEnvironment } from './shopper.ts';
import type { TestedShop } from './tested-shop.ts';

/** How a visit with one failed call ended. */
export type AttemptOutcome = {
  ending: ShopperResult | null;
  booked: Bookings | null;
  /** Why the outcome is wrong; null where it is right. */
  wrong: string | null;
};

export type FaultResult = AttemptOutcome & { name: string; call: Call; fault: FaultName };

/**
 * Presses the gateway's button, or follows its link back where the page has no payment left.
 * @returns the address in the shop
 */
async function payAtGateway(url: string): Promise<string> {
  const form = new URLSearchParams({ number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123', name: 'Ann Example' });
  const answer = await sendDirect(new Request(url, { method: 'POST', body: form, redirect: 'manual' }));
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
  readonly #line = new FaultyNetwork((request) => sendDirect(request));

  private constructor(shop: TestedShop, config: unknown) {
    this.#shop = shop;
    installBrowserGlobals(shop.url, this.#line.send, JSON.stringify({ config, answers: [] }));
  }

  static async in(shop: TestedShop): Promise<Matrix> {
    const config = await sendDirect(new Request(`${shop.url}/config.json`));
    return new Matrix(shop, await config.json());
  }

  async newCustomer({ prepare }: ErrandCase): Promise<Customer> {
    clearStorages();
    this.#line.open(null);
    const customer = await Customer.signUp(this.#shop);
    await prepare?.(customer);
    saveSession({ token: customer.token, userId: customer.userId, email: customer.email }, true);
    return customer;
  }

  async #worldOf(customer: Customer): Promise<ShopperEnvironment> {
    return {
      store: await fetchStoreProperties(await createBrowserEnvironment(Promise.resolve()).api()),
      payAtGateway: payAtGateway,
      whenReachable: () => this.#shop.whenReachable(),
      signIn: async () => {
        const token = await customer.signInOnDevice('this browser');
        saveSession({ token, userId: customer.userId, email: customer.email }, true);
      },
    };
  }

  /** The calls of a visit without faults. @throws Error where that visit fails */
  async callsOf(each: ErrandCase): Promise<readonly SentCall[]> {
    const customer = await this.newCustomer(each);
    const world = await this.#worldOf(customer);
    this.#line.open(null);
    const ending = await new RetryingShopper(world, each.errand).run();
    const calls = [...this.#line.calls];
    const wrong = findViolation(each, ending, await each.booked(customer));
    if (wrong !== null || ending.extraSteps.length > 0) throw new Error(`${each.name}: ${wrong ?? ''} ${JSON.stringify(ending)}`);
    return calls.filter(({ path }) => each.calls?.test(path) ?? true);
  }

  /** Runs an errand of a new customer in which one call fails. */
  async try(each: ErrandCase, call: Call, fault: FaultName): Promise<FaultResult> {
    const customer = await this.newCustomer(each);
    return { name: each.name, call, fault, ...(await this.visit(customer, each, call, faults[fault])) };
  }

  /** Runs a customer's errand in which one call fails. */
  async visit(
    customer: Customer,
    each: ErrandCase,
    call: Call,
    make: (incidents: FaultActions) => CallFault,
  ): Promise<AttemptOutcome> {
    const world = await this.#worldOf(customer);
    const shopper = new RetryingShopper(world, each.errand);
    const incidents: FaultActions = {
      leavePage: (how) => {
        shopper.leave(how);
        return new Promise(() => undefined);
      },
      inAnotherTab: async () => {
        this.#line.stopFailing();
        await new RetryingShopper(world, each.errand).run();
      },
      killShop: async () => {
        await this.#shop.targetCall(call.path).kill('process');
        await this.#shop.whenReachable();
      },
    };
    this.#line.open({ call, fault: make(incidents) });
    try {
      const ending = await shopper.run();
      this.#line.stopFailing();
      await this.#shop.whenRestored();
      const booked = await each.booked(customer);
      const wrong = this.#line.hasFailed ? findViolation(each, ending, booked) : 'the call was not made';
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
export async function runMatrix({ errand = '', isWanted }: FaultFilter, told: (tried: FaultResult) => void): Promise<void> {
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
    await checkLedger(shop, ADMIN_TOKEN, sendDirect);
  } finally {
    await shop.remove();
  }
}
