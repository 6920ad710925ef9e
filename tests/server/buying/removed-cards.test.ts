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

/** Faults between the shop and the gateway, until a test clears them. */
let portOverrides: Partial<PaymentPort> = {};
const overridablePort = (port: PaymentPort): PaymentPort => ({
  ...port,
  forgetCard: (token) => (portOverrides.forgetCard ?? port.forgetCard)(token),
});
const rejectUnknown = () => Promise.reject(new PaymentUnknown(new Error('silence')));

let shop: Shop;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: overridablePort });
});
beforeEach(async () => {
  customer = await createCustomer(shop, await shop.store());
});
afterEach(() => {
  portOverrides = {};
  vi.restoreAllMocks();
});
afterAll(() => shop.close());

const cardIds = async (of = customer) => (await readCards(shop, of)).map(({ CardId }) => CardId);
const defaultCardIds = async (of = customer) =>
  (await readCards(shop, of)).filter(({ Default }) => Default).map(({ CardId }) => CardId);

describe('a removed card', () => {
  test('is deleted in the shop and at the gateway, and cannot pay [S7.card/delete]', async () => {
    const cardId = await saveCard(shop, customer);
    const token = await readGatewayToken(shop, cardId);
    const { status, value } = await changeOrDeleteCard(shop, customer, 'deleteCard', cardId);
    expect([status, value]).toEqual([200, { Card: [] }]);
    expect(await isSavedAtGateway(shop, customer, token)).toBe(false);
    expect(await selectCardDeletions(shop, customer)).toEqual([{ gateway_card: token, done: true }]);
    expect((await changeOrDeleteCard(shop, customer, 'deleteCard', cardId)).status).toBe(404);
    const { query } = customer;
    expect((await shop.ask('purchaseTitle', '/purchase/title', { query: { ...query, cardId, titleId: 'book' } })).status).toBe(
      404,
    );
  });

  test('is in the audit log, as its addition is, without any detail of the card', async () => {
    const cardId = await saveCard(shop, customer);
    await changeOrDeleteCard(shop, customer, 'deleteCard', cardId);
    await changeOrDeleteCard(shop, customer, 'deleteCard', cardId);
    const log = await shop.db.selectFrom('audit_log').selectAll().where('user_id', '=', customer.id).orderBy('id').execute();
    expect(log.slice(-2).map(({ kind }) => kind)).toEqual(['card_added', 'card_removed']);
    expect(log.map(({ network }) => network)).not.toContain('');
    expect(JSON.stringify(log)).not.toMatch(/4242|card_[0-9a-f]{8}/);
  });

  test('passes the default to the latest other card of its customer', async () => {
    const [one, two, three] = [
      await saveCard(shop, customer),
      await saveCard(shop, customer, CARD_NUMBERS.challenge),
      await saveCard(shop, customer, CARD_NUMBERS.lost),
    ];
    expect(await defaultCardIds()).toEqual([one]);
    await changeOrDeleteCard(shop, customer, 'deleteCard', two);
    expect(await defaultCardIds()).toEqual([one]);
    await changeOrDeleteCard(shop, customer, 'deleteCard', one);
    expect(await defaultCardIds()).toEqual([three]);
  });

  test('is deleted at the gateway by the sweep, once the gateway responds again', async () => {
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

  test('is not restored by the payment that saved it', async () => {
    const { url, transId } = await startPayment(shop, customer, 'book');
    await submitCardForm(url, CARD_NUMBERS.good, { keep: 'yes' });
    await shop.ask('sessionStatus', '/checkout/session/status', { query: { ...customer.query, transId } });
    const [cardId = ''] = await cardIds();
    await changeOrDeleteCard(shop, customer, 'deleteCard', cardId);
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
    expect(await cardIds()).toEqual([]);
  });

  test('saved by a payment of a customer who was deleted in the meantime is deleted at the gateway', async () => {
    const { url } = await startPayment(shop, customer, 'book');
    await submitCardForm(url, CARD_NUMBERS.good, { keep: 'yes' });
    await shop.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', customer.id).execute();
    await sweep(shop.services);
    expect(await selectCards(shop, customer)).toEqual([]);
    expect(await selectCardDeletions(shop, customer)).toEqual([
      { gateway_card: expect.stringMatching(/^card_/) as string, done: true },
    ]);
  });

  test('does not delay others while the gateway does not respond about it', async () => {
    const ids = [
      await saveCard(shop, customer),
      await saveCard(shop, customer, CARD_NUMBERS.challenge),
      await saveCard(shop, customer, CARD_NUMBERS.lost),
    ];
    const tokens = await Promise.all(ids.map((id) => readGatewayToken(shop, id)));
    portOverrides = { forgetCard: rejectUnknown };
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    for (const id of ids) await changeOrDeleteCard(shop, customer, 'deleteCard', id);
    const asked: string[] = [];
    portOverrides = {
      forgetCard: async (token) => {
        asked.push(token);
        if (token === tokens[0]) await rejectUnknown();
      },
    };
    await sweep(shop.services);
    expect(asked.toSorted()).toEqual(tokens.toSorted());
    expect((await selectCardDeletions(shop, customer)).filter(({ done }) => !done)).toEqual([
      { gateway_card: tokens[0], done: false },
    ]);
  });

  test('is deleted at the gateway together with its account', async () => {
    const token = await readGatewayToken(shop, await saveCard(shop, customer));
    const headers = { authorization: `Bearer ${customer.query.accesstoken}` };
    expect((await shop.ask('deleteUser', '/user/delete', { query: { shelfid: customer.store }, headers })).status).toBe(200);
    await sweep(shop.services);
    expect(await selectCardDeletions(shop, customer)).toEqual([{ gateway_card: token, done: true }]);
    expect(await isSavedAtGateway(shop, customer, token)).toBe(false);
  });
});
