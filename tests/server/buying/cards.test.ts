import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import {
  addCard,
  cardsOf,
  choose,
  forgottenOf,
  isKept,
  keepCard,
  rowsOf,
  startCard,
  tokenOf,
  typeCard,
} from '../support/cards.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { begin, CARDS, confirm, holdings, pay } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** What goes wrong between the shop and the gateway, until a test mends it. */
let trouble: Partial<PaymentPort> = {};
const troubled = (port: PaymentPort): PaymentPort => ({
  ...port,
  startSetup: (request) => (trouble.startSetup ?? port.startSetup)(request),
  claimSetup: (token, customer) => (trouble.claimSetup ?? port.claimSetup)(token, customer),
  forgetCard: (token) => (trouble.forgetCard ?? port.forgetCard)(token),
});
const silent = () => Promise.reject(new PaymentUnknown(new Error('silence')));

let shop: Shop;
let customer: Customer;
const newCustomer = async () => customerOf(shop, await shop.store());
beforeAll(async () => {
  shop = await openShop({ payment: troubled });
});
beforeEach(async () => {
  customer = await newCustomer();
});
afterEach(() => {
  trouble = {};
  vi.restoreAllMocks();
});
afterAll(() => shop.close());

const idsOf = async (of = customer) => (await cardsOf(shop, of)).map(({ CardId }) => CardId);
const defaultsOf = async (of = customer) =>
  (await cardsOf(shop, of)).filter(({ Default }) => Default).map(({ CardId }) => CardId);

describe('a card that is added', () => {
  test('is listed, the first by default, and its number is nowhere in the shop [S7.card/add] [S7.card/all]', async () => {
    expect(await cardsOf(shop, customer)).toEqual([]);
    const { status, value } = await addCard(shop, customer, await typeCard(shop, customer));
    expect(status).toBe(200);
    expect(value).toEqual({
      Added: expect.any(String) as string,
      Card: [
        {
          CardId: value.Added,
          Brand: 'Visa',
          LastFour: '4242',
          ExpiryMonth: 12,
          ExpiryYear: 2040,
          Default: true,
        },
      ],
    });
    expect(JSON.stringify(await rowsOf(shop, customer))).not.toMatch(/4242 ?4242/);
  });

  test('pays for a title', async () => {
    const cardId = await keepCard(shop, customer);
    const { value } = await shop.ask('purchaseTitle', '/purchase/title', {
      query: { ...customer.query, cardId, titleId: 'sound' },
    });
    expect(value).toMatchObject({ status: 'paid' });
  });

  test('may be declined when it pays, and nothing is charged', async () => {
    const cardId = await keepCard(shop, customer, CARDS.once);
    const answer = await shop.ask('purchaseTitle', '/purchase/title', {
      query: { ...customer.query, cardId, titleId: 'sound' },
    });
    expect(answer).toMatchObject({ status: 402, value: { code: 'card_declined' } });
    expect(await holdings(shop, customer, 'sound')).toMatchObject({ purchases: 0, paid: 0 });
  });

  test('by the same token again, and twenty times at once, is one card', async () => {
    const token = await typeCard(shop, customer);
    const sent = await Promise.all(Array.from({ length: 20 }, () => addCard(shop, customer, token)));
    expect(new Set(sent.map(({ status, value }) => `${status} ${value.Added}`)).size).toBe(1);
    expect((await addCard(shop, customer, token)).value.Added).toBe(sent[0]?.value.Added);
    expect(await idsOf()).toHaveLength(1);
  });

  test('with the number of one that is there stays that one, with its new date; the older token is forgotten', async () => {
    const cardId = await keepCard(shop, customer);
    const older = await tokenOf(shop, cardId);
    const added = await addCard(shop, customer, await typeCard(shop, customer, '4242-4242-4242-4242', { expiry: '01/45' }));
    expect(added.value.Card).toMatchObject([{ CardId: cardId, ExpiryYear: 2045, Default: true }]);
    await sweep(shop.services);
    expect(await forgottenOf(shop, customer)).toEqual([{ gateway_card: older, done: true }]);
    expect([await isKept(shop, customer, older), await isKept(shop, customer, await tokenOf(shop, cardId))]).toEqual([
      false,
      true,
    ]);
  });

  test('whose answer was lost, and that was typed again meanwhile, is one card', async () => {
    const first = await typeCard(shop, customer);
    const { port } = shop.gateway;
    trouble = {
      claimSetup: async (token, of) => {
        await port.claimSetup(token, of);
        return silent();
      },
    };
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    expect((await addCard(shop, customer, first)).status).toBe(502);
    trouble = {};
    const cardId = await keepCard(shop, customer);
    expect(await addCard(shop, customer, first)).toMatchObject({ status: 409, value: { Code: 'card_over' } });
    expect(await idsOf()).toEqual([cardId]);
    await sweep(shop.services);
    expect(await forgottenOf(shop, customer)).toMatchObject([{ done: true }]);
    expect(await isKept(shop, customer, await tokenOf(shop, cardId))).toBe(true);
  });

  test('with two payments at once is one card', async () => {
    const payments = await Promise.all(['book', 'sound'].map((titleId) => begin(shop, customer, titleId)));
    for (const { url } of payments) await pay(url, CARDS.good, { keep: 'yes' });
    const confirmed = await Promise.all(payments.map(({ transId }) => confirm(shop, customer, transId)));
    expect(confirmed.map(({ status }) => status)).toEqual([200, 200]);
    expect(await defaultsOf()).toHaveLength(1);
    expect(await idsOf()).toHaveLength(1);
  });

  test('may be the default at once', async () => {
    const first = await keepCard(shop, customer);
    const { value } = await addCard(shop, customer, await typeCard(shop, customer, CARDS.challenge), '<Default>true</Default>');
    expect(value.Card?.map(({ CardId, Default }) => [CardId, Default])).toEqual([
      [value.Added, true],
      [first, false],
    ]);
  });

  test('whose answer was lost is added when it is asked for again', async () => {
    const token = await typeCard(shop, customer, CARDS.lost);
    expect(await addCard(shop, customer, token)).toMatchObject({ status: 502, value: { Code: 'payment_unavailable' } });
    expect(await addCard(shop, customer, token)).toMatchObject({ status: 200 });
    expect(await idsOf()).toHaveLength(1);
  });
});

describe('a token', () => {
  const refused = { status: 409, value: { Code: 'card_over' } };

  test('of another customer’s card is refused, in the same store and in another', async () => {
    const token = await typeCard(shop, customer);
    const neighbour = await customerOf(shop, customer.store);
    for (const thief of [neighbour, await newCustomer()]) {
      expect(await addCard(shop, thief, token)).toMatchObject(refused);
      expect(await idsOf(thief)).toEqual([]);
    }
    expect((await addCard(shop, customer, token)).status).toBe(200);
    expect(await addCard(shop, neighbour, token)).toMatchObject(refused);
  });

  test('that is made up, and the gateway’s own names for pages and cards, are refused', async () => {
    const cardId = await keepCard(shop, customer);
    const page = new URL(await startCard(shop, customer)).pathname.split('/').at(-1) ?? '';
    for (const token of ['setup_AAAAAAAAAAAAAAAAAAAAAAAA', await tokenOf(shop, cardId), page])
      expect(await addCard(shop, customer, token), token).toMatchObject(refused);
    expect(await idsOf()).toEqual([cardId]);
  });

  test('brings back no card that was removed', async () => {
    const token = await typeCard(shop, customer);
    const { value } = await addCard(shop, customer, token);
    trouble = { forgetCard: silent };
    await choose(shop, customer, 'deleteCard', value.Added ?? '');
    expect(await addCard(shop, customer, token)).toMatchObject(refused);
    trouble = {};
    await sweep(shop.services);
    expect(await addCard(shop, customer, token)).toMatchObject(refused);
    expect(await idsOf()).toEqual([]);
  });

  test.each(['', 'short', 'x'.repeat(600), '<b/>', '../etc/passwd/etc/passwd'])('%j is none', async (token) => {
    const { query } = customer;
    const { status } = await shop.ask('addCard', '/card/add', { query, body: `<Card><Token>${token}</Token></Card>` });
    expect([400, 409]).toContain(status);
  });
});

describe('the default card', () => {
  test('is the one that was chosen, and the first of the list [S7.card/change]', async () => {
    const [one, two] = [await keepCard(shop, customer), await keepCard(shop, customer, CARDS.challenge)];
    expect(await idsOf()).toEqual([one, two]);
    const { value } = await choose(shop, customer, 'changeCard', two);
    expect((value as { Card: { CardId: string }[] }).Card.map(({ CardId }) => CardId)).toEqual([two, one]);
    expect(await defaultsOf()).toEqual([two]);
    expect((await choose(shop, customer, 'changeCard', two)).status).toBe(200);
  });

  test('is exactly one, whatever is done at once', async () => {
    const [one, two, three] = [
      await keepCard(shop, customer),
      await keepCard(shop, customer, CARDS.challenge),
      await keepCard(shop, customer, CARDS.lost),
    ];
    const again = await typeCard(shop, customer);
    await Promise.all([
      choose(shop, customer, 'changeCard', two),
      choose(shop, customer, 'changeCard', three),
      choose(shop, customer, 'deleteCard', one),
      choose(shop, customer, 'changeCard', one),
      addCard(shop, customer, again, '<Default>true</Default>'),
      choose(shop, customer, 'deleteCard', three),
      choose(shop, customer, 'changeCard', two),
    ]);
    expect(await defaultsOf()).toHaveLength(1);
    expect(await idsOf()).not.toContain(three);
  });
});

test('another customer’s card is none of one’s own', async () => {
  const cardId = await keepCard(shop, customer);
  for (const stranger of [await customerOf(shop, customer.store), await newCustomer()])
    for (const call of ['deleteCard', 'changeCard'] as const)
      expect((await choose(shop, stranger, call, cardId)).status, call).toBe(404);
  expect(await defaultsOf()).toEqual([cardId]);
});

test('visitors have no cards', async () => {
  const visitor = { ...customer, query: { ...customer.query, accesstoken: 'A'.repeat(43) } };
  expect((await addCard(shop, visitor, await typeCard(shop, customer))).status).toBe(401);
  expect((await shop.ask('cardSession', '/card/session', { query: visitor.query, method: 'POST' })).status).toBe(401);
  for (const call of ['deleteCard', 'changeCard'] as const) expect((await choose(shop, visitor, call, 'c1')).status).toBe(401);
});

test('a gateway that is silent is said to be', async () => {
  const token = await typeCard(shop, customer);
  trouble = { startSetup: silent, claimSetup: silent };
  vi.spyOn(shop.services.log, 'error').mockReturnValue();
  const unavailable = { status: 502, value: { code: 'payment_unavailable' } };
  expect(await shop.ask('cardSession', '/card/session', { query: customer.query, method: 'POST' })).toMatchObject(unavailable);
  expect(await addCard(shop, customer, token)).toMatchObject({ status: 502, value: { Code: 'payment_unavailable' } });
  trouble = {};
  expect((await addCard(shop, customer, token)).status).toBe(200);
});
