import { storeProperties } from '../../src/client/store.ts';
import { createBrowserWorld } from '../../src/shell/app/browser-world.ts';
import { keepSession } from '../../src/storage/session-storage.ts';
import { Customer } from '../../tools/browser/customer.ts';
import { forgetAll, openBrowser } from './browser.ts';
import { cases, wrongWith, type Booked, type Case } from './errands.ts';
import { faultNames, faults, type FaultName, type Incidents } from './faults.ts';
import { Line, type Call, type Fault, type SentCall } from './line.ts';
import { startOneShop } from './one-shop.ts';
import { checkLedger } from '../../tools/shop/check-ledger.ts';
import { ADMIN_TOKEN, network } from './shop.ts';
import { Shopper, type Ending, type World } from './shopper.ts';
import type { TestedShop } from './tested-shop.ts';

/** How a visit ended in which one call went wrong. */
export type Outcome = {
  ending: Ending | null;
  booked: Booked | null;
  /** What is not as it has to be; null where all is well. */
  wrong: string | null;
};

export type Tried = Outcome & { name: string; call: Call; fault: FaultName };

/** Presses the gateway's button, or is led back by a page on which nothing is left to be done. @returns the address in the shop */
async function payAt(url: string): Promise<string> {
  const form = new URLSearchParams({ number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123', name: 'Ann Example' });
  const answer = await network(new Request(url, { method: 'POST', body: form, redirect: 'manual' }));
  const to = answer.headers.get('location');
  if (to !== null) return new URL(to, url).href;
  const link = /href="(http[^"]+)"/.exec(await answer.text())?.[1];
  if (link === undefined) throw new Error(`the gateway leads nowhere: ${answer.status}`);
  return link.replaceAll('&amp;', '&');
}

/** Runs errands in a real shop, with its real gateway and database, by the machines and calls of the pages themselves. */
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
    keepSession({ token: customer.token, userId: customer.userId, email: customer.email }, true);
    return customer;
  }

  async #worldOf(customer: Customer): Promise<World> {
    return {
      store: await storeProperties(await createBrowserWorld(Promise.resolve()).api()),
      atGateway: payAt,
      isThere: () => this.#shop.isThere(),
      signIn: async () => {
        const token = await customer.signsInOn('this browser');
        keepSession({ token, userId: customer.userId, email: customer.email }, true);
      },
    };
  }

  /** The calls of a visit in which nothing goes wrong. @throws Error where that does not end well */
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

  /** A new customer on an errand, in which a call goes wrong. */
  async try(each: Case, call: Call, fault: FaultName): Promise<Tried> {
    const customer = await this.newCustomer(each);
    return { name: each.name, call, fault, ...(await this.visit(customer, each, call, faults[fault])) };
  }

  /** A customer's errand, in which a call goes wrong. */
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

type Chosen = {
  /** The errands whose name has this in it. */
  errand?: string | undefined;
  /** Which faults of theirs; `at` counts all that there are. */
  isWanted: (fault: FaultName, at: number) => boolean;
};

/** Tries faults with every call of the errands that are chosen, one after the other. */
export async function tryAll({ errand = '', isWanted }: Chosen, told: (tried: Tried) => void): Promise<void> {
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
