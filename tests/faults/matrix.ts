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
  bookings: Bookings | null;
  /** Why the outcome is wrong; null if it is right. */
  wrong: string | null;
};

export type FaultResult = AttemptOutcome & { name: string; call: Call; fault: FaultName };

/**
 * Presses the gateway's button, or follows its link back if the page has no payment left.
 * @returns the URL in the shop
 */
async function payAtGateway(url: string): Promise<string> {
  const form = new URLSearchParams({ number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123', name: 'Ann Example' });
  const response = await sendDirect(new Request(url, { method: 'POST', body: form, redirect: 'manual' }));
  const redirectUrl = response.headers.get('location');
  if (redirectUrl !== null) return new URL(redirectUrl, url).href;
  const link = /href="(http[^"]+)"/.exec(await response.text())?.[1];
  if (link === undefined) throw new Error(`The gateway's page ${url} has no link back: HTTP ${response.status}`);
  return link.replaceAll('&amp;', '&');
}

/**
 * Runs errands in a real shop, with its real gateway and database, through the machines and API
 * calls of the pages.
 */
export class Matrix {
  readonly #shop: TestedShop;
  readonly #network = new FaultyNetwork((request) => sendDirect(request));

  private constructor(shop: TestedShop, config: unknown) {
    this.#shop = shop;
    installBrowserGlobals(shop.url, this.#network.send, JSON.stringify({ config, answers: [] }));
  }

  static async open(shop: TestedShop): Promise<Matrix> {
    const config = await sendDirect(new Request(`${shop.url}/config.json`));
    return new Matrix(shop, await config.json());
  }

  async createCustomer({ prepare }: ErrandCase): Promise<Customer> {
    clearStorages();
    this.#network.open(null);
    const customer = await Customer.signUp(this.#shop);
    await prepare?.(customer);
    saveSession({ token: customer.token, userId: customer.userId, email: customer.email }, true);
    return customer;
  }

  async #createEnvironment(customer: Customer): Promise<ShopperEnvironment> {
    return {
      store: await fetchStoreProperties(await createBrowserEnvironment(Promise.resolve()).api()),
      payAtGateway,
      whenReachable: () => this.#shop.whenReachable(),
      signIn: async () => {
        const token = await customer.signInOnDevice('this browser');
        saveSession({ token, userId: customer.userId, email: customer.email }, true);
      },
    };
  }

  /**
   * Runs a visit without faults. @returns the errand's calls in it.
   * @throws Error if the outcome is wrong, or if extra steps were needed
   */
  async recordCalls(errandCase: ErrandCase): Promise<readonly SentCall[]> {
    const customer = await this.createCustomer(errandCase);
    const environment = await this.#createEnvironment(customer);
    this.#network.open(null);
    const ending = await new RetryingShopper(environment, errandCase.errand).run();
    const calls = [...this.#network.calls];
    const wrong = findViolation(errandCase, ending, await errandCase.countBookings(customer));
    if (wrong !== null || ending.extraSteps.length > 0)
      throw new Error(`${errandCase.name}, without a fault: ${wrong ?? 'extra steps'}: ${JSON.stringify(ending)}`);
    return calls.filter(({ path }) => errandCase.calls?.test(path) ?? true);
  }

  /** Runs an errand of a new customer in which one call fails. */
  async tryFault(errandCase: ErrandCase, call: Call, fault: FaultName): Promise<FaultResult> {
    const customer = await this.createCustomer(errandCase);
    return { name: errandCase.name, call, fault, ...(await this.runVisit(customer, errandCase, call, faults[fault])) };
  }

  /** Runs a customer's errand in which one call fails. */
  async runVisit(
    customer: Customer,
    errandCase: ErrandCase,
    call: Call,
    createFault: (actions: FaultActions) => CallFault,
  ): Promise<AttemptOutcome> {
    const environment = await this.#createEnvironment(customer);
    const shopper = new RetryingShopper(environment, errandCase.errand);
    const actions: FaultActions = {
      leavePage: (navigation) => {
        shopper.leave(navigation);
        return new Promise(() => undefined);
      },
      completeInAnotherTab: async () => {
        this.#network.stopFailing();
        await new RetryingShopper(environment, errandCase.errand).run();
      },
      killShop: async () => {
        await this.#shop.targetCall(call.path).kill('process');
        await this.#shop.whenReachable();
      },
    };
    this.#network.open({ call, fault: createFault(actions) });
    try {
      const ending = await shopper.run();
      this.#network.stopFailing();
      await this.#shop.whenRestored();
      const bookings = await errandCase.countBookings(customer);
      const wrong = this.#network.hasFailed ? findViolation(errandCase, ending, bookings) : 'the call was not made';
      return { ending, bookings, wrong };
    } catch (error) {
      const wrong = error instanceof Error ? error.message : String(error);
      return { ending: null, bookings: null, wrong };
    }
  }
}

type FaultFilter = {
  /** Selects the errands whose names contain this text. */
  errand?: string | undefined;
  /** Selects faults; `index` counts all faults of all errands, from 1. */
  isWanted: (fault: FaultName, index: number) => boolean;
};

/** Tries faults with every call of the selected errands, one after the other. */
export async function runMatrix({ errand = '', isWanted }: FaultFilter, onResult: (result: FaultResult) => void): Promise<void> {
  const shop = await startOneShop();
  try {
    const matrix = await Matrix.open(shop);
    let faultIndex = 0;
    for (const errandCase of cases.filter(({ name }) => name.includes(errand))) {
      for (const call of await matrix.recordCalls(errandCase)) {
        for (const fault of faultNames) {
          if (isWanted(fault, (faultIndex += 1))) onResult(await matrix.tryFault(errandCase, call, fault));
        }
      }
    }
    await checkLedger(shop, ADMIN_TOKEN, sendDirect);
  } finally {
    await shop.remove();
  }
}
