import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { cardsOf, choose, forgottenOf, isKept, keepCard, rowsOf, tokenOf } from '../support/cards.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { begin, CARDS, confirm, pay } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** Faults between the shop and the gateway, until a test clears them. */
let trouble: Partial<PaymentPort> = {};
const troubled = (port: PaymentPort): PaymentPort => ({
  ...port,
  forgetCard: (token) => (trouble.forgetCard ?? port.forgetCard)(token),
});
const silent = () => Promise.reject(new PaymentUnknown(new Error('silence')));

let shop: Shop;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: troubled });
});
beforeEach(async () => {
  customer = await customerOf(shop, await shop.store());
});
afterEach(() => {
  trouble = {};
  vi.restoreAllMocks();
});
afterAll(() => shop.close());

const idsOf = async (of = customer) => (await cardsOf(shop, of)).map(({ CardId }) => CardId);
const defaultsOf = async (of = customer) =>
  (await cardsOf(shop, of)).filter(({ Default }) => Default).map(({ CardId }) => CardId);

describe('a removed card', () => {
  test('is deleted in the shop and at the gateway, and cannot pay [S7.card/delete]', async () => {
    const cardId = await keepCard(shop, customer);
    const token = await tokenOf(shop, cardId);
    const { status, value } = await choose(shop, customer, 'deleteCard', cardId);
    expect([status, value]).toEqual([200, { Card: [] }]);
    expect(await isKept(shop, customer, token)).toBe(false);
    expect(await forgottenOf(shop, customer)).toEqual([{ gateway_card: token, done: true }]);
    expect((await choose(shop, customer, 'deleteCard', cardId)).status).toBe(404);
    const { query } = customer;
    expect((await shop.ask('purchaseTitle', '/purchase/title', { query: { ...query, cardId, titleId: 'book' } })).status).toBe(
      404,
    );
  });

  test('is in the audit log, as its addition is, without any detail of the card', async () => {
    const cardId = await keepCard(shop, customer);
    await choose(shop, customer, 'deleteCard', cardId);
    await choose(shop, customer, 'deleteCard', cardId);
    const log = await shop.db.selectFrom('audit_log').selectAll().where('user_id', '=', customer.id).orderBy('id').execute();
    expect(log.slice(-2).map(({ kind }) => kind)).toEqual(['card_added', 'card_removed']);
    expect(log.map(({ network }) => network)).not.toContain('');
    expect(JSON.stringify(log)).not.toMatch(/4242|card_[0-9a-f]{8}/);
  });

  test('passes the default to the latest other card of its customer', async () => {
    const [one, two, three] = [
      await keepCard(shop, customer),
      await keepCard(shop, customer, CARDS.challenge),
      await keepCard(shop, customer, CARDS.lost),
    ];
    expect(await defaultsOf()).toEqual([one]);
    await choose(shop, customer, 'deleteCard', two);
    expect(await defaultsOf()).toEqual([one]);
    await choose(shop, customer, 'deleteCard', one);
    expect(await defaultsOf()).toEqual([three]);
  });

  test('is deleted at the gateway by the sweep, once the gateway responds again', async () => {
    const cardId = await keepCard(shop, customer);
    const token = await tokenOf(shop, cardId);
    trouble = { forgetCard: silent };
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    expect((await choose(shop, customer, 'deleteCard', cardId)).status).toBe(200);
    await sweep(shop.services);
    expect(await forgottenOf(shop, customer)).toEqual([{ gateway_card: token, done: false }]);
    trouble = {};
    await sweep(shop.services);
    expect(await forgottenOf(shop, customer)).toEqual([{ gateway_card: token, done: true }]);
    expect(await isKept(shop, customer, token)).toBe(false);
  });

  test('is not restored by the payment that saved it', async () => {
    const { url, transId } = await begin(shop, customer, 'book');
    await pay(url, CARDS.good, { keep: 'yes' });
    await shop.ask('sessionStatus', '/checkout/session/status', { query: { ...customer.query, transId } });
    const [cardId = ''] = await idsOf();
    await choose(shop, customer, 'deleteCard', cardId);
    expect((await confirm(shop, customer, transId)).status).toBe(200);
    expect(await idsOf()).toEqual([]);
  });

  test('saved by a payment of a customer who was deleted in the meantime is deleted at the gateway', async () => {
    const { url } = await begin(shop, customer, 'book');
    await pay(url, CARDS.good, { keep: 'yes' });
    await shop.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', customer.id).execute();
    await sweep(shop.services);
    expect(await rowsOf(shop, customer)).toEqual([]);
    expect(await forgottenOf(shop, customer)).toEqual([{ gateway_card: expect.stringMatching(/^card_/) as string, done: true }]);
  });

  test('does not delay others while the gateway does not respond about it', async () => {
    const ids = [
      await keepCard(shop, customer),
      await keepCard(shop, customer, CARDS.challenge),
      await keepCard(shop, customer, CARDS.lost),
    ];
    const tokens = await Promise.all(ids.map((id) => tokenOf(shop, id)));
    trouble = { forgetCard: silent };
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    for (const id of ids) await choose(shop, customer, 'deleteCard', id);
    const asked: string[] = [];
    trouble = {
      forgetCard: async (token) => {
        asked.push(token);
        if (token === tokens[0]) await silent();
      },
    };
    await sweep(shop.services);
    expect(asked.toSorted()).toEqual(tokens.toSorted());
    expect((await forgottenOf(shop, customer)).filter(({ done }) => !done)).toEqual([{ gateway_card: tokens[0], done: false }]);
  });

  test('is deleted at the gateway together with its account', async () => {
    const token = await tokenOf(shop, await keepCard(shop, customer));
    const headers = { authorization: `Bearer ${customer.query.accesstoken}` };
    expect((await shop.ask('deleteUser', '/user/delete', { query: { shelfid: customer.store }, headers })).status).toBe(200);
    await sweep(shop.services);
    expect(await forgottenOf(shop, customer)).toEqual([{ gateway_card: token, done: true }]);
    expect(await isKept(shop, customer, token)).toBe(false);
  });
});
