import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import {
  readCards,
  changeOrDeleteCard,
  selectCardDeletions,
  isSavedAtGateway,
  saveCard,
  selectCards,
  readGatewayToken,
} from '../support/cards.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { startPayment, CARD_NUMBERS, confirmPayment, submitCardForm } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** Methods of the payment port that tests replace to cause faults. Emptied after each test. */
let portOverrides: Partial<PaymentPort> = {};
const createOverridablePort = (port: PaymentPort): PaymentPort => ({
  ...port,
  forgetCard: (token) => (portOverrides.forgetCard ?? port.forgetCard)(token),
});
const rejectUnknown = () => Promise.reject(new PaymentUnknown(new Error('no response')));

let shop: Shop;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: createOverridablePort });
});
beforeEach(async () => {
  customer = await createCustomer(shop, await shop.store());
});
afterEach(() => {
  portOverrides = {};
  vi.restoreAllMocks();
});
afterAll(() => shop.close());

const readCardIds = async (cardOwner = customer) => (await readCards(shop, cardOwner)).map(({ CardId }) => CardId);
const readDefaultCardIds = async (cardOwner = customer) =>
  (await readCards(shop, cardOwner)).filter(({ Default }) => Default).map(({ CardId }) => CardId);

describe('removed cards', () => {
  test('a removed card is deleted in the shop and at the gateway, and cannot pay [S7.card/delete]', async () => {
    const cardId = await saveCard(shop, customer);
    const token = await readGatewayToken(shop, cardId);
    const { status, value } = await changeOrDeleteCard(shop, customer, 'deleteCard', cardId);
    expect([status, value]).toEqual([200, { Card: [] }]);
    expect(await isSavedAtGateway(shop, customer, token)).toBe(false);
    expect(await selectCardDeletions(shop, customer)).toEqual([{ gateway_card: token, done: true }]);
    expect((await changeOrDeleteCard(shop, customer, 'deleteCard', cardId)).status).toBe(404);
    const { query } = customer;
    expect((await shop.call('purchaseTitle', '/purchase/title', { query: { ...query, cardId, titleId: 'book' } })).status).toBe(
      404,
    );
  });

  test('the audit log has a card’s addition and its removal, without any detail of the card', async () => {
    const cardId = await saveCard(shop, customer);
    await changeOrDeleteCard(shop, customer, 'deleteCard', cardId);
    await changeOrDeleteCard(shop, customer, 'deleteCard', cardId);
    const auditEntries = await shop.db
      .selectFrom('audit_log')
      .selectAll()
      .where('user_id', '=', customer.id)
      .orderBy('id')
      .execute();
    expect(auditEntries.slice(-2).map(({ kind }) => kind)).toEqual(['card_added', 'card_removed']);
    expect(auditEntries.map(({ network }) => network)).not.toContain('');
    expect(JSON.stringify(auditEntries)).not.toMatch(/4242|card_[0-9a-f]{8}/);
  });

  test('removing the default card makes the latest other card of the customer the default', async () => {
    const [firstCardId, secondCardId, thirdCardId] = [
      await saveCard(shop, customer),
      await saveCard(shop, customer, CARD_NUMBERS.challenge),
      await saveCard(shop, customer, CARD_NUMBERS.lost),
    ];
    expect(await readDefaultCardIds()).toEqual([firstCardId]);
    await changeOrDeleteCard(shop, customer, 'deleteCard', secondCardId);
    expect(await readDefaultCardIds()).toEqual([firstCardId]);
    await changeOrDeleteCard(shop, customer, 'deleteCard', firstCardId);
    expect(await readDefaultCardIds()).toEqual([thirdCardId]);
  });

  test('a removed card is deleted at the gateway by the sweep, once the gateway responds again', async () => {
    const cardId = await saveCard(shop, customer);
    const token = await readGatewayToken(shop, cardId);
    portOverrides = { forgetCard: rejectUnknown };
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    expect((await changeOrDeleteCard(shop, customer, 'deleteCard', cardId)).status).toBe(200);
    await sweep(shop.services);
    expect(await selectCardDeletions(shop, customer)).toEqual([{ gateway_card: token, done: false }]);
    portOverrides = {};
    await sweep(shop.services);
    expect(await selectCardDeletions(shop, customer)).toEqual([{ gateway_card: token, done: true }]);
    expect(await isSavedAtGateway(shop, customer, token)).toBe(false);
  });

  test.each([
    ['warn', 'payment.card_delete.outcome_unknown', rejectUnknown],
    ['error', 'payment.card_delete.failed', () => Promise.reject(new Error('a fault of the shop'))],
  ] as const)('a removal that the gateway has not confirmed is logged as %s: %s', async (level, event, forgetCard) => {
    const cardId = await saveCard(shop, customer);
    portOverrides = { forgetCard };
    const logCall = vi.spyOn(shop.services.log, level).mockReturnValue();
    expect((await changeOrDeleteCard(shop, customer, 'deleteCard', cardId)).status).toBe(200);
    const ids = { store: customer.store, customer: customer.id, card: cardId };
    expect(logCall.mock.calls).toEqual([[{ err: expect.any(Error) as Error, ...ids, willRetry: true }, event]]);
  });

  test('a removed card is not restored by the payment that saved it', async () => {
    const { url, transId } = await startPayment(shop, customer, 'book');
    await submitCardForm(url, CARD_NUMBERS.good, { keep: 'yes' });
    await shop.call('sessionStatus', '/checkout/session/status', { query: { ...customer.query, transId } });
    const [cardId = ''] = await readCardIds();
    await changeOrDeleteCard(shop, customer, 'deleteCard', cardId);
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
    expect(await readCardIds()).toEqual([]);
  });

  test('a card saved by a payment of a customer who was deleted in the meantime is deleted at the gateway', async () => {
    const { url } = await startPayment(shop, customer, 'book');
    await submitCardForm(url, CARD_NUMBERS.good, { keep: 'yes' });
    await shop.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', customer.id).execute();
    await sweep(shop.services);
    expect(await selectCards(shop, customer)).toEqual([]);
    expect(await selectCardDeletions(shop, customer)).toEqual([
      { gateway_card: expect.stringMatching(/^card_/) as string, done: true },
    ]);
  });

  test('a card whose deletion gets no response does not delay the deletion of other cards', async () => {
    const ids = [
      await saveCard(shop, customer),
      await saveCard(shop, customer, CARD_NUMBERS.challenge),
      await saveCard(shop, customer, CARD_NUMBERS.lost),
    ];
    const tokens = await Promise.all(ids.map((id) => readGatewayToken(shop, id)));
    portOverrides = { forgetCard: rejectUnknown };
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    for (const id of ids) await changeOrDeleteCard(shop, customer, 'deleteCard', id);
    const requestedTokens: string[] = [];
    portOverrides = {
      forgetCard: async (token) => {
        requestedTokens.push(token);
        if (token === tokens[0]) await rejectUnknown();
      },
    };
    await sweep(shop.services);
    expect(requestedTokens.toSorted()).toEqual(tokens.toSorted());
    expect((await selectCardDeletions(shop, customer)).filter(({ done }) => !done)).toEqual([
      { gateway_card: tokens[0], done: false },
    ]);
  });

  test('a card is deleted at the gateway after its customer’s account is deleted', async () => {
    const token = await readGatewayToken(shop, await saveCard(shop, customer));
    const headers = { authorization: `Bearer ${customer.query.accesstoken}` };
    expect((await shop.call('deleteUser', '/user/delete', { query: { shelfid: customer.store }, headers })).status).toBe(200);
    await sweep(shop.services);
    expect(await selectCardDeletions(shop, customer)).toEqual([{ gateway_card: token, done: true }]);
    expect(await isSavedAtGateway(shop, customer, token)).toBe(false);
  });
});
