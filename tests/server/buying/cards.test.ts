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

/** Methods of the payment port that tests replace to cause faults. Emptied after each test. */
let portOverrides: Partial<PaymentPort> = {};
const createOverridablePort = (port: PaymentPort): PaymentPort => ({
  ...port,
  startSetup: (request) => (portOverrides.startSetup ?? port.startSetup)(request),
  claimSetup: (token, customer) => (portOverrides.claimSetup ?? port.claimSetup)(token, customer),
  forgetCard: (token) => (portOverrides.forgetCard ?? port.forgetCard)(token),
});
const rejectUnknown = () => Promise.reject(new PaymentUnknown(new Error('no response')));

let shop: Shop;
let customer: Customer;
const createCustomerInNewStore = async () => createCustomer(shop, await shop.store());
beforeAll(async () => {
  shop = await openShop({ payment: createOverridablePort });
});
beforeEach(async () => {
  customer = await createCustomerInNewStore();
});
afterEach(() => {
  portOverrides = {};
  vi.restoreAllMocks();
});
afterAll(() => shop.close());

const readCardIds = async (cardOwner = customer) => (await readCards(shop, cardOwner)).map(({ CardId }) => CardId);
const readDefaultCardIds = async (cardOwner = customer) =>
  (await readCards(shop, cardOwner)).filter(({ Default }) => Default).map(({ CardId }) => CardId);

describe('adding a card', () => {
  test('the first added card becomes the default card, and is stored without its number [S7.card/add] [S7.card/all]', async () => {
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

  test('a saved card pays for a title', async () => {
    const cardId = await saveCard(shop, customer);
    const { value } = await shop.call('purchaseTitle', '/purchase/title', {
      query: { ...customer.query, cardId, titleId: 'sound' },
    });
    expect(value).toMatchObject({ status: 'paid' });
  });

  test('a saved card that is declined is not charged, and no title is granted', async () => {
    const cardId = await saveCard(shop, customer, CARD_NUMBERS.once);
    const response = await shop.call('purchaseTitle', '/purchase/title', {
      query: { ...customer.query, cardId, titleId: 'sound' },
    });
    expect(response).toMatchObject({ status: 402, value: { code: 'card_declined' } });
    expect(await countHoldings(shop, customer, 'sound')).toMatchObject({ purchases: 0, paid: 0 });
  });

  test('a card token that is sent repeatedly, also concurrently, adds a single card', async () => {
    const token = await submitCardNumber(shop, customer);
    const responses = await Promise.all(Array.from({ length: 20 }, () => addCardByToken(shop, customer, token)));
    expect(new Set(responses.map(({ status, value }) => `${status} ${value.Added}`)).size).toBe(1);
    expect((await addCardByToken(shop, customer, token)).value.Added).toBe(responses[0]?.value.Added);
    expect(await readCardIds()).toHaveLength(1);
  });

  test('adding a saved card’s number again replaces its expiry date and deletes the older gateway token', async () => {
    const cardId = await saveCard(shop, customer);
    const olderToken = await readGatewayToken(shop, cardId);
    const response = await addCardByToken(
      shop,
      customer,
      await submitCardNumber(shop, customer, '4242-4242-4242-4242', { expiry: '01/45' }),
    );
    expect(response.value.Card).toMatchObject([{ CardId: cardId, ExpiryYear: 2045, Default: true }]);
    await sweep(shop.services);
    expect(await selectCardDeletions(shop, customer)).toEqual([{ gateway_card: olderToken, done: true }]);
    expect([
      await isSavedAtGateway(shop, customer, olderToken),
      await isSavedAtGateway(shop, customer, await readGatewayToken(shop, cardId)),
    ]).toEqual([false, true]);
  });

  test('a card that is entered again after a lost response is saved once', async () => {
    const firstToken = await submitCardNumber(shop, customer);
    const { port } = shop.gateway;
    portOverrides = {
      claimSetup: async (token, gatewayCustomer) => {
        await port.claimSetup(token, gatewayCustomer);
        return rejectUnknown();
      },
    };
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    expect((await addCardByToken(shop, customer, firstToken)).status).toBe(502);
    portOverrides = {};
    const cardId = await saveCard(shop, customer);
    expect(await addCardByToken(shop, customer, firstToken)).toMatchObject({ status: 409, value: { Code: 'card_over' } });
    expect(await readCardIds()).toEqual([cardId]);
    await sweep(shop.services);
    expect(await selectCardDeletions(shop, customer)).toMatchObject([{ done: true }]);
    expect(await isSavedAtGateway(shop, customer, await readGatewayToken(shop, cardId))).toBe(true);
  });

  test('a card that two payments save at once is saved once', async () => {
    const payments = await Promise.all(['book', 'sound'].map((titleId) => startPayment(shop, customer, titleId)));
    for (const { url } of payments) await submitCardForm(url, CARD_NUMBERS.good, { keep: 'yes' });
    const responses = await Promise.all(payments.map(({ transId }) => confirmPayment(shop, customer, transId)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await readDefaultCardIds()).toHaveLength(1);
    expect(await readCardIds()).toHaveLength(1);
  });

  test('an added card can be made the default card', async () => {
    const firstCardId = await saveCard(shop, customer);
    const { value } = await addCardByToken(
      shop,
      customer,
      await submitCardNumber(shop, customer, CARD_NUMBERS.challenge),
      '<Default>true</Default>',
    );
    expect(value.Card?.map(({ CardId, Default }) => [CardId, Default])).toEqual([
      [value.Added, true],
      [firstCardId, false],
    ]);
  });

  test('a retry after a lost response adds the card', async () => {
    const token = await submitCardNumber(shop, customer, CARD_NUMBERS.lost);
    expect(await addCardByToken(shop, customer, token)).toMatchObject({ status: 502, value: { Code: 'payment_unavailable' } });
    expect(await addCardByToken(shop, customer, token)).toMatchObject({ status: 200 });
    expect(await readCardIds()).toHaveLength(1);
  });
});

describe('refused card tokens', () => {
  const refusal = { status: 409, value: { Code: 'card_over' } };

  test('another customer’s card token is refused, in the same store and in another', async () => {
    const token = await submitCardNumber(shop, customer);
    const neighbour = await createCustomer(shop, customer.store);
    for (const thief of [neighbour, await createCustomerInNewStore()]) {
      expect(await addCardByToken(shop, thief, token)).toMatchObject(refusal);
      expect(await readCardIds(thief)).toEqual([]);
    }
    expect((await addCardByToken(shop, customer, token)).status).toBe(200);
    expect(await addCardByToken(shop, neighbour, token)).toMatchObject(refusal);
  });

  test('a card token is refused when it is made up, or is the gateway’s id of a page or card', async () => {
    const cardId = await saveCard(shop, customer);
    const pageId = new URL(await startCardSession(shop, customer)).pathname.split('/').at(-1) ?? '';
    for (const token of ['setup_AAAAAAAAAAAAAAAAAAAAAAAA', await readGatewayToken(shop, cardId), pageId])
      expect(await addCardByToken(shop, customer, token), token).toMatchObject(refusal);
    expect(await readCardIds()).toEqual([cardId]);
  });

  test('a card token does not restore a removed card', async () => {
    const token = await submitCardNumber(shop, customer);
    const { value } = await addCardByToken(shop, customer, token);
    portOverrides = { forgetCard: rejectUnknown };
    await changeOrDeleteCard(shop, customer, 'deleteCard', value.Added ?? '');
    expect(await addCardByToken(shop, customer, token)).toMatchObject(refusal);
    portOverrides = {};
    await sweep(shop.services);
    expect(await addCardByToken(shop, customer, token)).toMatchObject(refusal);
    expect(await readCardIds()).toEqual([]);
  });

  test.each(['', 'short', 'x'.repeat(600), '<b/>', '../etc/passwd/etc/passwd'])(
    'a malformed card token is refused: %j',
    async (token) => {
      const { query } = customer;
      const { status } = await shop.call('addCard', '/card/add', { query, body: `<Card><Token>${token}</Token></Card>` });
      expect([400, 409]).toContain(status);
    },
  );
});

describe('the default card', () => {
  test('the card chosen as the default is the only default and first in the list [S7.card/change]', async () => {
    const [firstCardId, secondCardId] = [await saveCard(shop, customer), await saveCard(shop, customer, CARD_NUMBERS.challenge)];
    expect(await readCardIds()).toEqual([firstCardId, secondCardId]);
    const { value } = await changeOrDeleteCard(shop, customer, 'changeCard', secondCardId);
    expect((value as { Card: { CardId: string }[] }).Card.map(({ CardId }) => CardId)).toEqual([secondCardId, firstCardId]);
    expect(await readDefaultCardIds()).toEqual([secondCardId]);
    expect((await changeOrDeleteCard(shop, customer, 'changeCard', secondCardId)).status).toBe(200);
  });

  test('concurrent changes leave exactly one default card', async () => {
    const [firstCardId, secondCardId, thirdCardId] = [
      await saveCard(shop, customer),
      await saveCard(shop, customer, CARD_NUMBERS.challenge),
      await saveCard(shop, customer, CARD_NUMBERS.lost),
    ];
    const repeatedCardToken = await submitCardNumber(shop, customer);
    await Promise.all([
      changeOrDeleteCard(shop, customer, 'changeCard', secondCardId),
      changeOrDeleteCard(shop, customer, 'changeCard', thirdCardId),
      changeOrDeleteCard(shop, customer, 'deleteCard', firstCardId),
      changeOrDeleteCard(shop, customer, 'changeCard', firstCardId),
      addCardByToken(shop, customer, repeatedCardToken, '<Default>true</Default>'),
      changeOrDeleteCard(shop, customer, 'deleteCard', thirdCardId),
      changeOrDeleteCard(shop, customer, 'changeCard', secondCardId),
    ]);
    expect(await readDefaultCardIds()).toHaveLength(1);
    expect(await readCardIds()).not.toContain(thirdCardId);
  });
});

test('a customer can neither delete nor choose another customer’s card', async () => {
  const cardId = await saveCard(shop, customer);
  for (const stranger of [await createCustomer(shop, customer.store), await createCustomerInNewStore()])
    for (const call of ['deleteCard', 'changeCard'] as const)
      expect((await changeOrDeleteCard(shop, stranger, call, cardId)).status, call).toBe(404);
  expect(await readDefaultCardIds()).toEqual([cardId]);
});

test('the calls for cards refuse visitors who are not signed in', async () => {
  const visitor = { ...customer, query: { ...customer.query, accesstoken: 'A'.repeat(43) } };
  expect((await addCardByToken(shop, visitor, await submitCardNumber(shop, customer))).status).toBe(401);
  expect((await shop.call('cardSession', '/card/session', { query: visitor.query, method: 'POST' })).status).toBe(401);
  for (const call of ['deleteCard', 'changeCard'] as const)
    expect((await changeOrDeleteCard(shop, visitor, call, 'c1')).status).toBe(401);
});

test('a call for cards without a response of the gateway is reported as payment_unavailable, and a retry works', async () => {
  const token = await submitCardNumber(shop, customer);
  portOverrides = { startSetup: rejectUnknown, claimSetup: rejectUnknown };
  vi.spyOn(shop.services.log, 'error').mockReturnValue();
  const unavailableResponse = { status: 502, value: { code: 'payment_unavailable' } };
  expect(await shop.call('cardSession', '/card/session', { query: customer.query, method: 'POST' })).toMatchObject(
    unavailableResponse,
  );
  expect(await addCardByToken(shop, customer, token)).toMatchObject({ status: 502, value: { Code: 'payment_unavailable' } });
  portOverrides = {};
  expect((await addCardByToken(shop, customer, token)).status).toBe(200);
});
