import type { ActorRefFrom, EventObject } from 'xstate';
import { describe, expect, test } from 'vitest';
import type { purchaseMachine } from '../../machines/buying/purchase/purchase.ts';
import type { FlowName } from '../../machines/flows/registry.ts';
import type { Problem } from '../../machines/model/problem.ts';
import { problems, store } from '../../machines/path-models/path-model.ts';
import { customer, flowOf, screenOf, form, openShop, paid, settle } from '../support/open-shop.ts';

const reject = (problem: Problem) => () => Promise.reject(problem);

describe('the shop', () => {
  test('leads a visitor who buys through sign-in and back to paying', async () => {
    const { app, visited, left, started } = openShop('/id:1001/the-keeper');
    await settle();
    flowOf(app).send({ type: 'buy.pressed' });
    await settle();
    expect(flowOf(app)).toMatchObject({ id: 'purchase', value: 'ready' });

    flowOf(app).send({ type: 'pay.pressed' });
    await settle();
    expect(flowOf(app)).toMatchObject({ id: 'signIn', value: 'asking' });

    flowOf(app).send({ type: 'signIn.submitted', pii: { form } } as EventObject);
    await settle();
    expect(flowOf(app)).toMatchObject({ id: 'purchase', value: 'paying' });
    expect(started).toHaveLength(1);
    expect(left).toEqual(['https://pay.example/1']);
    expect(visited).toEqual([
      '/id:1001/the-keeper',
      '/title/purchase?titleid=1001',
      '/signin?return=%2Ftitle%2Fpurchase%3Ftitleid%3D1001&action=pay-9.99-USD',
      '/title/purchase?titleid=1001',
    ]);
  });

  test('leads a customer who is signed in already back, and presses nothing for them', async () => {
    const { app, started } = openShop('/signin?return=%2Ftitle%2Fpurchase%3Ftitleid%3D1001&action=pay-9.99-USD', {
      restored: customer,
    });
    await settle();
    expect(flowOf(app)).toMatchObject({ id: 'purchase', value: 'ready' });
    expect(started).toEqual([]);
  });

  test('says that the server is unreachable, and opens on retry', async () => {
    let reachable = false;
    const { app } = openShop('/id:1001', { store: async () => (reachable ? store : Promise.reject(problems.offline)) });
    await settle();
    expect(app.getSnapshot().value).toBe('opening');
    expect(app.getSnapshot().children.boot?.getSnapshot()).toMatchObject({ value: 'unreachable' });

    reachable = true;
    app.getSnapshot().children.boot?.send({ type: 'retry.pressed' });
    await settle();
    expect(flowOf(app)).toMatchObject({ id: 'title' });
  });

  test('says that a part of the program did not arrive, and fetches it again on retry', async () => {
    let connected = false;
    const { app } = openShop('/id:1001', {
      fetchFlow: async () => (connected ? null : Promise.reject(new TypeError('Failed to fetch'))),
    });
    await settle();
    expect(screenOf(app).getSnapshot().value).toBe('unfetched');
    connected = true;
    screenOf(app).send({ type: 'retry.pressed' });
    await settle();
    expect(flowOf(app)).toMatchObject({ id: 'title' });
  });

  test('fetches each part of the program once: what is there is shown without a wait', async () => {
    const fetches: FlowName[] = [];
    const { app } = openShop('/id:1001', { fetchFlow: async ({ input }) => (fetches.push(input.flow), null) });
    await settle();
    app.send({ type: 'go', to: '/about', replace: false });
    await settle();
    app.send({ type: 'go', to: '/id:1001', replace: false });
    expect([screenOf(app).getSnapshot().value, flowOf(app)]).toMatchObject(['showing', { id: 'title', value: 'loading' }]);
    await settle();
    expect(fetches).toEqual(['title', 'information']);
  });

  test('shows every address as invalid for a store that does not exist', async () => {
    const { app, visited } = openShop('/all', { store: reject(problems.invalidStore) });
    await settle();
    expect(app.getSnapshot().value).toBe('invalid');
    expect(visited).toEqual(['/all', '/invalid']);
    app.send({ type: 'go', to: '/', replace: false });
    await settle();
    expect(visited.at(-1)).toBe('/invalid');
  });

  test('sends a visitor from the library to sign-in, and from a sample to sign-up', async () => {
    const library = openShop('/mylibrary/audio');
    const sample = openShop('/viewer?instanceid=1001&sample=1');
    await settle();
    expect(library.visited.at(-1)).toBe('/signin?return=%2Fmylibrary%2Faudio');
    expect(sample.visited.at(-1)).toBe('/signup?return=%2Fviewer%3Finstanceid%3D1001%26sample%3D1');
  });

  test('takes a payment up again by its transaction, and confirms it once authorised', async () => {
    let confirmed = 0;
    const { visited } = openShop('/checkout/complete?transId=t1&intentId=in1', {
      restored: customer,
      paymentStatus: async () => ({ ...paid, status: confirmed > 0 ? 'paid' : 'authorized' }),
      confirmPayment: async () => {
        confirmed += 1;
        return null;
      },
    });
    await settle();
    expect(confirmed).toBe(1);
    expect(visited.at(-1)).toBe('/title/purchase/success?transId=t1');
  });

  test('asks for the status when the answer to a confirmation is lost, and does not confirm again', async () => {
    let confirmed = 0;
    const { app, visited } = openShop('/checkout/complete?transId=t1', {
      restored: customer,
      paymentStatus: async () => ({ ...paid, status: confirmed > 0 ? 'paid' : 'authorized' }),
      confirmPayment: () => {
        confirmed += 1;
        return Promise.reject(problems.timeout);
      },
    });
    await settle();
    const payment = flowOf(app);
    expect(payment).toMatchObject({ id: 'purchase', value: 'paying' });
    const flow = screenOf(app).getSnapshot().children['flow'] as unknown as ActorRefFrom<typeof purchaseMachine>;
    expect(flow.getSnapshot().children.payment?.getSnapshot()).toMatchObject({ value: 'unknown' });
    flow.getSnapshot().children.payment?.send({ type: 'status.pressed' });
    await settle();
    expect(confirmed).toBe(1);
    expect(visited.at(-1)).toBe('/title/purchase/success?transId=t1');
  });

  test('keeps the purchase when the session ends in the middle of paying', async () => {
    const { app, visited, refuse } = openShop('/checkout/complete?transId=t1', {
      restored: customer,
      paymentStatus: () => new Promise(() => {}),
    });
    await settle();
    refuse({ type: 'session.refused' });
    await settle();
    expect(flowOf(app)).toMatchObject({ id: 'signIn', value: 'asking' });
    expect(visited.at(-1)).toBe('/signin?return=%2Fcheckout%2Fcomplete%3FtransId%3Dt1&action=pay&expired=1');
    expect(app.getSnapshot().context.session).toEqual({ userId: null });
  });

  test.each([
    ['what the store says of itself', '/about'],
    ['a title', '/id:1001'],
  ])('goes on as a visitor on %s when any call hears that the session has ended, and says so once', async (_, path) => {
    const { app, visited, refuse } = openShop(path, { restored: customer });
    await settle();
    const before = screenOf(app).getSnapshot().children['flow'];
    refuse({ type: 'session.refused' });
    await settle();
    expect(visited).toEqual([path]);
    expect(app.getSnapshot().context.session).toEqual({ userId: null });
    expect(screenOf(app).getSnapshot()).toMatchObject({ value: 'showing', context: { ended: true } });
    expect(screenOf(app).getSnapshot().children['flow']).not.toBe(before);
    refuse({ type: 'session.refused' });
    app.send({ type: 'go', to: '/terms', replace: false });
    await settle();
    expect(screenOf(app).getSnapshot().context.ended).toBe(false);
  });

  test('leads from a page for customers to sign-in and back when the session has ended', async () => {
    const { app, visited, refuse } = openShop('/mylibrary/audio', { restored: customer });
    await settle();
    refuse({ type: 'session.refused' });
    await settle();
    expect(visited.at(-1)).toBe('/signin?return=%2Fmylibrary%2Faudio&expired=1');
    flowOf(app).send({ type: 'signIn.submitted', pii: { form } } as EventObject);
    await settle();
    expect(visited.at(-1)).toBe('/mylibrary/audio');
  });

  test('a visitor hears nothing of a session that has ended', async () => {
    const { app, refuse } = openShop('/about');
    await settle();
    refuse({ type: 'session.refused' });
    await settle();
    expect(screenOf(app).getSnapshot().context.ended).toBe(false);
  });

  test('starts what is seen anew for another customer, and not for the same one', async () => {
    const { app } = openShop('/id:1001', { restored: customer });
    await settle();
    const flow = () => screenOf(app).getSnapshot().children['flow'];
    const first = flow();
    const elsewhere = (userId: string) =>
      app.getSnapshot().children['session']?.send({ type: 'session.startedElsewhere', userId, pii: { email: 'x' } } as never);
    elsewhere(customer.userId);
    await settle();
    expect(flow()).toBe(first);
    elsewhere('u2');
    await settle();
    expect(flow()).not.toBe(first);
    expect(flowOf(app)).toMatchObject({ id: 'title' });
  });

  test('leads to /invalid when any call hears that there is no such store', async () => {
    const { app, visited, refuse } = openShop('/id:1001');
    await settle();
    refuse({ type: 'store.refused' });
    await settle();
    expect(app.getSnapshot().value).toBe('invalid');
    expect(visited).toEqual(['/id:1001', '/invalid']);
  });

  test('ends the session in this tab when another tab signs out', async () => {
    const { app, visited } = openShop('/mylibrary', { restored: customer });
    await settle();
    app.getSnapshot().children['session']?.send({ type: 'session.endedElsewhere' } as never);
    await settle();
    expect(visited.at(-1)).toBe('/signin?return=%2Fmylibrary');
  });
});
