import { randomUUID } from 'node:crypto';

export type Transaction = {
  id: string;
  customer: Customer;
  /** ids of works; a subscription has none */
  works: string[];
  planId: string | null;
  price: number;
  status: 'pending' | 'authorized' | 'paid' | 'cancelled';
  intentId: string;
  giftInfo: string | null;
};

export type Card = { id: string; last4: string; isDefault: boolean };

export type Customer = {
  id: string;
  email: string;
  password: string;
  name: string;
  /** copies by the works' ids, in the order bought */
  owned: string[];
  cart: string[];
  /** the campaigns that titles of the cart come from */
  campaigns: Map<string, string | undefined>;
  cards: Card[];
  devices: string[];
  credits: number;
  planId: string | null;
  usedCodes: Set<string>;
  /** reading places, as JSON text, by title and context key */
  places: Map<string, string>;
  gifts: string[];
};

/** The whole state of the second server, in memory. */
export class State {
  readonly customers: Customer[] = [];
  readonly sessions = new Map<string, Customer>();
  /** every issued token, including those of ended sessions */
  readonly tokens = new Set<string>();
  readonly transactions = new Map<string, Transaction>();
  /** reset tokens, which are short here */
  readonly resets = new Map<string, Customer>();
  /** whether a sign-in is answered with a token */
  readonly givesTokens: boolean;

  constructor(givesTokens: boolean) {
    this.givesTokens = givesTokens;
  }

  signUp(email: string, password: string, name: string): Customer {
    const customer: Customer = {
      id: String(40 + this.customers.length),
      email,
      password,
      name,
      owned: [],
      cart: [],
      campaigns: new Map(),
      cards: [],
      devices: ['d-other'],
      credits: 0,
      planId: null,
      usedCodes: new Set(),
      places: new Map(),
      gifts: [],
    };
    this.customers.push(customer);
    return customer;
  }

  begin(customer: Customer): string {
    const token = randomUUID();
    this.sessions.set(token, customer);
    this.tokens.add(token);
    return token;
  }

  byEmail(email: string): Customer | undefined {
    return this.customers.find((each) => each.email === email);
  }

  end(customer: Customer): void {
    for (const [token, whose] of this.sessions) if (whose === customer) this.sessions.delete(token);
    this.customers.splice(this.customers.indexOf(customer), 1);
  }

  open(customer: Customer, of: Pick<Transaction, 'works' | 'planId' | 'price' | 'giftInfo'>): Transaction {
    const id = `T${this.transactions.size + 1}`;
    const transaction: Transaction = { id, customer, ...of, status: 'pending', intentId: `I-${id}` };
    this.transactions.set(id, transaction);
    return transaction;
  }

  /** Charges once, and grants once. */
  confirm(transaction: Transaction): void {
    if (transaction.status === 'paid') return;
    transaction.status = 'paid';
    const { customer, works, planId, giftInfo } = transaction;
    if (giftInfo !== null) customer.gifts.push(giftInfo);
    else this.give(customer, works);
    if (planId !== null) customer.planId = planId;
    customer.cart = customer.cart.filter((id) => !works.includes(id));
  }

  give(customer: Customer, works: readonly string[]): void {
    for (const id of works) if (!customer.owned.includes(id)) customer.owned.push(id);
  }
}
