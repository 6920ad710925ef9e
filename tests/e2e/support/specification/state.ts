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
  /** ids of the owned works, in the order of purchase */
  owned: string[];
  cart: string[];
  /** ids of campaigns, by the ids of the works that they have put into the cart */
  campaigns: Map<string, string | undefined>;
  cards: Card[];
  devices: string[];
  credits: number;
  planId: string | null;
  usedCodes: Set<string>;
  /** reading positions, as JSON text, by title and context key */
  positions: Map<string, string>;
  gifts: string[];
};

/** The state of the specification server, in memory. */
export class State {
  readonly customers: Customer[] = [];
  readonly sessions = new Map<string, Customer>();
  /** every issued token, including those of ended sessions */
  readonly tokens = new Set<string>();
  readonly transactions = new Map<string, Transaction>();
  /** customers by password reset tokens, which are short numbers here */
  readonly resetTokens = new Map<string, Customer>();
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
      positions: new Map(),
      gifts: [],
    };
    this.customers.push(customer);
    return customer;
  }

  startSession(customer: Customer): string {
    const token = randomUUID();
    this.sessions.set(token, customer);
    this.tokens.add(token);
    return token;
  }

  findByEmail(email: string): Customer | undefined {
    return this.customers.find((each) => each.email === email);
  }

  deleteCustomer(customer: Customer): void {
    for (const [token, sessionCustomer] of this.sessions) if (sessionCustomer === customer) this.sessions.delete(token);
    this.customers.splice(this.customers.indexOf(customer), 1);
  }

  openTransaction(customer: Customer, purchase: Pick<Transaction, 'works' | 'planId' | 'price' | 'giftInfo'>): Transaction {
    const id = `T${this.transactions.size + 1}`;
    const transaction: Transaction = { id, customer, ...purchase, status: 'pending', intentId: `I-${id}` };
    this.transactions.set(id, transaction);
    return transaction;
  }

  /** Marks a transaction as paid, and grants what it buys; a repeated call has no effect. */
  confirm(transaction: Transaction): void {
    if (transaction.status === 'paid') return;
    transaction.status = 'paid';
    const { customer, works, planId, giftInfo } = transaction;
    if (giftInfo !== null) customer.gifts.push(giftInfo);
    else this.grantWorks(customer, works);
    if (planId !== null) customer.planId = planId;
    customer.cart = customer.cart.filter((id) => !works.includes(id));
  }

  grantWorks(customer: Customer, works: readonly string[]): void {
    for (const id of works) if (!customer.owned.includes(id)) customer.owned.push(id);
  }
}
