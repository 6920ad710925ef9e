import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { cardsOf, choose, forgottenOf, isKept, keepCard, rowsOf, tokenOf } from '../support/cards.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { begin, CARDS, confirm, pay } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** What goes wrong between the shop and the gateway, until a test mends it. */
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

describe('a card that is removed', () => {
  test('is gone, here and at the gateway, and cannot be paid with [S7.card/delete]', async () => {
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

  test('is written down, as its coming is, without a word of which one', async () => {
    const cardId = await keepCard(shop, customer);
    await choose(shop, customer, 'deleteCard', cardId);
    await choose(shop, customer, 'deleteCard', cardId);
    const log = await shop.db.selectFrom('audit_log').selectAll().where('user_id', '=', customer.id).orderBy('id').execute();
    expect(log.slice(-2).map(({ kind }) => kind)).toEqual(['card_added', 'card_removed']);
    expect(log.map(({ network }) => network)).not.toContain('');
    expect(JSON.stringify(log)).not.toMatch(/4242|card_[0-9a-f]{8}/);
  });

  test('hands the default on to the latest other, and to nobody else', async () => {
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

  test('while the gateway is silent is forgotten by the sweep, once it answers', async () => {
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

  test('is not brought back by the payment that it was kept with', async () => {
    const { url, transId } = await begin(shop, customer, 'book');
    await pay(url, CARDS.good, { keep: 'yes' });
    await shop.ask('sessionStatus', '/checkout/session/status', { query: { ...customer.query, transId } });
    const [cardId = ''] = await idsOf();
    await choose(shop, customer, 'deleteCard', cardId);
    expect((await confirm(shop, customer, transId)).status).toBe(200);
    expect(await idsOf()).toEqual([]);
  });

  test('and kept by a payment of a customer who is gone meanwhile, is forgotten', async () => {
    const { url } = await begin(shop, customer, 'book');
    await pay(url, CARDS.good, { keep: 'yes' });
    await shop.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', customer.id).execute();
    await sweep(shop.services);
    expect(await rowsOf(shop, customer)).toEqual([]);
    expect(await forgottenOf(shop, customer)).toEqual([{ gateway_card: expect.stringMatching(/^card_/) as string, done: true }]);
  });

  test('holds up no other while the gateway is silent about it', async () => {
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

  test('with its account is forgotten, too', async () => {
    const token = await tokenOf(shop, await keepCard(shop, customer));
    const headers = { authorization: `Bearer ${customer.query.accesstoken}` };
    expect((await shop.ask('deleteUser', '/user/delete', { query: { shelfid: customer.store }, headers })).status).toBe(200);
    await sweep(shop.services);
    expect(await forgottenOf(shop, customer)).toEqual([{ gateway_card: token, done: true }]);
    expect(await isKept(shop, customer, token)).toBe(false);
  });
});
