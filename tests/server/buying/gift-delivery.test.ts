import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setClockAhead } from '../../../server/base/clock/time.ts';
import { cleanUp } from '../../../server/jobs/clean-up.ts';
import { findDeliveryMoment } from '../../../server/gifts/delivery-day.ts';
import { RESEND_PAUSE_MS } from '../../../server/gifts/resend-gift.ts';
import { sendQueuedEmails } from '../../../server/jobs/send-queued-emails.ts';
import type { Mail } from '../../../server/mail/transport.ts';
import { lookUpCode, redeemTitle } from '../support/codes.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import {
  codeInEmail,
  buyGift,
  makeGift,
  type GiftInfo,
  startGiftSession,
  readGifts,
  createGiftStore,
  emailsOf,
  resendGift,
} from '../support/gifts.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
let giver: Customer;
let gift: GiftInfo & { GiftId: string };
beforeAll(async () => {
  shop = await openShop();
  store = await createGiftStore(shop);
});
beforeEach(async () => {
  await shop.db.deleteFrom('letters').execute();
  setClockAhead(0);
  giver = await createCustomer(shop, store);
  gift = makeGift();
});
afterAll(() => shop.close());

const selectQueuedEmails = () => shop.db.selectFrom('letters').selectAll().where('gift_id', '=', gift.GiftId).execute();
const makeEmailsDue = () =>
  shop.db
    .updateTable('letters')
    .set({ due_at: new Date(0) })
    .execute();
/** Ends the pause after the last e-mail. */
const elapseResendPause = () =>
  shop.db
    .updateTable('gifts')
    .set({ written_at: new Date(Date.now() - RESEND_PAUSE_MS - 1000) })
    .where('id', '=', gift.GiftId)
    .execute();
const dateInDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/**
 * A mail transport that fails until it is repaired, and the gift e-mails that it has sent, without
 * the giver's receipts.
 */
const openFaultyMail = () => {
  const mails: Mail[] = [];
  const state = { fails: true };
  const mail = {
    send: async (sent: Mail) => {
      if (state.fails) throw new Error('The mail server is away.');
      if (sent.to !== giver.email) mails.push(sent);
    },
    close: () => {},
  };
  return { state, mails, services: { ...shop.services, mail } };
};

describe('a delivery date chosen by the giver', () => {
  const now = new Date('2026-11-23T22:30:00Z');
  test.each([
    ['2026-12-24', 'Europe/Paris', '2026-12-24T08:00:00.000Z'],
    ['2027-07-14', 'Europe/Paris', '2027-07-14T07:00:00.000Z'],
    ['2026-12-24', 'America/New_York', '2026-12-24T14:00:00.000Z'],
    ['2026-12-24', 'Asia/Kolkata', '2026-12-24T03:30:00.000Z'],
    // The morning after the clocks go forward.
    ['2027-03-28', 'Europe/Paris', '2027-03-28T07:00:00.000Z'],
    ['2027-11-23', 'UTC', '2027-11-23T09:00:00.000Z'],
    // Nine o'clock has passed: sent at once.
    ['2026-11-23', 'UTC', '2026-11-23T22:30:00.000Z'],
    // It is already tomorrow there.
    ['2026-11-24', 'Asia/Tokyo', '2026-11-24T00:00:00.000Z'],
  ])('%s in %s is %s', (day, zone, moment) => {
    expect(findDeliveryMoment(day, zone, now)?.toISOString()).toBe(moment);
  });

  test.each([
    ['2026-11-22', 'UTC'],
    ['2026-11-23', 'Asia/Tokyo'],
    ['2027-11-24', 'UTC'],
  ])('%s in %s is refused', (day, zone) => expect(findDeliveryMoment(day, zone, now)).toBeUndefined());

  test('the e-mail waits for the date, and is written with the details of that time', async () => {
    const dated = { ...gift, DeliverOn: dateInDays(9), TimeZone: 'Europe/Paris' };
    await buyGift(shop, giver, dated);
    expect(await emailsOf(shop, gift)).toEqual([]);
    expect(await readGifts(shop, giver)).toMatchObject([{ status: 'scheduled', deliverOn: dated.DeliverOn, sentAt: null }]);
    const [message] = await selectQueuedEmails();
    expect(message?.due_at.toISOString().slice(0, 10)).toBe(dated.DeliverOn);
    const moved = `${randomUUID()}@example.org`;
    expect((await resendGift(shop, giver, { giftId: gift.GiftId, email: moved })).value).toMatchObject({
      status: 'scheduled',
      recipientEmail: moved,
    });
    expect((await selectQueuedEmails())[0]?.due_at).toEqual(message?.due_at);
    await makeEmailsDue();
    expect(await emailsOf(shop, { ...gift, RecipientEmail: moved })).toHaveLength(1);
    expect(await emailsOf(shop, gift)).toEqual([]);
    expect(await readGifts(shop, giver)).toMatchObject([{ status: 'sent' }]);
  });
});

describe('an e-mail that cannot be sent', () => {
  test('is retried with growing pauses, with the same link, and sent once', async () => {
    const { state, mails, services } = openFaultyMail();
    await buyGift(shop, giver, gift);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await sendQueuedEmails(services);
      waits.push(Math.round((((await selectQueuedEmails())[0]?.due_at.getTime() ?? 0) - Date.now()) / 60_000));
      await makeEmailsDue();
    }
    expect(waits).toEqual([1, 2, 4]);
    expect(await readGifts(shop, giver)).toMatchObject([{ status: 'sending' }]);
    state.fails = false;
    await Promise.all([1, 2, 3].map(() => sendQueuedEmails(services)));
    expect(mails.map(({ to }) => to)).toEqual([gift.RecipientEmail]);
    expect(await readGifts(shop, giver)).toMatchObject([{ status: 'sent' }]);
  });

  test('is sent again unchanged by a shop that died before recording it as sent', async () => {
    const { state, mails, services } = openFaultyMail();
    state.fails = false;
    await buyGift(shop, giver, gift);
    const [message] = await selectQueuedEmails();
    await sendQueuedEmails(services);
    await shop.db
      .insertInto('letters')
      .values({ ...(message ?? expect.fail('No letter.')), due_at: new Date(0) })
      .execute();
    await sendQueuedEmails(services);
    const [first, again] = mails;
    expect([again?.id, again?.text]).toEqual([first?.id, first?.text]);
  });

  test('is marked as failed in the end, and the giver can correct the address', async () => {
    const { services } = openFaultyMail();
    await buyGift(shop, giver, gift);
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await makeEmailsDue();
      await sendQueuedEmails(services);
    }
    expect(await readGifts(shop, giver)).toMatchObject([{ status: 'failed' }]);
    const email = `${randomUUID()}@example.org`;
    expect((await resendGift(shop, giver, { giftId: gift.GiftId, email })).value).toMatchObject({ status: 'sending' });
    expect(await emailsOf(shop, { ...gift, RecipientEmail: email })).toHaveLength(1);
    expect(await readGifts(shop, giver)).toMatchObject([{ status: 'sent', recipientEmail: email }]);
  });
});

describe('sending a gift again', () => {
  test('sends the same link to the same address, after a pause', async () => {
    await buyGift(shop, giver, gift);
    const [first] = await emailsOf(shop, gift);
    const early = await resendGift(shop, giver, { giftId: gift.GiftId });
    expect([early.status, early.value.code]).toEqual([429, 'gift_just_sent']);
    expect(Number(early.headers['retry-after'])).toBeGreaterThan(500);
    setClockAhead(86_400_000);
    expect((await resendGift(shop, giver, { giftId: gift.GiftId })).status).toBe(429);
    setClockAhead(0);
    await elapseResendPause();
    const answers = await Promise.all([1, 2, 3].map(() => resendGift(shop, giver, { giftId: gift.GiftId })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const emails = await emailsOf(shop, gift);
    expect(emails).toHaveLength(2);
    expect(codeInEmail(emails[1])).toBe(codeInEmail(first));
    expect(emails[1]?.messageId).not.toBe(first?.messageId);
  });

  test('sends to another address at once, and invalidates the first link', async () => {
    await buyGift(shop, giver, gift);
    const first = codeInEmail((await emailsOf(shop, gift))[0]);
    const email = `${randomUUID()}@example.org`;
    expect((await resendGift(shop, giver, { giftId: gift.GiftId, email })).status).toBe(200);
    const [message] = await emailsOf(shop, { ...gift, RecipientEmail: email });
    const friend = await createCustomer(shop, store);
    expect((await lookUpCode(shop, friend, first)).status).toBe(404);
    expect((await redeemTitle(shop, friend, codeInEmail(message))).status).toBe(200);
    expect((await resendGift(shop, giver, { giftId: gift.GiftId, email: gift.RecipientEmail })).value).toMatchObject({
      code: 'gift_redeemed',
    });
  });

  test('is limited to ten e-mails', async () => {
    await buyGift(shop, giver, gift);
    for (let message = 1; message < 10; message += 1) {
      await emailsOf(shop, gift);
      await elapseResendPause();
      expect((await resendGift(shop, giver, { giftId: gift.GiftId })).status).toBe(200);
    }
    await emailsOf(shop, gift);
    await elapseResendPause();
    expect((await resendGift(shop, giver, { giftId: gift.GiftId })).value).toMatchObject({
      status: 409,
      code: 'gift_letters_used',
    });
  });

  test('is allowed only to the giver, for a paid gift, to a valid address', async () => {
    await startGiftSession(shop, giver, gift);
    expect(await readGifts(shop, giver)).toEqual([]);
    expect((await resendGift(shop, giver, { giftId: gift.GiftId })).status).toBe(404);
    const paid = makeGift();
    await buyGift(shop, giver, paid);
    const other = await createCustomer(shop, store);
    expect((await resendGift(shop, other, { giftId: paid.GiftId })).status).toBe(404);
    expect((await resendGift(shop, giver, { giftId: paid.GiftId, email: 'nobody' })).value).toMatchObject({ code: 'gift_info' });
  });
});

describe('personal data in gifts', () => {
  const kept = async () =>
    shop.db
      .selectFrom('gifts')
      .select(['recipient_name', 'recipient_email', 'message'])
      .where('giver_id', '=', giver.id)
      .orderBy('created_at')
      .execute();
  const nothing = { recipient_name: '', recipient_email: '', message: '' };

  test('a giver downloads the details of the gift', async () => {
    await buyGift(shop, giver, gift);
    const { value } = await shop.ask('userData', '/user/data', { query: giver.query });
    expect((value as { gifts: object[] }).gifts).toMatchObject([
      { giftId: gift.GiftId, recipientName: 'Bo', recipientEmail: gift.RecipientEmail, message: 'Happy birthday!\nYours, A.' },
    ]);
  });

  test('after a giver’s account is deleted, paid gifts are still sent, and then all data of their recipients is deleted', async () => {
    await buyGift(shop, giver, gift);
    await emailsOf(shop, gift);
    const dated = makeGift({ DeliverOn: dateInDays(5) });
    await buyGift(shop, giver, dated);
    await startGiftSession(shop, giver, makeGift());
    const headers = { authorization: `Bearer ${giver.query.accesstoken}` };
    const deleted = await shop.ask('deleteUser', '/user/delete', { query: { shelfid: store }, headers });
    expect(deleted.status).toBe(200);
    expect(await kept()).toMatchObject([nothing, { recipient_email: dated.RecipientEmail }]);
    await makeEmailsDue();
    const [message] = await emailsOf(shop, dated);
    expect(message?.subject).toBe(`${store}: A friend has sent you a gift`);
    expect(await kept()).toEqual([nothing, nothing]);
    const friend = await createCustomer(shop, store);
    expect((await redeemTitle(shop, friend, codeInEmail(message))).status).toBe(200);
  });

  test('unpaid gifts are deleted after a week', async () => {
    const { transId } = (await startGiftSession(shop, giver, gift)).value as { transId: string };
    const old = { created_at: new Date(Date.now() - 8 * 86_400_000) };
    await shop.db.updateTable('gifts').set(old).where('id', '=', gift.GiftId).execute();
    await cleanUp(shop.db);
    expect(await kept()).toHaveLength(1);
    await shop.db.updateTable('transactions').set({ status: 'cancelled', finished: true }).where('id', '=', transId).execute();
    await cleanUp(shop.db);
    expect(await kept()).toEqual([]);
    const paid = makeGift();
    await buyGift(shop, giver, paid);
    await shop.db.updateTable('gifts').set(old).where('id', '=', paid.GiftId).execute();
    await cleanUp(shop.db);
    expect(await kept()).toHaveLength(1);
  });
});
