import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import {
  addCardByToken,
  readCards,
  changeOrDeleteCard,
  selectCardDeletions,
  isSavedAtGateway,
  saveCard,
  selectCards,
  startCardSession,
  readGatewayToken,
  submitCardNumber,
} from '../support/cards.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { startPayment, CARD_NUMBERS, confirmPayment, countHoldings, submitCardForm } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** Faults between the shop and the gateway, until a test clears them. */
let portOverrides: Partial<PaymentPort> = {};
const overridablePort = (port: PaymentPort): PaymentPort => ({
  ...port,
  startSetup: (request) => (portOverrides.startSetup ?? port.startSetup)(request),
  claimSetup: (token, customer) => (portOverrides.claimSetup ?? port.claimSetup)(token, customer),
  forgetCard: (token) => (portOverrides.forgetCard ?? port.forgetCard)(token),
});
const rejectUnknown = () => Promise.reject(new PaymentUnknown(new Error('silence')));

let shop: Shop;
let customer: Customer;
const newCustomer = async () => createCustomer(shop, await shop.store());
beforeAll(async () => {
  shop = await openShop({ payment: overridablePort });
});
beforeEach(async () => {
  customer = await newCustomer();
});
afterEach(() => {
  portOverrides = {};
  vi.restoreAllMocks();
});
afterAll(() => shop.close());

const cardIds = async (of = customer) => (await readCards(shop, of)).map(({ CardId }) => CardId);
const defaultCardIds = async (of = customer) =>
  (await readCards(shop, of)).filter(({ Default }) => Default).map(({ CardId }) => CardId);

describe('an added card', () => {
  test('is listed, the first by default, and its number is stored nowhere in the shop [S7.card/add] [S7.card/all]', async () => {
    expect(await readCards(shop, customer)).toEqual([]);
    const { status, value } = await addCardByToken(shop, customer, await submitCardNumber(shop, customer));
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
    expect(JSON.stringify(await selectCards(shop, customer))).not.toMatch(/4242 ?4242/);
  });

  test('pays for a title', async () => {
    const cardId = await saveCard(shop, customer);
    const { value } = await shop.ask('purchaseTitle', '/purchase/title', {
      query: { ...customer.query, cardId, titleId: 'sound' },
    });
    expect(value).toMatchObject({ status: 'paid' });
  });

  test('may be declined when it pays, and then nothing is charged', async () => {
    const cardId = await saveCard(shop, customer, CARD_NUMBERS.once);
    const answer = await shop.ask('purchaseTitle', '/purchase/title', {
      query: { ...customer.query, cardId, titleId: 'sound' },
    });
    expect(answer).toMatchObject({ status: 402, value: { code: 'card_declined' } });
    expect(await countHoldings(shop, customer, 'sound')).toMatchObject({ purchases: 0, paid: 0 });
  });

  test('is a single card when its token is sent again, and twenty times at once', async () => {
    const token = await submitCardNumber(shop, customer);
    const sent = await Promise.all(Array.from({ length: 20 }, () => addCardByToken(shop, customer, token)));
    expect(new Set(sent.map(({ status, value }) => `${status} ${value.Added}`)).size).toBe(1);
    expect((await addCardByToken(shop, customer, token)).value.Added).toBe(sent[0]?.value.Added);
    expect(await cardIds()).toHaveLength(1);
  });

  test('with the number of a saved card replaces its expiry date; the older gateway token is deleted', async () => {
    const cardId = await saveCard(shop, customer);
    const older = await readGatewayToken(shop, cardId);
    const added = await addCardByToken(
      shop,
      customer,
      await submitCardNumber(shop, customer, '4242-4242-4242-4242', { expiry: '01/45' }),
    );
    expect(added.value.Card).toMatchObject([{ CardId: cardId, ExpiryYear: 2045, Default: true }]);
    await sweep(shop.services);
    expect(await selectCardDeletions(shop, customer)).toEqual([{ gateway_card: older, done: true }]);
    expect([
      await isSavedAtGateway(shop, customer, older),
      await isSavedAtGateway(shop, customer, await readGatewayToken(shop, cardId)),
    ]).toEqual([false, true]);
  });

  test('is a single card after its response was lost and it was typed again', async () => {
    const first = await submitCardNumber(shop, customer);
    const { port } = shop.gateway;
    portOverrides = {
      claimSetup: async (token, of) => {
        await port.claimSetup(token, of);
        return rejectUnknown();
      },
    };
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    expect((await addCardByToken(shop, customer, first)).status).toBe(502);
    portOverrides = {};
    const cardId = await saveCard(shop, customer);
    expect(await addCardByToken(shop, customer, first)).toMatchObject({ status: 409, value: { Code: 'card_over' } });
    expect(await cardIds()).toEqual([cardId]);
    await sweep(shop.services);
    expect(await selectCardDeletions(shop, customer)).toMatchObject([{ done: true }]);
    expect(await isSavedAtGateway(shop, customer, await readGatewayToken(shop, cardId))).toBe(true);
  });

  test('is a single card when saved by two payments at once', async () => {
    const payments = await Promise.all(['book', 'sound'].map((titleId) => startPayment(shop, customer, titleId)));
    for (const { url } of payments) await submitCardForm(url, CARD_NUMBERS.good, { keep: 'yes' });
    const confirmed = await Promise.all(payments.map(({ transId }) => confirmPayment(shop, customer, transId)));
    expect(confirmed.map(({ status }) => status)).toEqual([200, 200]);
    expect(await defaultCardIds()).toHaveLength(1);
    expect(await cardIds()).toHaveLength(1);
  });

  test('can be made the default when it is added', async () => {
    const first = await saveCard(shop, customer);
    const { value } = await addCardByToken(
      shop,
      customer,
      await submitCardNumber(shop, customer, CARD_NUMBERS.challenge),
      '<Default>true</Default>',
    );
    expect(value.Card?.map(({ CardId, Default }) => [CardId, Default])).toEqual([
      [value.Added, true],
      [first, false],
    ]);
  });

  test('is added by a retry after its response was lost', async () => {
    const token = await submitCardNumber(shop, customer, CARD_NUMBERS.lost);
    expect(await addCardByToken(shop, customer, token)).toMatchObject({ status: 502, value: { Code: 'payment_unavailable' } });
    expect(await addCardByToken(shop, customer, token)).toMatchObject({ status: 200 });
    expect(await cardIds()).toHaveLength(1);
  });
});

describe('a card token', () => {
  const refused = { status: 409, value: { Code: 'card_over' } };

  test('of another customer is refused, in the same store and in another', async () => {
    const token = await submitCardNumber(shop, customer);
    const neighbour = await createCustomer(shop, customer.store);
    for (const thief of [neighbour, await newCustomer()]) {
      expect(await addCardByToken(shop, thief, token)).toMatchObject(refused);
      expect(await cardIds(thief)).toEqual([]);
    }
    expect((await addCardByToken(shop, customer, token)).status).toBe(200);
    expect(await addCardByToken(shop, neighbour, token)).toMatchObject(refused);
  });

  test('is refused when it is made up, or is the gateway’s id of a page or card', async () => {
    const cardId = await saveCard(shop, customer);
    const page = new URL(await startCardSession(shop, customer)).pathname.split('/').at(-1) ?? '';
    for (const token of ['setup_AAAAAAAAAAAAAAAAAAAAAAAA', await readGatewayToken(shop, cardId), page])
      expect(await addCardByToken(shop, customer, token), token).toMatchObject(refused);
    expect(await cardIds()).toEqual([cardId]);
  });

  test('does not restore a removed card', async () => {
    const token = await submitCardNumber(shop, customer);
    const { value } = await addCardByToken(shop, customer, token);
    portOverrides = { forgetCard: rejectUnknown };
    await changeOrDeleteCard(shop, customer, 'deleteCard', value.Added ?? '');
    expect(await addCardByToken(shop, customer, token)).toMatchObject(refused);
    portOverrides = {};
    await sweep(shop.services);
    expect(await addCardByToken(shop, customer, token)).toMatchObject(refused);
    expect(await cardIds()).toEqual([]);
  });

  test.each(['', 'short', 'x'.repeat(600), '<b/>', '../etc/passwd/etc/passwd'])('is refused as malformed: %j', async (token) => {
    const { query } = customer;
    const { status } = await shop.ask('addCard', '/card/add', { query, body: `<Card><Token>${token}</Token></Card>` });
    expect([400, 409]).toContain(status);
  });
});

describe('the default card', () => {
  test('is the chosen one, and first in the list [S7.card/change]', async () => {
    const [one, two] = [await saveCard(shop, customer), await saveCard(shop, customer, CARD_NUMBERS.challenge)];
    expect(await cardIds()).toEqual([one, two]);
    const { value } = await changeOrDeleteCard(shop, customer, 'changeCard', two);
    expect((value as { Card: { CardId: string }[] }).Card.map(({ CardId }) => CardId)).toEqual([two, one]);
    expect(await defaultCardIds()).toEqual([two]);
    expect((await changeOrDeleteCard(shop, customer, 'changeCard', two)).status).toBe(200);
  });

  test('is exactly one after concurrent changes', async () => {
    const [one, two, three] = [
      await saveCard(shop, customer),
      await saveCard(shop, customer, CARD_NUMBERS.challenge),
      await saveCard(shop, customer, CARD_NUMBERS.lost),
    ];
    const again = await submitCardNumber(shop, customer);
    await Promise.all([
      changeOrDeleteCard(shop, customer, 'changeCard', two),
      changeOrDeleteCard(shop, customer, 'changeCard', three),
      changeOrDeleteCard(shop, customer, 'deleteCard', one),
      changeOrDeleteCard(shop, customer, 'changeCard', one),
      addCardByToken(shop, customer, again, '<Default>true</Default>'),
      changeOrDeleteCard(shop, customer, 'deleteCard', three),
      changeOrDeleteCard(shop, customer, 'changeCard', two),
    ]);
    expect(await defaultCardIds()).toHaveLength(1);
    expect(await cardIds()).not.toContain(three);
  });
});

test('a customer can neither delete nor choose another customer’s card', async () => {
  const cardId = await saveCard(shop, customer);
  for (const stranger of [await createCustomer(shop, customer.store), await newCustomer()])
    for (const call of ['deleteCard', 'changeCard'] as const)
      expect((await changeOrDeleteCard(shop, stranger, call, cardId)).status, call).toBe(404);
  expect(await defaultCardIds()).toEqual([cardId]);
});

test('visitors cannot use any call for cards', async () => {
  const visitor = { ...customer, query: { ...customer.query, accesstoken: 'A'.repeat(43) } };
  expect((await addCardByToken(shop, visitor, await submitCardNumber(shop, customer))).status).toBe(401);
  expect((await shop.ask('cardSession', '/card/session', { query: visitor.query, method: 'POST' })).status).toBe(401);
  for (const call of ['deleteCard', 'changeCard'] as const)
    expect((await changeOrDeleteCard(shop, visitor, call, 'c1')).status).toBe(401);
});

test('a gateway without response is reported as payment_unavailable, and a retry works', async () => {
  const token = await submitCardNumber(shop, customer);
  portOverrides = { startSetup: rejectUnknown, claimSetup: rejectUnknown };
  vi.spyOn(shop.services.log, 'error').mockReturnValue();
  const unavailable = { status: 502, value: { code: 'payment_unavailable' } };
  expect(await shop.ask('cardSession', '/card/session', { query: customer.query, method: 'POST' })).toMatchObject(unavailable);
  expect(await addCardByToken(shop, customer, token)).toMatchObject({ status: 502, value: { Code: 'payment_unavailable' } });
  portOverrides = {};
  expect((await addCardByToken(shop, customer, token)).status).toBe(200);
});
